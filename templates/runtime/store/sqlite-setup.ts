import { migrate, MIGRATIONS, schemaVersion } from './migrations';
import type { Connection } from './sqlite-driver';
import { storeError } from './sqlite-errors';
import { StoreRefused } from './store';

/** How many pages of 4 KiB the log has before it is moved into the file. A page that changed often is moved once. */
const LOG_PAGES = 4000;

/**
 * Lets readers of this database not wait for its writers, and the commits of this connection survive a power loss.
 * Throws StoreRefused where that is not to be had.
 */
export function makeDurable(connection: Connection, path: string): void {
  try {
    const mode = connection
      .prepare<{ journal_mode: string }>('PRAGMA journal_mode = WAL')
      .get()?.journal_mode;
    connection.exec(`PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    const synchronous = connection.prepare<{ synchronous: number }>('PRAGMA synchronous').get()?.synchronous;
    if (path === ':memory:' || (mode === 'wal' && synchronous === 2)) return;
    throw new StoreRefused(
      `${path} cannot be written durably (journal_mode ${mode}, synchronous ${synchronous}). ` +
        'A file on a network file system is the usual cause; let DATABASE_URL name one on a local disk',
    );
  } catch (error) {
    throw storeError(error);
  }
}

/** Brings the schema up to date. Throws StoreBusy, StoreUnavailable, and StoreRefused for the database of a newer service. */
export function setUpSchema(connection: Connection, path: string): void {
  migrate(connection);
  if (schemaVersion(connection) !== MIGRATIONS.length)
    throw new StoreRefused(`${path} was upgraded by a newer version of this service`);
}
