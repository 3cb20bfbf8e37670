import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../src/files/package-root';
import { closestTests } from './closest-tests';
import { killerIn, type Limits, prepareJest, type Run, runJest } from './jest-run';
import { type Killer, type Mutant, mutantsOf, mutated } from './mutations';

const SKIPPED = ['node_modules', '.git', '.tmp', 'dist'];
/** A mutant that loops must end. */
const LIMITS: Limits = { cpu: 300, elapsed: 1_800 };

/** Returns the mutants of svcgen's files below a folder. */
export function ownMutants(under: string): Mutant[] {
  return readdirSync(join(ROOT, under), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(under, file))
    .flatMap((file) => mutantsOf(file, readFileSync(join(ROOT, file), 'utf8')));
}

/** Runs svcgen's tests in a copy of its sources: those that load the file of the mutant, at most `most`, closest first. */
export function ownTests(folder: string, most: number): Killer {
  for (const entry of readdirSync(ROOT).filter((name) => !SKIPPED.includes(name)))
    cpSync(join(ROOT, entry), join(folder, entry), { recursive: true });
  for (const entry of ['node_modules', 'dist']) symlinkSync(join(ROOT, entry), join(folder, entry));
  prepareJest(folder);
  const testsOf = closestTests(folder);
  const run = (tests: string[]): Promise<Run> => runJest(folder, ['--runTestsByPath', ...tests], LIMITS);
  /** Test files by whether they pass without a mutant: a test that fails anyway notices nothing. */
  const isSound = new Map<string, boolean>();
  const killer = async (mutant: Mutant): Promise<string | undefined> => {
    const sound = testsOf(mutant.file).filter((test) => isSound.get(test) !== false);
    const closest = sound.slice(0, most);
    if (closest.length === 0) return undefined;
    const result = await mutated(folder, mutant, () => run(closest));
    const path = result.failed?.path;
    if (path === undefined) return killerIn(result);
    if (!isSound.has(path)) isSound.set(path, (await run([path])).passed);
    if (!isSound.get(path)) return killer(mutant);
    // Once more: a busy machine may have failed the test.
    return killerIn(
      await mutated(folder, mutant, () => run([path, ...closest.filter((test) => test !== path)])),
    );
  };
  return killer;
}
