import type { Connection } from './sqlite-driver';
import { storeError } from './sqlite-errors';

/**
 * Runs an action in one write transaction and returns its value after the commit. Whatever is thrown, nothing of it
 * stays. Throws StoreBusy when another process holds the write lock, and what `storeError` makes of other errors.
 */
export function transaction<T>(connection: Connection, action: () => T): T {
  let committing = false;
  try {
    connection.exec('BEGIN IMMEDIATE');
    const value = action();
    committing = true;
    connection.exec('COMMIT');
    return value;
  } catch (error) {
    rollback(connection);
    throw storeError(error, committing);
  }
}

function rollback(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // There is no transaction: it never began, or SQLite ended it itself on the error.
  }
}
