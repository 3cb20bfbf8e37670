import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../src/files/package-root';
import { loadProject } from '../../src/load/load-project';
import { plannedProject } from '../../src/plan/planned-project';
import { render } from '../../src/render/render';
import { COVERAGE, executedCode } from './executed-code';
import { killerIn, type Limits, prepareJest, runJest } from './jest-run';
import { type Killer, type Mutant, mutantsOf, mutated } from './mutations';

/** The folder of a project that is a copy of a folder of svcgen. */
const RUNTIME = { copy: 'src/generated/runtime/', source: 'templates/runtime/' };
/** Limits of a run with a mutant, as multiples of the clean run. */
const PATIENCE: Limits = { cpu: 5, elapsed: 20 };

/**
 * Writes a project as a user gets it. Returns the mutants of its runtime in code that the project's tests run, and a
 * run of these tests. The rest of the runtime serves features that the project does not use, or other processes and
 * databases.
 */
export async function projectTests(
  folder: string,
  project: string,
): Promise<{ mutants: Mutant[]; killer: Killer }> {
  const files = render(plannedProject(loadProject(project).project));
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  prepareJest(folder);
  const clean = await runJest(folder, COVERAGE);
  if (!clean.passed)
    throw new Error(`the tests of the project fail without a mutant: ${clean.failed?.name}\n${clean.errors}`);
  const runtime = files.filter(({ path }) => path.startsWith(RUNTIME.copy) && path.endsWith('.ts'));
  const all = runtime.flatMap(({ path, text }) => mutantsOf(path, text));
  const mutants = all.filter(executedCode(folder));
  console.log(`The tests of the project run the code of ${mutants.length} of ${all.length} mutants.`);
  const limits = { cpu: PATIENCE.cpu * clean.cpuSeconds, elapsed: PATIENCE.elapsed * clean.seconds };
  return {
    mutants,
    killer: async (mutant) => killerIn(await mutated(folder, mutant, () => runJest(folder, [], limits))),
  };
}

/** Returns a mutant of a project's runtime as one of svcgen's file: the copy begins with a header. */
export function inSource(mutant: Mutant, project: string, svcgen: string): Mutant {
  const file = mutant.file.replace(RUNTIME.copy, RUNTIME.source);
  const [copy, source] = [join(project, mutant.file), join(svcgen, file)].map((path) =>
    readFileSync(path, 'utf8'),
  );
  const header = copy.length - source.length;
  return { ...mutant, file, start: mutant.start - header, end: mutant.end - header };
}
