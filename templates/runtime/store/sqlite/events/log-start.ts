import { statSync } from 'node:fs';
import { NOBODY } from '../../store';
import type { Connection } from '../connection/driver';
import { transaction } from '../connection/transaction';

/** Number of positions that are left out at least. It exceeds the number of events that a restore can undo. */
const LEFT_OUT = 1_000_000_000;

/**
 * Positions for each millisecond since 1970, which is more than any service gives. They have 15 digits, as many as a position
 * may have.
 */
const POSITIONS_PER_MS = 100;

/**
 * Leaves positions of events out if the database at `path` is in another file than before: a backup was restored. Events
 * may have been read that it does not contain, and without this, the next ones would get their positions. A copy or a
 * move to another file system looks the same, and loses nothing either. Throws StoreBusy and StoreUnavailable.
 */
export function noteFile(connection: Connection, path: string): void {
  const file = identityOf(path);
  const noted = connection.prepare<{ file: string | null }>('SELECT file FROM event_mark');
  if (noted.get()?.file === file) return;
  transaction(connection, () => {
    // Read again under the lock: another process that starts may have been faster.
    const before = noted.get()?.file;
    if (before === file) return;
    connection.prepare('UPDATE event_mark SET file = ?').run(file);
    // The database is new, or of a release that did not note its file.
    if (before === null) return;
    // By the time, because the same backup may be restored twice: what came after the first restore must be left out too.
    const last = `max(seq + ${LEFT_OUT}, ${Date.now() * POSITIONS_PER_MS})`;
    // A backup without events has no row yet, but the file that it replaces may have had some.
    connection.exec(
      `INSERT INTO sqlite_sequence SELECT 'events', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'events');
       INSERT INTO lost_positions SELECT seq + 1, ${last} FROM sqlite_sequence WHERE name = 'events';
       UPDATE sqlite_sequence SET seq = ${last} WHERE name = 'events'`,
    );
  });
}

/** Returns a string that no other file has. The number of a deleted file is used again, but not with its time of birth. */
function identityOf(path: string): string {
  const { ino, birthtimeNs } = statSync(path, { bigint: true });
  return `${ino}-${birthtimeNs}`;
}

/**
 * Begins a new log if a service without events has used the database meanwhile. Earlier positions become invalid, since
 * the log lacks changes after them. Throws StoreBusy and StoreUnavailable.
 */
export function beginAnew(connection: Connection): void {
  const unlogged = connection.prepare('SELECT 1 AS found FROM cursors WHERE consumer = ?');
  // An update takes the write lock even where it changes nothing.
  if (unlogged.get(NOBODY) === undefined) return;
  transaction(connection, () => {
    // Another process that starts may have been faster.
    if (connection.prepare('DELETE FROM cursors WHERE consumer = ?').run(NOBODY).changes === 0) return;
    const left = connection.prepare("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'events'").run();
    if (left.changes === 0) connection.exec("INSERT INTO sqlite_sequence (name, seq) VALUES ('events', 1)");
    connection.exec(
      `DELETE FROM events;
       UPDATE event_mark SET pruned = (SELECT seq FROM sqlite_sequence WHERE name = 'events')`,
    );
  });
}
