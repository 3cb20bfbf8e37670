import { accessSync, constants, existsSync, lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Problem } from '../model/problem';

/**
 * A project folder as svcgen may write to it: links are never followed below `root`. What stands in the way is
 * collected in `problems`, one for each path.
 */
export class DiskView {
  readonly problems = new Map<string, Problem>();
  private readonly folders = new Map<string, boolean>();
  private readonly writable = new Set<string>();

  constructor(readonly root: string) {}

  /** Where a path of the project is in the file system. */
  resolve(path: string): string {
    return join(this.root, path);
  }

  /** Returns true for a folder, all the way from the root; anything else in its place is a problem. */
  hasFolder(path: string): boolean {
    let known = this.folders.get(path);
    if (known === undefined) {
      known = path === '.' ? this.isFolder(path) : this.hasFolder(dirname(path)) && this.isFolder(path);
      this.folders.set(path, known);
    }
    return known;
  }

  private isFolder(path: string): boolean {
    const found = path === '.' ? statSync(this.root, { throwIfNoEntry: false }) : this.stat(path);
    if (!found || found.isDirectory()) return found !== undefined;
    if (found.isSymbolicLink()) this.report(path, 'is a symbolic link; svcgen writes only into real folders');
    else this.report(path, 'is not a folder');
    return false;
  }

  /** The size of the regular file at the path, in bytes; undefined if nothing is there. Anything else is a problem. */
  fileSize(path: string): number | undefined {
    if (!this.hasFolder(dirname(path))) return undefined;
    const found = this.stat(path);
    if (!found || found.isFile()) return found?.size;
    if (found.isSymbolicLink()) this.report(path, 'is a symbolic link; svcgen does not write through it');
    else
      this.report(
        path,
        found.isDirectory() ? 'is a folder, svcgen writes a file there' : 'is not a regular file',
      );
    return undefined;
  }

  /** Returns true where anything can stand for a user-owned file; a folder is a problem. */
  hasUserFile(path: string): boolean {
    const place = this.resolve(path);
    if (!existsSync(place)) return this.hasFolder(dirname(path)) && this.stat(path) !== undefined;
    if (statSync(place).isDirectory()) this.report(path, 'is a folder, svcgen writes a file there');
    return true;
  }

  /** A folder, or the nearest one above it that exists, must let files be made in it. */
  requireWritable(folder: string): void {
    if (this.writable.has(folder)) return;
    this.writable.add(folder);
    if (folder !== '.' && !this.hasFolder(folder)) return this.requireWritable(dirname(folder));
    try {
      if (this.hasFolder(folder)) accessSync(this.resolve(folder), constants.W_OK | constants.X_OK);
    } catch {
      const hint = 'make it writable, then run svcgen again';
      this.report(folder === '.' ? this.root : folder, 'is read-only', hint);
    }
  }

  /** Notes a problem; the first one of a path counts. */
  report(path: string, message: string, hint = 'move it away, then run svcgen again'): void {
    if (!this.problems.has(path)) this.problems.set(path, { file: path, message, hint });
  }

  private stat(path: string): Stats | undefined {
    return lstatSync(this.resolve(path), { throwIfNoEntry: false });
  }
}
