import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describeSchema, type StoredVersions } from '../stored-versions';
import { connect, type Connection } from './connection/driver';
import { storeError } from './connection/errors';
import { Reading } from './connection/reading';
import { checkAccess, checkDatabase } from './file/database-check';
import { databaseFile, IN_MEMORY } from './file/database-file';
import { MIGRATIONS, schemaVersion } from './file/migrations';
import { SqliteVersions } from './reads/versions';

/**
 * Describes a SQLite file without changing it; see `inspect` of Database. Throws StoreRefused, StoreUnavailable, and StoreBusy
 * while another process holds its lock.
 */
export async function inspectSqlite(
  name: string,
  check: (versions: StoredVersions) => Promise<void>,
): Promise<string> {
  if (name === IN_MEMORY) return 'SQLite in memory: nothing outlives the process';
  let connection: Connection | undefined;
  try {
    const path = databaseFile(name);
    checkAccess(path);
    checkDatabase(path);
    accessSync(nearest(path), constants.R_OK | constants.W_OK);
    if (!existsSync(path)) return `${name} does not exist: the first start makes it`;
    connection = connect(path, true);
    const version = schemaVersion(connection);
    if (version > 0) await check(new SqliteVersions(new Reading(connection)));
    return `${name}, ${describeSchema(version, MIGRATIONS.length)}`;
  } catch (error) {
    throw storeError(error);
  } finally {
    connection?.close();
  }
}

/** Returns the file; where it is missing, the nearest existing folder. */
function nearest(path: string): string {
  let found = resolve(path);
  while (!existsSync(found)) found = dirname(found);
  return found;
}
