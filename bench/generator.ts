import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { node, projectText, svcgen, TSC, WORK, writeProject, type ProjectSize } from './services';
import type { Line } from './table';
import { middleOf } from './wrk';

/** How often each is measured; the middle one counts. */
const RUNS = 5;

/** What the generator takes. */
export function generatorLines(): Line[] {
  return [help(), ...growth(), ...daily()];
}

function help(): Line {
  const time = (...args: string[]): number => clock(() => spawnSync(process.execPath, args));
  const svcgen = join(__dirname, '..', 'bin', 'svcgen.js');
  const ratios = Array.from({ length: 15 }, () => time(svcgen, '--help') / time('-e', '0'));
  return { what: 'svcgen --help to node -e 0', figure: { value: middleOf(ratios), unit: '×', to: 1.3 } };
}

/** From nothing, for more and more small kinds. */
function growth(): Line[] {
  return [1, 10, 100, 1000].map((kinds) => {
    const runs = kinds === 1000 ? 1 : RUNS;
    const value = middleOf(Array.from({ length: runs }, () => fromNothing({ kinds })));
    return { what: `generate ${kinds} small kinds from nothing`, figure: { value, unit: 's' } };
  });
}

/** What happens day by day in a project of 100 kinds in two versions. */
function daily(): Line[] {
  const size = { kinds: 100, versions: 2, likeTheFirst: true };
  const generate = (): number => clock(() => svcgen('generate', '--project', FOLDER)) / 1000;
  const first = middleOf(Array.from({ length: RUNS }, () => fromNothing(size)));
  const unchanged = middleOf(Array.from({ length: RUNS }, generate));
  const changed = Array.from({ length: RUNS }, (_, run) => {
    const rule = `{ type: string, rules: [max=${100 + run}] }`;
    writeProject(FOLDER, projectText(size).replace('model: string', `model: ${rule}`));
    return clock(() => svcgen('generate', '--force', '--project', FOLDER)) / 1000;
  });
  const check = clock(() => node(TSC, ['-p', join(FOLDER, 'tsconfig.build.json')])) / 1000;
  const line = (what: string, value: number, to: number): Line => ({
    what,
    figure: { value, unit: 's', to },
  });
  return [
    line('generate 100 kinds in 2 versions from nothing', first, 3),
    line('  when nothing has changed', unchanged, 0.4),
    line('  when one kind has changed', middleOf(changed), 0.6),
    line('  what is generated is compiled and type-checked', check, 6),
  ];
}

const FOLDER = join(WORK, 'generator');

function fromNothing(size: ProjectSize): number {
  rmSync(FOLDER, { recursive: true, force: true });
  writeProject(FOLDER, projectText(size));
  return clock(() => svcgen('generate', '--project', FOLDER)) / 1000;
}

/** How long an action takes, in ms. */
function clock(action: () => void): number {
  const start = performance.now();
  action();
  return performance.now() - start;
}
