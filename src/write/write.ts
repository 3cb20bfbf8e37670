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
import { explainFileError } from './file-errors';
import type { OutputFile } from '../render/outputs';
import { isDone, isWorkFile, planTree, type TreePlan } from './tree-plan';
import { withLock } from './write-lock';

/**
 * Makes the project folder as rendered: writes what differs, removes what is no longer rendered. Every file is
 * staged and renamed, so that none is ever truncated and the next run completes an interrupted one. Throws
 * ProjectError, before anything is written, for what planTree finds; and when another svcgen is at work.
 */
export async function writeTree(
  root: string,
  files: OutputFile[],
  options: { first?: boolean } = {},
): Promise<TreePlan> {
  try {
    const plan = planTree(root, files, options);
    if (isDone(plan)) return plan;
    return await withLock(root, () => {
      const current = planTree(root, files, options);
      apply(root, current);
      return current;
    });
  } catch (error) {
    throw explainFileError(error);
  }
}

/** What writeTree would do. Throws the same problems and writes nothing. */
export function compareTree(root: string, files: OutputFile[]): TreePlan {
  try {
    return planTree(root, files);
  } catch (error) {
    throw explainFileError(error);
  }
}

/** Replaces one file of the project, or creates it, with the text that `edit` gives while no other svcgen is at work. */
export async function rewriteFile(root: string, path: string, edit: () => string): Promise<void> {
  try {
    await withLock(root, () => replace(root, [{ path, text: edit() }]));
  } catch (error) {
    throw explainFileError(error);
  }
}

function apply(root: string, { changes, emptyFolders }: TreePlan): void {
  replace(
    root,
    changes.filter(({ action }) => action === 'create' || action === 'update'),
  );
  for (const { path, action } of changes) if (action === 'delete') rmSync(join(root, path));
  for (const folder of emptyFolders) rmdirSync(join(root, folder));
}

/** All of the new texts are on the disk before the first one takes its place. */
function replace(root: string, files: { path: string; text: string }[]): void {
  removeLeftovers(root);
  const staging = join(root, '.svcgen', `staging-${process.pid}`);
  mkdirSync(staging);
  try {
    files.forEach(({ path, text }, index) => {
      const staged = join(staging, String(index));
      const mode = statSync(join(root, path), { throwIfNoEntry: false })?.mode;
      writeFileSync(staged, text);
      if (mode !== undefined) chmodSync(staged, mode);
    });
    files.forEach(({ path }, index) => {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      renameSync(join(staging, String(index)), join(root, path));
    });
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** What interrupted runs left; the lock itself is ours. */
function removeLeftovers(root: string): void {
  for (const name of readdirSync(join(root, '.svcgen'))) {
    const path = `.svcgen/${name}`;
    if (isWorkFile(path) && name !== 'lock') rmSync(join(root, path), { recursive: true });
  }
}
