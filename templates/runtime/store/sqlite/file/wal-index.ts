import { openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';

/** The first copy of the header, and its only version so far ("WAL-mode File Format", section 2.1). */
const HEADER_BYTES = 48;
const VERSION = 3_007_000;

/**
 * Opens the file in which the processes that share the database at `path` publish the end of its log. It must exist: a
 * connection is open. It is never closed, because that would release the locks of this process's connections.
 */
export function openWalIndex(path: string): number {
  return openSync(`${path}-shm`, 'r');
}

const header = Buffer.alloc(HEADER_BYTES);

/**
 * Returns the state of a database in WAL mode, from what `openWalIndex` returns, which all threads may share: two states
 * that are equal have no commit between them, whoever made it. It is undefined where it cannot be read, or where SQLite
 * writes an unknown format.
 *
 * SQLite writes the header through shared memory, but this reads it from the file. Both are the same bytes on the local file
 * systems of Linux and macOS, but not on every network file system.
 */
export function walState(file: number): string | undefined {
  try {
    const bytes = readSync(file, header, 0, HEADER_BYTES, 0);
    return bytes === HEADER_BYTES && version() === VERSION ? header.toString('latin1') : undefined;
  } catch {
    // SQLite's own reads decide what a failing disk still returns.
    return undefined;
  }
}

function version(): number {
  return endianness() === 'LE' ? header.readUInt32LE() : header.readUInt32BE();
}
