import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import {
  type Cost,
  costOf,
  type ProjectSize,
  projectText,
  SVCGEN,
  TSC,
  WORK,
  writeProject,
} from './services';
import type { Line } from './table';
import { middleOf } from './wrk';

/** Number of measurements of each; the median counts. */
const RUNS = 5;

/** Measures the generator. */
export function generatorLines(): Line[] {
  return [help(), ...growth(), ...daily()];
}

function help(): Line {
  const time = (...args: string[]): number => {
    const start = performance.now();
    spawnSync(process.execPath, args);
    return performance.now() - start;
  };
  const ratios = Array.from({ length: 15 }, () => time(SVCGEN, '--help') / time('-e', '0'));
  return { what: 'svcgen --help to node -e 0', figure: { value: middleOf(ratios), unit: '×', to: 1.3 } };
}

/** Measures a generation from nothing, for growing numbers of small kinds. */
function growth(): Line[] {
  return [1, 10, 100, 1000].map((kinds) =>
    line(`generate ${kinds} small kinds from nothing`, () => fromNothing({ kinds }), {
      runs: kinds === 1000 ? 1 : RUNS,
    }),
  );
}

/** Measures daily changes in a project of 100 kinds in two versions. */
function daily(): Line[] {
  const size = { kinds: 100, versions: 2, likeTheFirst: true };
  let rule = 100;
  const changed = (): Cost => {
    const model = `model: { type: string, rules: [max=${rule++}] }`;
    writeProject(FOLDER, projectText(size).replace('model: string', model));
    return generate('--force');
  };
  const check = (): Cost => {
    rmSync(join(FOLDER, 'dist'), { recursive: true, force: true });
    return costOf(TSC, ['-p', join(FOLDER, 'tsconfig.build.json'), '--noEmit']);
  };
  return [
    line('generate 100 kinds in 2 versions from nothing', () => fromNothing(size), { to: 3 }),
    line('  when nothing has changed', () => generate(), { to: 0.4 }),
    line('  when one kind has changed', changed, { to: 1 }),
    line('  type check of the generated code', check, { to: 6, runs: 3 }),
  ];
}

const FOLDER = join(WORK, 'generator');

function fromNothing(size: ProjectSize): Cost {
  rmSync(FOLDER, { recursive: true, force: true });
  writeProject(FOLDER, projectText(size));
  return generate();
}

function generate(...options: string[]): Cost {
  return costOf(SVCGEN, ['generate', '--project', FOLDER, ...options]);
}

/** Returns a line whose figure is the elapsed time. Other processes increase it: CPU time and load are next to it. */
function line(what: string, run: () => Cost, { to, runs = RUNS }: { to?: number; runs?: number }): Line {
  const costs = Array.from({ length: runs }, run);
  const middle = (part: keyof Cost): number => middleOf(costs.map((cost) => cost[part]));
  const notes = `${middle('cpu').toFixed(2)} s of CPU, ${Math.round(middle('memory'))} MiB, load ${loadavg()[0].toFixed(1)}`;
  return { what: `${what} (${notes})`, figure: { value: middle('wall'), unit: 's', to } };
}
