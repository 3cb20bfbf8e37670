import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../src/files/package-root';
import type { Killer, Mutant } from './mutations';
import { ownMutants, ownTests } from './own-tests';
import { inSource, projectTests } from './project-tests';

// Counts the random mutants that the tests notice. Texts for people, such as descriptions of settings, are not changed.
//
// npm run mutants -- --count 40 --seed 1: mutants of the runtime in code that the tests of a project run. The tests that
// the project ships with look for each of them, and then svcgen's own.
//
// npm run mutants -- --under src/lock --count 40 --seed 1: mutants of svcgen's files below a folder, with svcgen's tests.
//
// svcgen's tests are those that load the file, closest first, without slow ones: at most --tests files. The share that
// the whole suite notices is no lower.

/** Tests that look for mutants, by their name in the report; those with the same mutant run one after the other. */
type Suites = { [name: string]: Killer };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      project: { type: 'string', default: join(ROOT, 'examples', 'device-service') },
      under: { type: 'string' },
      tests: { type: 'string', default: '8' },
    },
  });
  const { under, project, tests, count, seed } = values;
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-mutants-'));
  const folderOf = (name: string): string => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  try {
    const [own, shipped] = [folderOf('svcgen'), folderOf('project')];
    const svcgen = ownTests(own, Number(tests));
    const sample = (mutants: Mutant[]): Mutant[] => shuffled(mutants, Number(seed)).slice(0, Number(count));
    if (under !== undefined) return await measure(sample(ownMutants(under)), { svcgen });
    const { mutants, killer } = await projectTests(shipped, project);
    await measure(sample(mutants), {
      project: killer,
      svcgen: (mutant) => svcgen(inSource(mutant, shipped, own)),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(mutants: Mutant[], suites: Suites): Promise<void> {
  const killed: { [suite: string]: number } = {};
  for (const mutant of mutants) {
    const by = await firstKiller(mutant, suites);
    if (by !== undefined) killed[by.suite] = (killed[by.suite] ?? 0) + 1;
    const change = `${mutant.file}:${mutant.from.line}  ${short(mutant.before)} → ${short(mutant.after)}`;
    console.log(
      by === undefined ? `SURVIVED  ${change}` : `killed    ${change}  (${by.suite}: ${short(by.test)})`,
    );
  }
  const all = mutants.length;
  let found = 0;
  for (const suite of Object.keys(suites)) {
    found += killed[suite] ?? 0;
    console.log(
      `${found} of ${all} mutants killed, ${Math.round((100 * found) / all)} %, with ${suite}'s tests.`,
    );
  }
}

async function firstKiller(
  mutant: Mutant,
  suites: Suites,
): Promise<{ suite: string; test: string } | undefined> {
  for (const [suite, killer] of Object.entries(suites)) {
    const test = await killer(mutant);
    if (test !== undefined) return { suite, test };
  }
  return undefined;
}

/** Returns a list in a random order that follows from a seed. */
function shuffled<T>(list: T[], seed: number): T[] {
  const copy = [...list];
  let state = seed;
  for (let index = copy.length - 1; index > 0; index--) {
    // A linear congruential generator: its low bits are poor, its high bits are not.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (index + 1));
    [copy[index], copy[other]] = [copy[other], copy[index]];
  }
  return copy;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
