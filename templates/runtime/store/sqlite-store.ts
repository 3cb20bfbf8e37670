import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { BatchWriter } from './batch-writer';
import type { Command } from './command';
import { checkDatabase, DatabaseFile } from './database-check';
import { GroupCommit, type CommitLimits } from './group-commit';
import { HotRows } from './hot-rows';
import { migrate, MIGRATIONS, schemaVersion } from './migrations';
import { retryBusy } from './retry-busy';
import { connect, type Connection } from './sqlite-driver';
import { storeError } from './sqlite-errors';
import { SqliteEventLog } from './sqlite-event-log';
import { SqliteReader } from './sqlite-reader';
import { SqliteVersions } from './sqlite-versions';
import {
  StoreRefused,
  type ListedTexts,
  type ListQuery,
  type MaybePromise,
  type SnapshotKey,
  type Store,
  type StoredResource,
  type StoredSnapshot,
  type Write,
  type WriteResult,
} from './store';

/** A commit not longer ago than this shows that the store can be written, in ms. */
const FRESH = 1000;

/** How much of what was read lately is kept, in characters. */
const HOT_LENGTH = 32 * 1024 * 1024;

/**
 * A store in a SQLite file, or in memory for `:memory:`. Writes go through group commit on one connection; reads have
 * a connection of their own, so that they work while another process holds the write lock.
 */
export class SqliteStore implements Store {
  readonly events: SqliteEventLog;
  readonly versions: SqliteVersions;
  readonly #commits: GroupCommit;
  readonly #reader: SqliteReader;
  readonly #hot: HotRows;
  #closing: Promise<void> | undefined;
  #lastCommit = -Infinity;

  private constructor(
    private readonly connections: Connection[],
    limits: CommitLimits,
    file: DatabaseFile | undefined,
  ) {
    const [writing, reading = writing] = connections;
    const writer = new BatchWriter(writing, () => file?.verify());
    this.#reader = new SqliteReader(reading);
    this.#hot = new HotRows(writing, HOT_LENGTH);
    this.#commits = new GroupCommit((batch) => {
      for (const command of batch) if ('uid' in command) this.#hot.forget(command.uid);
      const results = writer.applyBatch(batch);
      this.#lastCommit = performance.now();
      if (batch.some((command) => 'event' in command)) this.events.committed();
      return results;
    }, limits);
    const sharing = {
      submit: (command: Command) => this.#commits.submit(command),
      check: () => this.#reader.check(),
    };
    this.events = new SqliteEventLog(reading, sharing);
    this.versions = new SqliteVersions(reading, sharing);
  }

  /**
   * Opens the database at `path`, makes it with its folder when it is missing, and brings its schema up to date.
   * Throws StoreRefused for a file that must not be used, which it leaves as it is, and StoreUnavailable.
   */
  static async open(path: string, limits: CommitLimits): Promise<SqliteStore> {
    const connections: Connection[] = [];
    const open = (): Connection => {
      const connection = connect(path);
      connections.push(connection);
      return connection;
    };
    const inMemory = path === ':memory:';
    const patiently = (action: () => void): Promise<void> =>
      retryBusy(action, performance.now() + limits.busyTimeoutMs);
    try {
      if (!inMemory) {
        await patiently(() => checkDatabase(path));
        mkdirSync(dirname(path), { recursive: true });
      }
      const writing = open();
      await patiently(() => setUp(writing, path, inMemory));
      if (inMemory) return new SqliteStore(connections, limits, undefined);
      open().exec('PRAGMA query_only = ON');
      return new SqliteStore(connections, limits, new DatabaseFile(path));
    } catch (error) {
      for (const connection of connections) connection.close();
      throw storeError(error);
    }
  }

  get(kind: string, uid: string): StoredResource | undefined {
    this.#reader.check();
    return this.#hot.get(kind, uid, () => this.#reader.get(kind, uid));
  }

  list(kind: string, query: ListQuery): MaybePromise<StoredResource[]> {
    return this.#reader.list(kind, query);
  }

  listTexts(kind: string, query: ListQuery, version: string): ListedTexts | undefined {
    return this.#reader.listTexts(kind, query, version);
  }

  listSnapshots(kind: string, uid: string): StoredSnapshot[] {
    return this.#reader.listSnapshots(kind, uid);
  }

  getSnapshot(key: SnapshotKey): StoredSnapshot | undefined {
    return this.#reader.getSnapshot(key);
  }

  write(write: Write): Promise<WriteResult> {
    return this.#commits.submit(write);
  }

  async deleteSnapshot(key: SnapshotKey): Promise<boolean> {
    return (await this.#commits.submit({ action: 'deleteSnapshot', ...key })) === 'done';
  }

  async ready(): Promise<void> {
    this.#reader.check();
    if (performance.now() - this.#lastCommit > FRESH) await this.#commits.submit({ action: 'probe' });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#commits.close();
    this.#reader.close();
    copyLog(this.connections[0]);
    for (const connection of this.connections) connection.close();
  }
}

/** Copies the log into the database file and empties it: one of the drivers leaves that undone when it closes. */
function copyLog(connection: Connection): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // All that was acknowledged is durable in the log, and is copied after the next start.
  }
}

/** Readies the writing connection: a log that readers do not wait for, commits that survive a power loss, the schema. */
function setUp(connection: Connection, path: string, inMemory: boolean): void {
  try {
    const mode = connection
      .prepare<{ journal_mode: string }>('PRAGMA journal_mode = WAL')
      .get()?.journal_mode;
    connection.exec('PRAGMA synchronous = FULL');
    const synchronous = connection.prepare<{ synchronous: number }>('PRAGMA synchronous').get()?.synchronous;
    if (!inMemory && (mode !== 'wal' || synchronous !== 2)) {
      throw new StoreRefused(
        `${path} cannot be written durably (journal_mode ${mode}, synchronous ${synchronous}). ` +
          'A file on a network file system is the usual cause; let DATABASE_URL name one on a local disk',
      );
    }
  } catch (error) {
    throw storeError(error);
  }
  migrate(connection);
  const version = schemaVersion(connection);
  if (version !== MIGRATIONS.length)
    throw new StoreRefused(`${path} was upgraded by a newer version of this service`);
}
