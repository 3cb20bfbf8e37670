import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The most that a file may hold that configures something, in bytes. */
export const MAX_FILE_SIZE = 256 * KIB;

/** Why a file cannot be used: the rest of a sentence that starts with its name. */
export class UnreadableFile extends Error {
  /** True where nothing is at the path. */
  get missing(): boolean {
    return this.message === MISSING;
  }
}

const MISSING = 'does not exist';
const IRREGULAR = 'is not a regular file';

const REASONS: { [code: string]: string } = {
  ENOENT: MISSING,
  ENOTDIR: MISSING,
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
  ELOOP: 'cannot be read: its symbolic links form a loop',
  ENAMETOOLONG: 'cannot be read: the path is too long',
  ENXIO: IRREGULAR,
};

/**
 * Returns the bytes of a regular file: a pipe or device never makes the program wait, and no file more than it should
 * hold. `check` may refuse the file, once it is open. Throws UnreadableFile.
 */
export function readRegularFile(path: string, limit = MAX_FILE_SIZE, check?: () => void): Buffer {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new UnreadableFile(IRREGULAR);
    check?.();
    return readBounded(descriptor, limit, found.size);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile(reason(error));
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A file may grow while it is read, and files of the system have no size. */
function readBounded(descriptor: number, limit: number, size: number): Buffer {
  const tooLarge = new UnreadableFile(`is larger than ${shownSize(limit)}`);
  if (size > limit) throw tooLarge;
  let buffer = Buffer.alloc(Math.max(size + 1, 4096));
  for (let length = 0; ;) {
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(length)]);
    const read = readSync(descriptor, buffer, length, buffer.length - length, length);
    length += read;
    if (length > limit) throw tooLarge;
    if (read === 0) return buffer.subarray(0, length);
  }
}

function shownSize(bytes: number): string {
  return bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`;
}

/** Returns the reason of an error without the path, which the reader knows by another name. */
export function reason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? `cannot be read (${code})`;
}

/** Returns UTF-8 bytes as text, without a byte order mark unless it is kept. Throws UnreadableFile. */
export function decodeText(bytes: Uint8Array, withMark = false): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: withMark }).decode(bytes);
  } catch {
    throw new UnreadableFile('is not UTF-8 text');
  }
}
