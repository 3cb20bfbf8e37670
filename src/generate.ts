import { loadProject } from './load-project';
import type { Project } from './model';
import type { OutputFile } from './outputs';
import type { Problem } from './problem';
import type { Progress } from './progress';
import { render } from './render';
import type { FileChange } from './tree-plan';
import { compareTree, writeTree } from './write';

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
}

/** Loads, renders and writes the project in the folder. Throws ProjectError; then nothing is written. */
export async function generate(
  folder: string,
  options: GenerateOptions,
  progress: Progress,
): Promise<Generation> {
  progress.step('reading project.yaml');
  const { project } = loadProject(folder);
  const { files, warnings } = renderProject(project, options.force, progress);
  progress.step(options.write ? 'writing' : 'comparing');
  const { changes } = options.write ? await writeTree(folder, files) : compareTree(folder, files);
  return { changes, warnings };
}

/** The files of the project. Throws ProjectError for a change to a stable version that is not acknowledged. */
export function renderProject(
  project: Project,
  _force: boolean,
  progress: Progress,
): { files: OutputFile[]; warnings: Problem[] } {
  // The stability lock joins here: compare with svcgen.lock, refuse or warn, and add the new svcgen.lock to the files.
  return { files: render(project, (path) => progress.step(`rendering ${path}`)), warnings: [] };
}
