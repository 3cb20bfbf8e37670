import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../templates/runtime/files/make-folder';
import { explainFileError } from '../files/file-errors';
import type { OutputFile } from '../files/ownership';
import { PROJECT_FILE, ProjectError } from '../model/problem';
import { DiskView } from './disk-view';
import { CACHE_FILE, isDone, isWorkFile, planTree, type TreePlan } from './tree-plan';
import { withLock } from './write-lock';

/** Thrown where what was rendered is no longer what the project asks for; nothing is written then. */
export class Outdated extends Error {}

/** The options of writing a project folder. */
interface WriteOptions {
  /** True where svcgen never wrote there. */
  first?: boolean;
  /** Returns false where the files were rendered from something that has changed since. Called when nobody else writes. */
  isCurrent?: () => boolean;
  /** Returns the text of the cache. Called after all other texts were read. */
  cache?: () => string;
}

/**
 * Makes the project folder equal to the rendered files: writes those that differ, and removes those that are no
 * longer rendered. Every file is staged and renamed, so that none is ever truncated and the next run completes an
 * interrupted one. Throws ProjectError, before anything is written, for what planTree finds; and when another svcgen is
 * at work. Throws Outdated where `isCurrent` returns false.
 */
export async function writeTree(
  root: string,
  files: OutputFile[],
  { first, isCurrent = () => true, cache }: WriteOptions = {},
): Promise<TreePlan> {
  try {
    return await withLock(root, () => {
      if (!isCurrent()) throw new Outdated();
      const plan = planTree(root, files, { first });
      apply(root, plan, cache);
      return plan;
    });
  } catch (error) {
    const refused = explainFileError(error, root);
    if (!(refused instanceof ProjectError)) throw error;
    // A folder that may not be written is as good as any if all is there; else the plan says best what is in the way.
    const plan = readPlan(root, files, { first });
    if (!isDone(plan)) throw refused;
    return plan;
  }
}

/**
 * Returns what writeTree would do, and writes nothing. Throws the same problems, except for folders without permission to
 * write.
 */
export function compareTree(root: string, files: OutputFile[]): TreePlan {
  return readPlan(root, files, { writes: false });
}

function readPlan(...plan: Parameters<typeof planTree>): TreePlan {
  try {
    return planTree(...plan);
  } catch (error) {
    throw explainFileError(error);
  }
}

/** Replaces or creates project.yaml with the text that `edit` returns. No other svcgen writes meanwhile. */
export async function rewriteProject(root: string, edit: () => string): Promise<void> {
  try {
    await withLock(root, () => replace(root, [{ path: PROJECT_FILE, text: edit() }]));
  } catch (error) {
    throw explainFileError(error, root);
  }
}

/**
 * Writes files into a folder in their order; each is staged and renamed as in a project. Throws ProjectError, before
 * anything is written, for links, folders and other things in their places.
 */
export async function writeFiles(root: string, files: Pick<OutputFile, 'path' | 'text'>[]): Promise<void> {
  try {
    const disk = new DiskView(root);
    for (const { path } of files) disk.fileSize(path);
    if (disk.problems.size > 0) throw new ProjectError([...disk.problems.values()]);
    await withLock(root, () => replace(root, files));
  } catch (error) {
    throw explainFileError(error, root);
  }
}

function apply(root: string, { changes, emptyFolders }: TreePlan, cache: WriteOptions['cache']): void {
  const changed = changes.filter(({ action }) => action === 'create' || action === 'update');
  replace(root, changed, cache);
  for (const { path, action } of changes) if (action === 'delete') rmSync(join(root, path));
  for (const folder of emptyFolders) rmdirSync(join(root, folder));
}

/** Writes all new texts to the disk before it moves the first one into place. The cache is the last of them. */
function replace(root: string, files: { path: string; text: string }[], cache?: () => string): void {
  removeLeftovers(root);
  const staging = join(root, '.svcgen', `staging-${process.pid}`);
  const staged: [place: string, path: string][] = [];
  const stage = (path: string, text: string): void => {
    const place = join(staging, String(staged.length));
    const mode = statSync(join(root, path), { throwIfNoEntry: false })?.mode;
    writeFileSync(place, text);
    if (mode !== undefined) chmodSync(place, mode);
    staged.push([place, path]);
  };
  mkdirSync(staging);
  try {
    for (const { path, text } of files) stage(path, text);
    if (cache !== undefined) stage(CACHE_FILE, cache());
    for (const [place, path] of staged) {
      makeFolder(join(root, dirname(path)));
      renameSync(place, join(root, path));
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Removes the leftovers of interrupted runs; the lock itself is ours. Others that ask for the lock remove theirs meanwhile. */
function removeLeftovers(root: string): void {
  for (const name of readdirSync(join(root, '.svcgen'))) {
    const path = `.svcgen/${name}`;
    if (isWorkFile(path) && name !== 'lock') rmSync(join(root, path), { recursive: true, force: true });
  }
}
