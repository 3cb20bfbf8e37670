import { NOBODY } from '../../store';
import type { Connection } from '../connection/driver';
import { transaction } from '../connection/transaction';

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
