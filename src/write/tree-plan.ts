import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { digestOf } from '../files/digest';
import { isGenerated, type OutputFile, OWNED_FOLDERS } from '../files/ownership';
import { MAX_GENERATED_SIZE } from '../files/text-file';
import { ProjectError } from '../model/problem';
import { DiskView } from './disk-view';

/** The change of a file, as `--dry-run` and `--json` name it. */
export type Action = 'create' | 'update' | 'unchanged' | 'delete';

/** One file of the tree, and its change. */
export interface FileChange {
  /** Relative to the project folder, with `/`. */
  path: string;
  action: Action;
  owner: OutputFile['owner'];
  /** The new text; empty for a deletion. */
  readonly text: string;
}

/** The difference between what is on the disk and what svcgen renders. */
export interface TreePlan {
  /** Ordered by path. */
  changes: FileChange[];
  /** Folders of svcgen that will be empty, the deepest first. */
  emptyFolders: string[];
  /** True where an interrupted run left something in `.svcgen`. */
  interrupted: boolean;
}

/** The results of the last run. They are no part of the project. */
export const CACHE_FILE = '.svcgen/cache';

/** Returns true for a working file of svcgen, which is there only while it writes. */
export function isWorkFile(path: string): boolean {
  return /^\.svcgen\/(lock|staging)(-\d+)?$/.test(path);
}

/**
 * Compares the files with the project folder `root`, which need not exist; reads only. `first` says that svcgen
 * never wrote there, so that a file in the place of a generated one is someone else's; `writes`, that the plan is to
 * be carried out. Throws ProjectError, with
 * every problem at once, for what stands in the way: links, folders, foreign files, missing permissions.
 */
export function planTree(root: string, files: OutputFile[], { first = false, writes = true } = {}): TreePlan {
  const disk = new DiskView(root);
  const changes = files.map((file) => changeOf(file, compare(disk, file, first)));
  const wanted = new Set(files.map(({ path }) => path));
  const found = OWNED_FOLDERS.flatMap((folder) => contents(disk, folder));
  for (const { path, kind } of found) {
    if (kind === 'file' && !wanted.has(path)) changes.push(deletion(disk, path));
  }
  for (const { path, action } of changes)
    if (writes && action !== 'unchanged') disk.requireWritable(dirname(path));
  if (disk.problems.size > 0) throw new ProjectError([...disk.problems.values()]);
  const others = found.flatMap(({ path, kind }) => (kind === 'hidden' ? [path] : []));
  const needed = new Set(['.svcgen', ...[...wanted, ...others].flatMap(parents)]);
  return {
    changes: changes.sort((a, b) => (a.path < b.path ? -1 : 1)),
    emptyFolders: found
      .flatMap(({ path, kind }) => (kind === 'folder' && !needed.has(path) ? [path] : []))
      .reverse(),
    interrupted: found.some(({ kind }) => kind === 'work'),
  };
}

/** Returns true where the disk is as planned already. */
export function isDone({ changes, emptyFolders, interrupted }: TreePlan): boolean {
  return !interrupted && emptyFolders.length === 0 && changes.every(({ action }) => action === 'unchanged');
}

/** The text stays where it is until it is asked for: of a file that is as it should be, it never is. */
function changeOf(file: OutputFile, action: Action): FileChange {
  const { path, owner } = file;
  return {
    ...{ path, action, owner },
    get text() {
      return file.text;
    },
  };
}

function compare(disk: DiskView, file: OutputFile, first: boolean): Action {
  const { path, owner } = file;
  if (owner === 'user' && disk.hasUserFile(path)) return 'unchanged';
  const size = disk.fileSize(path);
  if (size === undefined) return 'create';
  if (holds(disk.resolve(path), size, file)) return 'unchanged';
  if (first && size > 0) requireHeader(disk, path);
  return 'update';
}

/** Returns true where the file at the place, of that size, has the text. */
function holds(place: string, size: number, file: OutputFile): boolean {
  if (size > MAX_GENERATED_SIZE) return false;
  if (file.digest !== undefined) return digestOf(readFileSync(place)) === file.digest;
  const bytes = file.bytes ?? Buffer.from(file.text);
  return size === bytes.length && readFileSync(place).equals(bytes);
}

function deletion(disk: DiskView, path: string): FileChange {
  if (disk.fileSize(path) !== undefined) requireHeader(disk, path);
  return { path, action: 'delete', owner: 'svcgen', text: '' };
}

function requireHeader(disk: DiskView, path: string): void {
  if (!isGenerated(disk.resolve(path)))
    disk.report(path, 'was not written by svcgen, but is in a generated folder');
}

interface Found {
  path: string;
  /** `hidden`: of an editor or the system, which put such files next to those that somebody opens. */
  kind: 'file' | 'folder' | 'work' | 'hidden';
}

/** A folder of svcgen with everything below it; a folder comes before what it holds. */
function contents(disk: DiskView, folder: string): Found[] {
  if (!disk.hasFolder(folder)) return [];
  const entries = readdirSync(disk.resolve(folder), { withFileTypes: true });
  const below = entries.flatMap((entry): Found[] => {
    const path = `${folder}/${entry.name}`;
    if (isWorkFile(path)) return [{ path, kind: 'work' }];
    if (path === CACHE_FILE) {
      // Reports what is no file.
      disk.fileSize(path);
      return [];
    }
    if (entry.name.startsWith('.')) return [{ path, kind: 'hidden' }];
    return entry.isDirectory() ? contents(disk, path) : [{ path, kind: 'file' }];
  });
  return [{ path: folder, kind: 'folder' }, ...below];
}

/** `a/b/c.ts` → `a`, `a/b`. */
function parents(path: string): string[] {
  const steps = path.split('/');
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('/'));
}
