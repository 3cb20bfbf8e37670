import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with those above it, unless it is there. Node's recursive `mkdirSync` never returns where the system lets
 * nobody make a folder but names that as a missing one, as below /proc. Throws an error of the file system.
 */
export function makeFolder(path: string, mode?: number): void {
  const above = dirname(path);
  if (above !== path && !isFolder(above)) makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (isFolder(path)) return;
    // Another process may have made it before, and removed it since.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && isGone(path)) return makeFolder(path, mode);
    throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isGone(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}
