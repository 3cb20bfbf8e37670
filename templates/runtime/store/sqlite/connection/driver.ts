import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';

/** A value of a parameter or a column. */
export type SqlValue = string | number | Uint8Array | null;

/** A row as an object of its columns. */
export interface Row {
  [column: string]: SqlValue;
}

/** A prepared statement; `R` is the shape of its rows, which the author of the SQL knows. */
export interface Statement<R = Row> {
  run(...parameters: SqlValue[]): { changes: number; lastInsertRowid: number };
  get(...parameters: SqlValue[]): R | undefined;
  all(...parameters: SqlValue[]): R[];
  /** Returns rows as arrays of their columns. The first versions of `node:sqlite` do not have it. */
  setReturnArrays?(enabled: boolean): void;
}

/** A synchronous connection. */
export interface Connection {
  exec(sql: string): void;
  prepare<R = Row>(sql: string): Statement<R>;
  close(): void;
}

interface SqliteModule {
  DatabaseSync: new (path: string, options: { readOnly: boolean }) => Connection;
}

let loaded: SqliteModule | undefined;

/**
 * Opens a connection with SQLite's own defaults, except that it never waits for a lock.
 * Throws the error of the driver; `storeError` reads it.
 */
export function connect(path: string, readOnly = false): Connection {
  if (loaded === undefined) {
    // SQLite reads it once, when it is loaded.
    if (!hasTemporaryFolder()) process.env['SQLITE_TMPDIR'] = dirname(path);
    loaded = load();
  }
  const connection = new loaded.DatabaseSync(path, { readOnly });
  connection.exec('PRAGMA busy_timeout = 0');
  return connection;
}

/** Returns whether SQLite finds a folder for temporary files, in its order; a container with a read-only file system may have none. */
function hasTemporaryFolder(): boolean {
  const { SQLITE_TMPDIR, TMPDIR } = process.env;
  return [SQLITE_TMPDIR, TMPDIR, '/var/tmp', '/usr/tmp', '/tmp', '.'].some((folder) => {
    try {
      accessSync(folder!, constants.W_OK | constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Loads `node:sqlite` where this Node has it, else the package with the same interface. */
function load(): SqliteModule {
  const builtin = withoutExperimentalWarning(() => process.getBuiltinModule?.('node:sqlite'));
  return (builtin ?? require('@photostructure/sqlite')) as SqliteModule;
}

/** Some versions of Node that have `node:sqlite` warn on its first use; the user of a service can do nothing about that. */
function withoutExperimentalWarning<T>(action: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return action();
  } finally {
    process.emitWarning = emitWarning;
  }
}
