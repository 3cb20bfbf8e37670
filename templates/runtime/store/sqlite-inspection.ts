import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { checkDatabase } from './database-check';
import { MIGRATIONS, schemaVersion } from './migrations';
import { connect, type Connection } from './sqlite-driver';
import { storeError } from './sqlite-errors';
import { SqliteVersions } from './sqlite-versions';
import { StoreUnavailable } from './store';
import { describeSchema, type StoredVersions } from './stored-versions';

/**
 * Looks at a SQLite file and leaves it as it is; see `inspectStore`. Throws StoreRefused, StoreUnavailable, and StoreBusy
 * while another process holds its lock.
 */
export async function inspectSqlite(
  path: string,
  check: (versions: StoredVersions) => Promise<void>,
): Promise<string> {
  if (path === ':memory:') return 'SQLite in memory: nothing outlives the process';
  let connection: Connection | undefined;
  try {
    checkDatabase(path);
    accessSync(nearest(path), constants.R_OK | constants.W_OK);
    if (!existsSync(path)) return `${path} does not exist: the first start makes it`;
    connection = connect(path, true);
    const version = schemaVersion(connection);
    if (version === MIGRATIONS.length) await check(new SqliteVersions(connection, ONLY_READ));
    return `${path}, ${describeSchema(version, MIGRATIONS.length)}`;
  } catch (error) {
    throw storeError(error);
  } finally {
    connection?.close();
  }
}

const ONLY_READ = {
  submit(): never {
    throw new StoreUnavailable('the database is only looked at');
  },
  check: (): void => undefined,
};

/** The file; where it is missing, the nearest folder that is there. */
function nearest(path: string): string {
  let found = resolve(path);
  while (!existsSync(found)) found = dirname(found);
  return found;
}
