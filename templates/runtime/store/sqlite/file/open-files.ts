import { statSync } from 'node:fs';
import { StoreUnavailable } from '../../store';
import { openWalIndex, walState } from './wal-index';

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
