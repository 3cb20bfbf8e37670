import { join } from 'node:path';
import { MAX_GENERATED_SIZE, readIfThere } from '../files/text-file';
import { lackingCommands } from '../render/features/commands';
import { unusableManifest } from '../render/features/manifest';
import { lackingPackages } from '../render/features/packages';
import { isDone } from '../write/tree-plan';
import { compareTree, Outdated } from '../write/write';
import { type Inputs, isSameInput, type LastRun, readInputs, readLastRun } from './last-run';
import type { GenerateOptions, Generation } from './pipeline';
import { staleImports } from './stale-imports';

/**
 * Generates the project in a folder, again where another program changes its sources meanwhile. Throws ProjectError; then
 * nothing is written.
 */
export async function generate(folder: string, options: GenerateOptions): Promise<Generation> {
  for (;;) {
    try {
      return await attempt(folder, options);
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
    }
  }
}

async function attempt(folder: string, options: GenerateOptions): Promise<Generation> {
  options.progress.step('reading project.yaml');
  const inputs = readInputs(folder);
  const last = readLastRun(folder);
  if (options.write && last !== undefined) {
    const unchanged = sameAgain(folder, inputs, last);
    if (unchanged !== undefined) return advised(folder, unchanged, last);
  }
  // Loaded here: most of the time of a run in which nothing changed would be spent on it.
  const { run } = await import('./pipeline');
  const { packages, commands, ...generation } = await run(folder, inputs, options, last);
  return advised(folder, generation, { packages, commands });
}

/** Returns the result of the last run where nothing has changed since, in the project and on the disk. */
function sameAgain(folder: string, inputs: Inputs, last: LastRun): Generation | undefined {
  if (!isSameInput(folder, inputs, last)) return undefined;
  const files = last.files.map((file) => ({ ...file, text: '' }));
  const plan = compareTree(folder, files);
  return isDone(plan) ? { changes: plan.changes, warnings: [], notices: [] } : undefined;
}

/** Adds warnings about imports that reach into the generated code, and notices of missing packages and commands. */
function advised(
  folder: string,
  generation: Generation,
  { packages, commands }: Pick<LastRun, 'packages' | 'commands'>,
): Generation {
  const { changes, warnings, notices } = generation;
  // An unchanged file may have no text here: it was not rendered.
  const read = (path: string): string | undefined =>
    changes.find((change) => change.path === path)?.text ||
    readIfThere(join(folder, path), { limit: MAX_GENERATED_SIZE });
  return {
    changes,
    warnings: [...warnings, ...staleImports(folder, read)],
    notices: [
      ...notices,
      ...unusableManifest(folder),
      ...lackingPackages(folder, packages),
      ...lackingCommands(folder, commands),
    ],
  };
}
