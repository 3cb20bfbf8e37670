import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import {
  decodeText,
  readRegularFile,
  reason,
  UnreadableFile,
} from '../../templates/runtime/files/regular-file';

export { decodeText, reason, UnreadableFile };

/** The most that a file may hold that svcgen itself wrote, in bytes: svcgen.lock, the cache, openapi.json. */
export const MAX_GENERATED_SIZE = 64 * 1024 * 1024;

/** The options of reading a file. */
interface Reading {
  /** The most that it may hold, in bytes; MAX_FILE_SIZE by default. */
  limit?: number;
  /** The folder that the file must really be in: a link that leaves it is refused. */
  within?: string;
  /** True to preserve a byte order mark, for a file that is written back. */
  withMark?: boolean;
}

/**
 * Returns the text of a regular UTF-8 file. Every file that a user or a repository can place is
 * read here: a pipe or device never makes svcgen wait, and no file more than it should hold. Throws UnreadableFile.
 */
export function readTextFile(path: string, reading: Reading = {}): string {
  return decodeText(readFile(path, reading), reading.withMark);
}

/** Returns the text of a file; undefined where there is none. Throws UnreadableFile. */
export function readIfThere(path: string, reading: Reading = {}): string | undefined {
  try {
    return readTextFile(path, reading);
  } catch (error) {
    if (error instanceof UnreadableFile && error.missing) return undefined;
    throw error;
  }
}

/** Returns what `read` returns, or what `otherwise` does where it throws UnreadableFile. */
export function tryRead<T, U>(read: () => T, otherwise: (error: UnreadableFile) => U): T | U {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return otherwise(error);
  }
}

/** Returns the bytes of a regular file. Throws UnreadableFile. */
export function readFile(path: string, { limit, within }: Reading): Buffer {
  return readRegularFile(path, limit, () => {
    if (within !== undefined) requireWithin(within, path);
  });
}

/** Throws UnreadableFile when the path leads to a file outside of the folder. */
function requireWithin(folder: string, path: string): void {
  if (leaves(realpathSync(folder), realpathSync(path))) throw new UnreadableFile('leaves the project folder');
}

/** Returns true for a path outside of a folder; links are not followed. */
export function leaves(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return isAbsolute(steps) || steps.split(sep)[0] === '..';
}
