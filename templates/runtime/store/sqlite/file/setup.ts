import { NOBODY, StoreRefused } from '../../store';
import type { Connection } from '../connection/driver';
import { guard } from '../connection/errors';
import { IN_MEMORY } from './database-file';

/** Number of pages of 4 KiB in the log before it is moved into the file. A page that changed often is moved once. */
const LOG_PAGES = 4000;

/**
 * Configures a connection so that readers do not wait for writers, and its commits survive a power loss. Throws
 * StoreRefused where that is impossible.
 */
export function makeDurable(connection: Connection, path: string): void {
  guard(() => {
    const mode = connection
      .prepare<{ journal_mode: string }>('PRAGMA journal_mode = WAL')
      .get()?.journal_mode;
    connection.exec(
      `PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${LOG_PAGES}`,
    );
    const synchronous = connection.prepare<{ synchronous: number }>('PRAGMA synchronous').get()?.synchronous;
    if (path === IN_MEMORY || (mode === 'wal' && synchronous === 2)) return;
    throw new StoreRefused(
      `${path} cannot be written durably (journal_mode ${mode}, synchronous ${synchronous}). ` +
        'A file on a network file system is the usual cause; let DATABASE_URL name one on a local disk',
    );
  });
}

/**
 * Makes the log of events count as incomplete: a service without events is about to write resources and no events. Throws
 * StoreBusy and StoreUnavailable.
 */
export function invalidateLog(connection: Connection): void {
  guard(() => {
    // An insertion takes the write lock even where it changes nothing.
    if (connection.prepare('SELECT 1 FROM cursors WHERE consumer = ?').get(NOBODY) !== undefined) return;
    const note = "INSERT OR IGNORE INTO cursors (consumer, position, owner, held_until) VALUES (?, 0, '', 0)";
    connection.prepare(note).run(NOBODY);
  });
}

/**
 * Makes all entries of indexes count as outdated: a service without indexes is about to write resources and not their
 * entries. Throws StoreBusy and StoreUnavailable.
 */
export function invalidateIndexes(connection: Connection): void {
  guard(() => {
    // An update takes the write lock even where it changes nothing.
    if (connection.prepare("SELECT 1 FROM index_states WHERE digest <> ''").get() === undefined) return;
    connection.exec("UPDATE index_states SET digest = ''");
  });
}
