import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The most that a file of a project may hold, in bytes. */
export const MAX_FILE_SIZE = 256 * 1024;

/** Why a file cannot be used: the rest of a sentence that starts with its name. */
export class UnreadableFile extends Error {
  /** Whether there is nothing at the path. */
  get missing(): boolean {
    return this.message === MISSING;
  }
}

const MISSING = 'does not exist';

const REASONS: { [code: string]: string } = {
  ENOENT: MISSING,
  ENOTDIR: MISSING,
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
  ELOOP: 'cannot be read: its symbolic links form a loop',
  ENAMETOOLONG: 'cannot be read: the path is too long',
  ENXIO: 'is not a regular file',
};

/**
 * The text of a regular UTF-8 file, without a byte order mark. It never waits, whatever the path names.
 * Throws UnreadableFile.
 */
export function readTextFile(path: string): string {
  const bytes = readBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile('is not UTF-8 text');
  }
}

function readBytes(path: string): Buffer {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(descriptor).isFile()) throw new UnreadableFile('is not a regular file');
    return readBounded(descriptor);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile(reason(error));
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readBounded(descriptor: number): Buffer {
  const buffer = Buffer.alloc(MAX_FILE_SIZE + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, length);
    length += read;
    if (length > MAX_FILE_SIZE) throw new UnreadableFile(`is larger than ${MAX_FILE_SIZE / 1024} KiB`);
    if (read === 0) return buffer.subarray(0, length);
  }
}

/** What went wrong, without the path: messages name files relative to the project. */
export function reason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? `cannot be read (${code})`;
}
