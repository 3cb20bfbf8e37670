import type { Connection } from './driver';
import { storeError } from './errors';

/**
 * Runs an action in one write transaction and returns its value after the end; an error rolls everything back.
 * Throws StoreBusy when another process holds the write lock, and other errors as `storeError` returns them.
 */
export function transaction<T>(
  connection: Connection,
  action: () => T,
  end: 'COMMIT' | 'ROLLBACK' = 'COMMIT',
): T {
  let committing = false;
  try {
    connection.exec('BEGIN IMMEDIATE');
    const value = action();
    committing = true;
    connection.exec(end);
    return value;
  } catch (error) {
    rollback(connection);
    throw storeError(error, committing);
  }
}

/** Undoes the transaction of a connection, if there is one. */
export function rollback(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // It never began, has ended, or SQLite ended it itself on an error.
  }
}
