import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { partsIn, type StoreSettings } from '../database';
import { retryBusy } from '../retry-busy';
import type { MaybePromise } from '../stored-resource';
import { describeSchema, type StoredVersions } from '../stored-versions';
import { connect, type Connection } from './connection/driver';
import { guard, storeError } from './connection/errors';
import { Reading } from './connection/reading';
import { checkAccess, checkDatabase } from './file/database-check';
import { databaseFile, IN_MEMORY, isOpenElsewhere } from './file/database-file';
import { migrate, MIGRATIONS, schemaVersion } from './file/migrations';
import { createDatabase } from './file/new-database';
import { noteOpened, OpenFiles } from './file/open-files';
import { makeDurable } from './file/setup';
import type { MakeWriter, SqliteParts } from './parts/sqlite-parts';
import { WriterThread } from './thread/writer-thread';
import { BatchWriter, type Writer } from './writes/batch-writer';

const SHARED_FILE =
  'another process has the SQLite file open too: that is safe, but not faster. For several processes, use PostgreSQL';

/** An open database. */
export interface OpenDatabase {
  /** All that are open. */
  connections: Connection[];
  /** The one that reads. */
  reading: Connection;
  writer: Writer;
  /** Returns its state, as for DatabaseState. */
  state(): string | undefined;
  /** Opens another connection; absent for a database in memory. */
  another?: () => Connection;
}

/** Opens a database in memory. No other connection commits to it: its state stays the same. */
export function openMemory(connections: Connection[], parts: SqliteParts): OpenDatabase {
  const connection = connect(IN_MEMORY);
  connections.push(connection);
  setUp(connection, IN_MEMORY, parts);
  const writer = new BatchWriter(connection, { parts: writersOf(parts) });
  return { connections, reading: connection, writer, state: () => IN_MEMORY };
}

/** Opens a database file. Adds each connection to `connections` at once: the caller closes them if it fails. */
export async function openFile(
  path: string,
  connections: Connection[],
  { onNotice, isShared, checkVersions, writerThread, busyTimeoutMs }: StoreSettings,
  parts: SqliteParts,
): Promise<OpenDatabase> {
  const patiently = (action: () => MaybePromise<void>): Promise<void> =>
    retryBusy(action, performance.now() + busyTimeoutMs);
  checkAccess(path);
  await patiently(() => checkDatabase(path));
  if (onNotice !== undefined && !isShared && isOpenElsewhere(path))
    onNotice({ level: 'warn', text: SHARED_FILE });
  createDatabase(path);
  const writing = connect(path);
  connections.push(writing);
  await patiently(async () => {
    if (guard(() => schemaVersion(writing)) > 0) await checkVersions?.(new Reading(writing).versions);
  });
  await patiently(() => setUp(writing, path, parts));
  // A read takes the lock that shows others that the file is open, before the first connection releases its lock.
  const reading = connect(path);
  connections.push(reading);
  // Another process may be recovering the log, or closing the file as the last one.
  await patiently(() =>
    guard(() => reading.exec('PRAGMA query_only = ON; SELECT count(*) FROM sqlite_schema')),
  );
  const opened = noteOpened(path);
  const files = new OpenFiles(opened);
  if (writerThread) connections.shift()!.close();
  return {
    connections,
    reading,
    writer: writerThread
      ? new WriterThread({ path, opened, modules: writesOf(parts).map(({ thread }) => thread) })
      : new BatchWriter(writing, { files, parts: writersOf(parts) }),
    state: () => files.state(),
    another() {
      const connection = connect(path);
      makeDurable(connection, path);
      return connection;
    },
  };
}

function setUp(connection: Connection, path: string, parts: SqliteParts): void {
  makeDurable(connection, path);
  migrate(connection, path);
  for (const part of partsIn(parts)) part.begin?.(connection, path === IN_MEMORY ? undefined : path);
}

const writesOf = (parts: SqliteParts) => partsIn(parts).flatMap(({ writes }) => writes ?? []);

const writersOf = (parts: SqliteParts): MakeWriter[] => writesOf(parts).map(({ writer }) => writer);

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
    if (version > 0) await check(new Reading(connection).versions);
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
