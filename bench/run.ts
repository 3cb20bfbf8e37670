import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Checkout, checkOut } from './checkout';
import { Contestants } from './contestants';
import { FIGURES } from './figures';
import { generatorLines } from './generator';
import { type Effort, play } from './rounds';
import { againstBefore, SCENARIOS } from './scenarios';
import { type Line, table } from './table';
import { tail } from './tail';
import { TRICKS } from './tricks';

const FULL: Effort = { devices: 1_000_000, rounds: 5, seconds: 4 };
/** Optimisations are many. */
const SHORT: Effort = { devices: 10_000, rounds: 5, seconds: 2 };
/** At most 90 seconds in all. */
const QUICK: Effort = { devices: 1_000, rounds: 1, seconds: 1 };

/**
 * `npm run bench`: measures svcgen and its alternatives, and prints one table. `-- --quick` measures only the most
 * important ratios, `-- --only POST` only titles with this word. `-- --against main` measures the services that this
 * commit and another generate, side by side. `-- --tricks` measures what each optimisation gains,
 * `-- --tail` the slowest responses of ten minutes.
 */
async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      against: { type: 'string' },
      tricks: { type: 'boolean', default: false },
      tail: { type: 'boolean', default: false },
    },
  });
  const { quick: isQuick, only, against, tricks, tail: isTail } = values;
  const isWanted = (title: string): boolean => title.includes(only);
  const effort = isQuick ? QUICK : tricks ? SHORT : FULL;
  requirePrograms();
  if (against === undefined && !tricks && !isTail) installPeers();
  const before = against === undefined ? undefined : checkOut(against);
  const contestants = new Contestants(before);
  const lines: Line[] = [];
  const add = async (title: string, measure: () => Promise<Line[]>): Promise<void> => {
    if (!isWanted(title)) return;
    process.stderr.write(`${title}\n`);
    lines.push(...(await measure()));
  };
  try {
    if (isTail) {
      lines.push(...(await tail(contestants)));
      return;
    }
    // First, so that no server has done more before than its peers.
    const scenarios = tricks ? TRICKS : before === undefined ? SCENARIOS : againstBefore();
    for (const scenario of scenarios) {
      if (scenario.quick || tricks || !isQuick)
        await add(scenario.title, () => play(scenario, contestants, effort));
    }
    if (!isQuick && !tricks && before === undefined) {
      for (const [title, measure] of Object.entries(FIGURES))
        await add(title, () => measure(contestants, effort.seconds));
      await add('generator', async () => generatorLines());
    }
  } finally {
    await contestants.stop();
    // An error must not lose the figures that were measured before it.
    report(lines, before);
  }
}

function report(lines: Line[], before?: Checkout): void {
  const { model } = cpus()[0];
  console.log(
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${model}\n`,
  );
  if (before !== undefined) console.log(`against ${before.name}; below 1 this commit takes more CPU time\n`);
  console.log(table(lines));
}

function requirePrograms(): void {
  for (const [program, way] of [
    ['wrk', 'apt-get install -y wrk'],
    ['taskset', 'apt-get install -y util-linux'],
    ['cc', 'apt-get install -y gcc libc6-dev'],
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
  // Servers that did not start would keep the process alive.
  process.exit(1);
});
