import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { Contestants } from './contestants';
import { play, type Effort } from './rounds';
import { SCENARIOS } from './scenarios';
import { table, type Line } from './table';

/**
 * `npm run bench`, `npm run bench -- --quick`, `npm run bench -- --only=POST`: measures svcgen and what people would use instead,
 * and prints one table.
 */
async function main(options: string[]): Promise<void> {
  const isQuick = options.includes('--quick');
  const effort: Effort = isQuick ? { rounds: 1, seconds: 1 } : { rounds: 5, seconds: 4 };
  const only = options.find((option) => option.startsWith('--only='))?.slice('--only='.length) ?? '';
  requirePrograms();
  installPeers();
  const contestants = new Contestants();
  const lines: Line[] = [];
  try {
    for (const scenario of SCENARIOS) {
      if (!scenario.title.includes(only)) continue;
      process.stderr.write(`${scenario.title}\n`);
      lines.push(...(await play(scenario, contestants, effort)));
    }
  } finally {
    await contestants.stop();
  }
  console.log(
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${cpus()[0].model}`,
  );
  console.log(`${table(lines)}\n`);
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

void main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
