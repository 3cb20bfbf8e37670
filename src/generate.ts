import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cache, cacheText, readCache } from './cache/cache';
import { inputsDigest, readImports } from './cache/inputs';
import type { Progress } from './cli/progress';
import { readProjectFile } from './load/project-file';
import type { Problem } from './problem';
import { LOCK_FILE } from './stability';
import { explainFileError } from './write/file-errors';
import { type FileChange, isDone } from './write/tree-plan';
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

/**
 * Loads, renders and writes the project in the folder. Throws ProjectError; then nothing is written. To write takes
 * no longer than it must: what the run before has left is made use of. To compare relies on nothing but the project.
 */
export async function generate(
  folder: string,
  { write, force }: GenerateOptions,
  progress: Progress,
): Promise<Generation> {
  progress.step('reading project.yaml');
  const text = readProjectFile(folder);
  const lock = readLock(folder);
  const cache = write ? readCache(folder) : undefined;
  const unchanged = cache && sameAgain(folder, text, lock, cache);
  if (unchanged !== undefined) return unchanged;

  // Loaded here, since most of the time of a run in which nothing changed would be spent on it.
  const { loadProject } = await import('./load/load-project');
  const { cacheOf, renderProject } = await import('./rendering');
  const loaded = loadProject(folder, text, cache?.kinds);
  const rendering = renderProject(loaded, lock, force, progress, cache && { cache, folder });
  progress.step(write ? 'writing' : 'comparing');
  const { files, warnings } = rendering;
  const notices = Object.values(rendering.notices).flat();
  const next = (): string => cacheText(cacheOf(text, loaded, rendering));
  const { changes } = write ? await writeTree(folder, files, { cache: next }) : compareTree(folder, files);
  return { changes, warnings, notices };
}

/** The outcome if nothing was changed since the run that left the cache; else undefined. */
function sameAgain(
  folder: string,
  text: string,
  lock: string | undefined,
  { inputs, imports, notices, files }: Cache,
): Generation | undefined {
  const imported = readImports(folder, imports);
  if (imported === undefined || inputsDigest(text, lock, imported) !== inputs) return undefined;
  const plan = compareTree(
    folder,
    files.map((file) => ({ ...file, text: '' })),
  );
  return isDone(plan)
    ? { changes: plan.changes, warnings: [], notices: Object.values(notices).flat() }
    : undefined;
}

function readLock(folder: string): string | undefined {
  try {
    const path = join(folder, LOCK_FILE);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  } catch (error) {
    throw explainFileError(error);
  }
}
