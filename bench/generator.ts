import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import {
  costOf,
  projectText,
  SVCGEN,
  TSC,
  WORK,
  writeProject,
  type Cost,
  type ProjectSize,
} from './services';
import type { Line } from './table';
import { middleOf } from './wrk';

/** How often each is measured; the one whose time is in the middle counts. */
const RUNS = 5;

/** What the generator takes. */
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

/** From nothing, for more and more small kinds. */
function growth(): Line[] {
  return [1, 10, 100, 1000].map((kinds) =>
    line(`generate ${kinds} small kinds from nothing`, () => fromNothing({ kinds }), {
      runs: kinds === 1000 ? 1 : RUNS,
    }),
  );
}

/** What happens day by day in a project of 100 kinds in two versions. */
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
    line('  when one kind has changed', changed, { to: 0.6 }),
    line('  what is generated is type-checked', check, { to: 6, runs: 3 }),
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

/** The figure is the time that passed, which others on the machine make longer: CPU time and load stand beside it. */
function line(what: string, run: () => Cost, { to, runs = RUNS }: { to?: number; runs?: number }): Line {
  const costs = Array.from({ length: runs }, run);
  const middle = (part: keyof Cost): number => middleOf(costs.map((cost) => cost[part]));
  const beside = `${middle('cpu').toFixed(2)} s of CPU, ${Math.round(middle('memory'))} MiB, load ${loadavg()[0]!.toFixed(1)}`;
  return { what: `${what} (${beside})`, figure: { value: middle('wall'), unit: 's', to } };
}
