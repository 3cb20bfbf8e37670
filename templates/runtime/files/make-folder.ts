import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with those above it, unless it is there. Node's recursive `mkdirSync` never returns where the system lets
 * nobody make a folder but names that as a missing one, as below /proc. Throws an error of the file system.
 */
export function makeFolder(path: string, mode?: number): void {
  const above = dirname(path);
  if (above !== path && present(above) !== 'folder') makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const found = present(path);
    if (found === 'folder') return;
    // Another process may have made it before, and removed it since.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && found === 'nothing')
      return makeFolder(path, mode);
    throw error;
  }
}

/** Returns what a path names. It looks once: other processes make folders and remove them meanwhile. */
function present(path: string): 'folder' | 'nothing' | 'other' {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'nothing';
    const target = found.isSymbolicLink() ? statSync(path) : found;
    return target.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'other';
  }
}
