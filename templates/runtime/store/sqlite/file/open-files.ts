import { openSync, readSync, statSync } from 'node:fs';
import { endianness } from 'node:os';
import { StoreUnavailable } from '../../store';

/** Files of a database, by the ends of their names. */
const FILES: [suffix: string, name: string][] = [
  ['', 'the database file'],
  ['-wal', 'the log of the database (-wal)'],
  ['-shm', 'the index of the log (-shm)'],
];

/** The files that were opened for a database. Plain data: threads may share it. */
export interface Opened {
  files: { name: string; path: string; dev: bigint; ino: bigint }[];
  /** The result of `openWalIndex`. */
  walIndex: number;
}

/** Returns the present files of the database at `path`. A connection that has read must be open. */
export function noteOpened(path: string): Opened {
  const files = FILES.map(([suffix, name]) => {
    const { dev, ino } = statSync(path + suffix, { bigint: true });
    return { name, path: path + suffix, dev, ino };
  });
  return { files, walIndex: openWalIndex(path) };
}

/** The files of an open database: checks that they still have their names, and reads their state. */
export class OpenFiles {
  constructor(private readonly opened: Opened) {}

  /** Throws StoreUnavailable when a file was deleted or replaced: writes to it would be lost. */
  verify(): void {
    for (const { name, path, dev, ino } of this.opened.files) {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (found?.ino === ino && found.dev === dev) continue;
      throw new StoreUnavailable(`${name} was moved, deleted or replaced while the service runs`);
    }
  }

  /** Returns the state of the database now; undefined where it is unknown. */
  state(): string | undefined {
    return walState(this.opened.walIndex);
  }
}

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
