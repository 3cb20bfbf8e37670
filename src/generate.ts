import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkConversions } from './conversions';
import { explainFileError } from './write/file-errors';
import { loadProject, type LoadedProject } from './load/load-project';
import type { OutputFile } from './render/outputs';
import type { Problem } from './problem';
import type { Progress } from './cli/progress';
import { render } from './render/render';
import { checkStability, LOCK_FILE, lockText } from './stability';
import type { FileChange } from './write/tree-plan';
import { compareTree, writeTree } from './write/write';

/** How a project is generated. */
export interface GenerateOptions {
  /** Whether to write; otherwise the disk is only compared. */
  write: boolean;
  /** Whether a change to a stable version is acknowledged. */
  force: boolean;
}

/** What came of it. */
export interface Generation {
  /** What happened to each file, or would happen; ordered by path. */
  changes: FileChange[];
  /** What the user should know, though nothing is wrong. */
  warnings: Problem[];
  /** Fields that only one version has: a rename may be forgotten. */
  notices: string[];
}

/** Loads, renders and writes the project in the folder. Throws ProjectError; then nothing is written. */
export async function generate(
  folder: string,
  options: GenerateOptions,
  progress: Progress,
): Promise<Generation> {
  progress.step('reading project.yaml');
  const { files, warnings, notices } = renderProject(
    loadProject(folder),
    readLock(folder),
    options.force,
    progress,
  );
  progress.step(options.write ? 'writing' : 'comparing');
  const { changes } = options.write ? await writeTree(folder, files) : compareTree(folder, files);
  return { changes, warnings, notices };
}

/** What a project is rendered to. */
export interface Rendering {
  files: OutputFile[];
  warnings: Problem[];
  notices: string[];
}

/**
 * The files of the project, svcgen.lock among them. `lock` is the text of the one on disk. Throws ProjectError for a
 * change to a stable version that is not acknowledged.
 */
export function renderProject(
  loaded: LoadedProject,
  lock: string | undefined,
  force: boolean,
  progress: Progress,
): Rendering {
  const notices = checkConversions(loaded);
  const warnings = checkStability(loaded, lock, force);
  const files = render(loaded.project, (path) => progress.step(`rendering ${path}`));
  return {
    files: [...files, { path: LOCK_FILE, text: lockText(loaded.project), owner: 'svcgen' }],
    warnings,
    notices,
  };
}

function readLock(folder: string): string | undefined {
  try {
    const path = join(folder, LOCK_FILE);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  } catch (error) {
    throw explainFileError(error);
  }
}
