import { accessSync, constants, statSync } from 'node:fs';
import { StoreRefused } from '../../store';
import { connect, type Connection } from '../connection/driver';
import { isDamage, storeError } from '../connection/errors';
import { APPLICATION_ID, MIGRATIONS, schemaVersion } from './migrations';

/** Size up to which every page is checked, which takes about 0.5 ms per MiB. */
const WHOLE_CHECK_BYTES = 64 * 1024 * 1024;

/**
 * Checks a database file without changing it. Throws StoreRefused when it must not be used: it is no database, it is
 * truncated or damaged, or it belongs to another application or to a newer service. Throws StoreBusy and
 * StoreUnavailable when it cannot be read.
 */
export function checkDatabase(path: string): void {
  for (const end of LOG_FILES) checkRegular(`${path}${end}`);
  checkRegular(path);
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return checkNew(path);
  if (stats.size === 0n) {
    throw new StoreRefused(
      `${path} is empty, which no database ever is: it has lost its contents. It is unchanged; restore a backup, ` +
        'or delete it to begin with a new one',
    );
  }
  const connection = connect(path, true);
  try {
    checkOrigin(connection, path);
    checkPages(connection, path, Number(stats.size));
  } catch (error) {
    if (isDamage(error)) throw damaged(path, error);
    throw storeError(error);
  } finally {
    connection.close();
  }
}

/** The system's codes for a file that may not be used, or not on a file system that is read-only. */
const DENIALS = ['EACCES', 'EPERM', 'EROFS'];

/**
 * Throws StoreRefused where the process may not read and write a database file or one next to it. SQLite would make the others
 * with the mode of the first, and they would keep it.
 */
export function checkAccess(path: string): void {
  for (const end of ['', ...LOG_FILES]) {
    try {
      accessSync(`${path}${end}`, constants.R_OK | constants.W_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined || !DENIALS.includes(code)) continue;
      throw new StoreRefused(
        `${path}${end} may not be read and written by the user of the service (${code}). It is unchanged; change its owner or its mode`,
        { cause: error },
      );
    }
  }
}

/** The ends of the names of files that SQLite opens next to a database: opening a pipe could block for ever. */
const LOG_FILES = ['-wal', '-shm', '-journal'];

/** Throws StoreRefused for a path that is taken by anything but a regular file. */
function checkRegular(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return;
  if (stats.isDirectory()) throw new StoreRefused(`${path} is a folder; DATABASE_URL must name a file in it`);
  throw new StoreRefused(`${path} is a device, a pipe or a socket; DATABASE_URL must name a regular file`);
}

/**
 * Checks a missing file, which becomes a new database unless a log next to it shows that it was one: SQLite would drop
 * that log.
 */
function checkNew(path: string): void {
  if (logSize(path) > 0) throw damaged(path, new Error('only the log'));
}

/** Returns the size of the log: commits that may not be in the file itself. */
const logSize = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

function checkOrigin(connection: Connection, path: string): void {
  const application = connection
    .prepare<{ application_id: number }>('PRAGMA application_id')
    .get()?.application_id;
  const tables = connection
    .prepare<{ count: number }>('SELECT count(*) AS count FROM sqlite_schema')
    .get()?.count;
  const isOurs = application === APPLICATION_ID || (application === 0 && tables === 0);
  if (!isOurs) {
    throw new StoreRefused(
      `${path} is a SQLite database of another application. It is unchanged; let DATABASE_URL name another file`,
    );
  }
  const version = schemaVersion(connection);
  if (version > MIGRATIONS.length) {
    throw new StoreRefused(
      `${path} was written by a newer version of this service (schema ${version}, this one knows ${MIGRATIONS.length}). ` +
        'It is unchanged; start the newer version, or restore a backup from before the upgrade',
    );
  }
}

function checkPages(connection: Connection, path: string, size: number): void {
  const pages = connection.prepare<{ page_count: number }>('PRAGMA page_count').get()!.page_count;
  const pageSize = connection.prepare<{ page_size: number }>('PRAGMA page_size').get()!.page_size;
  // SQLite reads zeros for the missing part of the last page. The order matters: whatever no log has any more is in the
  // file by then, though another process may be moving it there right now.
  if (logSize(path) === 0 && statSync(path).size < pages * pageSize)
    throw damaged(path, new Error(`${statSync(path).size} bytes of ${pages * pageSize}`));
  if (size <= WHOLE_CHECK_BYTES) {
    const [first] = connection.prepare<{ quick_check: string }>('PRAGMA quick_check(1)').all();
    if (first?.quick_check !== 'ok') throw damaged(path, new Error(first?.quick_check));
    return;
  }
  // The ends of every table and index: the paths to them lead over the pages that a truncation removes first.
  for (const sql of ['SELECT min(id), max(id) FROM resources', 'SELECT min(uid), max(uid) FROM resources']) {
    connection.prepare(sql).get();
  }
}

function damaged(path: string, cause: unknown): StoreRefused {
  return new StoreRefused(
    `${path} is damaged or not a SQLite database. It is unchanged; restore a backup, or let DATABASE_URL name another file`,
    { cause },
  );
}
