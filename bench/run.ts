import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { Contestants } from './contestants';
import { FIGURES } from './figures';
import { generatorLines } from './generator';
import { play, type Effort } from './rounds';
import { SCENARIOS } from './scenarios';
import { table, type Line } from './table';

const FULL: Effort = { devices: 1_000_000, rounds: 5, seconds: 4 };
/** At most 90 seconds in all. */
const QUICK: Effort = { devices: 1_000, rounds: 1, seconds: 1 };

/**
 * `npm run bench`: measures svcgen and what people would use instead, and prints one table. `-- --quick` measures the most
 * important ratios alone, `-- --only=POST` what has this in its title.
 */
async function main(options: string[]): Promise<void> {
  const isQuick = options.includes('--quick');
  const only = options.find((option) => option.startsWith('--only='))?.slice('--only='.length) ?? '';
  const isWanted = (title: string): boolean => title.includes(only);
  const effort = isQuick ? QUICK : FULL;
  requirePrograms();
  installPeers();
  const contestants = new Contestants();
  const lines: Line[] = [];
  const add = async (title: string, measure: () => Promise<Line[]>): Promise<void> => {
    if (!isWanted(title)) return;
    process.stderr.write(`${title}\n`);
    lines.push(...(await measure()));
  };
  try {
    // First, so that no server has done more before than those that it is measured against.
    for (const scenario of SCENARIOS) {
      if (scenario.quick || !isQuick) await add(scenario.title, () => play(scenario, contestants, effort));
    }
    if (!isQuick) {
      for (const [title, measure] of Object.entries(FIGURES))
        await add(title, () => measure(contestants, effort.seconds));
      await add('generator', async () => generatorLines());
    }
  } finally {
    await contestants.stop();
  }
  const { model } = cpus()[0];
  console.log(
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${model}\n`,
  );
  console.log(table(lines));
}

function requirePrograms(): void {
  for (const [program, way] of [
    ['wrk', 'apt-get install -y wrk'],
    ['taskset', 'apt-get install -y util-linux'],
  ]) {
    if (spawnSync(program, ['--version']).error === undefined) continue;
    throw new Error(`the benchmarks need ${program}: ${way}`);
  }
  if (cpus().length < 2)
    throw new Error('the benchmarks need two cores: one for the server, one for its clients');
}

/** The peers are no dependencies of svcgen. */
function installPeers(): void {
  if (existsSync(join(__dirname, 'node_modules'))) return;
  process.stderr.write('installing the peers\n');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: __dirname,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

void main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
