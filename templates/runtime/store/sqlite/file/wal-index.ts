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

/**
 * Reads the states of a database in WAL mode: two states that are equal have no commit between them, whoever made it. It
 * takes what `openWalIndex` returns, which all threads may share.
 *
 * SQLite writes the header through memory that it shares, and here it is read from the file: both are the same bytes on
 * the local file systems of Linux and macOS, but not on every network file system.
 */
export class WalIndex {
  readonly #header = Buffer.alloc(HEADER_BYTES);

  constructor(private readonly file: number) {}

  /** Returns the state now; undefined where it cannot be read, or where SQLite writes an unknown format. */
  state(): string | undefined {
    try {
      const bytes = readSync(this.file, this.#header, 0, HEADER_BYTES, 0);
      return bytes === HEADER_BYTES && uint32(this.#header, 0) === VERSION
        ? this.#header.toString('latin1')
        : undefined;
    } catch {
      // SQLite's own reads decide what a failing disk still returns.
      return undefined;
    }
  }
}

function uint32(bytes: Buffer, offset: number): number {
  return endianness() === 'LE' ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset);
}
