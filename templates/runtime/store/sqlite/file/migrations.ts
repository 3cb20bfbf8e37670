import { StoreRefused } from '../../store';
import type { Connection } from '../connection/driver';
import { transaction } from '../connection/transaction';

/**
 * The tables of entries. Keys are bytes; `indexes` numbers the indexes of kinds, and the fields of references among them.
 * A reference points to a unique entry of its target, so the entry exists as long as the reference.
 */
export const INDEXING = `
  CREATE TABLE indexes (
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (kind, name)
  );
  CREATE TABLE index_states (
    kind TEXT PRIMARY KEY,
    digest TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE fields (
    resource INTEGER NOT NULL,
    index_id INTEGER NOT NULL,
    key BLOB NOT NULL,
    PRIMARY KEY (resource, index_id, key)
  ) WITHOUT ROWID;
  CREATE INDEX fields_by_key ON fields (index_id, key, resource);
  CREATE TABLE uniques (
    index_id INTEGER NOT NULL,
    key BLOB NOT NULL,
    resource INTEGER NOT NULL,
    PRIMARY KEY (index_id, key)
  ) WITHOUT ROWID;
  CREATE INDEX uniques_by_resource ON uniques (resource);
  CREATE TABLE refs (
    resource INTEGER NOT NULL,
    index_id INTEGER NOT NULL,
    target_index INTEGER NOT NULL,
    target_key BLOB NOT NULL,
    PRIMARY KEY (resource, index_id, target_index, target_key),
    FOREIGN KEY (target_index, target_key) REFERENCES uniques (index_id, key)
  ) WITHOUT ROWID;
  CREATE INDEX refs_by_target ON refs (target_index, target_key);`;

/** `svcg`: identifies the database of a service to `file` and other programs. */
export const APPLICATION_ID = 0x73766367;

/**
 * The schema, one migration after the other; a database's `user_version` counts those it has. A migration that was
 * released never changes.
 *
 * `versions` has every API version that was ever stored of a kind. `resources.id` never comes back after a deletion:
 * it is the position of a page; neither does `events.position`, and `event_mark.pruned` is the last that was removed. The index by kind ends with it, as every index of SQLite does. Keys and values of labels are in the form of `escaped` (sql.ts).
 * `resources.position` is that of the event of the last write; null for a write without an event. `event_mark.file`
 * identifies the file of the database at its last start; null before there was one. `lost_positions` has ranges of
 * positions that restores left out.
 * A row of `cursors` without a consumer says that a service without events has had the database.
 * Times are in seconds since 1970 in `events`, in milliseconds elsewhere.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE kinds (
     id INTEGER PRIMARY KEY,
     name TEXT NOT NULL UNIQUE
   );
   CREATE TABLE versions (
     kind INTEGER NOT NULL,
     version TEXT NOT NULL,
     PRIMARY KEY (kind, version)
   ) WITHOUT ROWID;
   CREATE TABLE resources (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     kind INTEGER NOT NULL,
     uid TEXT NOT NULL UNIQUE,
     revision INTEGER NOT NULL,
     version TEXT NOT NULL,
     etag TEXT NOT NULL,
     kept TEXT,
     text TEXT NOT NULL
   );
   CREATE INDEX resources_by_kind ON resources (kind);
   CREATE TABLE labels (
     resource INTEGER NOT NULL,
     key TEXT NOT NULL,
     value TEXT NOT NULL,
     kind INTEGER NOT NULL,
     PRIMARY KEY (resource, key)
   ) WITHOUT ROWID;
   CREATE INDEX labels_by_value ON labels (kind, key, value, resource);
   CREATE TABLE snapshots (
     id INTEGER PRIMARY KEY,
     resource INTEGER NOT NULL,
     version_id TEXT NOT NULL,
     version TEXT NOT NULL,
     kept TEXT,
     text TEXT NOT NULL,
     UNIQUE (resource, version_id)
   );
   CREATE TABLE events (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL,
     type TEXT NOT NULL,
     kind INTEGER NOT NULL,
     uid TEXT NOT NULL,
     written_at INTEGER NOT NULL DEFAULT (unixepoch()),
     text TEXT NOT NULL
   );
   CREATE TABLE probe (written INTEGER NOT NULL);
   INSERT INTO probe VALUES (0);`,
  `CREATE TABLE event_mark (pruned INTEGER NOT NULL);
   INSERT INTO event_mark VALUES (0);
   CREATE TABLE cursors (
     consumer TEXT PRIMARY KEY,
     position INTEGER NOT NULL,
     owner TEXT NOT NULL,
     held_until INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE dead_letters (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     consumer TEXT NOT NULL,
     position INTEGER NOT NULL,
     attempts INTEGER NOT NULL,
     error TEXT NOT NULL,
     failed_at INTEGER NOT NULL,
     kind TEXT NOT NULL,
     text TEXT NOT NULL,
     UNIQUE (consumer, position)
   );`,
  'ALTER TABLE events ADD COLUMN kept TEXT;',
  'ALTER TABLE dead_letters ADD COLUMN kept TEXT;',
  INDEXING,
  `CREATE TABLE responses (
     key TEXT PRIMARY KEY,
     request TEXT NOT NULL,
     expires_at INTEGER NOT NULL,
     headers TEXT NOT NULL,
     text TEXT NOT NULL
   );
   CREATE INDEX responses_by_expiry ON responses (expires_at);`,
  'ALTER TABLE resources ADD COLUMN position TEXT;',
  `ALTER TABLE event_mark ADD COLUMN file TEXT;
   CREATE TABLE lost_positions (
     first INTEGER PRIMARY KEY,
     last INTEGER NOT NULL
   );`,
];

/** Returns the number of migrations of the database; 0 for a new one. */
export function schemaVersion(connection: Connection): number {
  return connection.prepare<{ user_version: number }>('PRAGMA user_version').get()?.user_version ?? 0;
}

/**
 * Brings the schema up to date in one transaction; of several processes that start together, one does it. Throws StoreBusy while
 * another process holds the write lock, StoreUnavailable, and StoreRefused for the database of a newer service.
 */
export function migrate(connection: Connection, path: string): void {
  if (schemaVersion(connection) === MIGRATIONS.length) return;
  transaction(connection, () => {
    // Read again under the lock: another process may have been faster, and it may be a newer service.
    const version = schemaVersion(connection);
    if (version > MIGRATIONS.length)
      throw new StoreRefused(`${path} was upgraded by a newer version of this service`);
    const missing = MIGRATIONS.slice(version);
    if (missing.length === 0) return;
    for (const migration of missing) connection.exec(migration);
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}
