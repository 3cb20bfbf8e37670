import { BatchWriter, type Applied, type Writer } from './batch-writer';
import type { Command } from './command';
import { checkDatabase, DatabaseFile } from './database-check';
import { GroupCommit, type CommitLimits } from './group-commit';
import { HotRows } from './hot-rows';
import { createDatabase } from './new-database';
import { retryBusy } from './retry-busy';
import { connect, type Connection } from './sqlite-driver';
import { storeError } from './sqlite-errors';
import { SqliteEventLog } from './sqlite-event-log';
import { SqliteReader } from './sqlite-reader';
import { makeDurable, setUpSchema } from './sqlite-setup';
import { isOpenElsewhere } from './sqlite-sharing';
import { SqliteVersions } from './sqlite-versions';
import { ALL_SNAPSHOTS } from './store';
import type {
  ListedTexts,
  ListQuery,
  MaybePromise,
  SnapshotKey,
  SnapshotPage,
  Store,
  StoredResource,
  StoredSnapshot,
  Write,
  WriteResult,
} from './store';
import { openWalIndex, WalIndex } from './wal-index';
import { WriterThread } from './writer-thread';

/** A commit not longer ago than this shows that the store can be written, in ms. */
const FRESH = 1000;

/** How much of what was read lately is kept, in characters. */
const HOT_LENGTH = 32 * 1024 * 1024;

/** Tells of the commits of all connections but this one. */
function foreignCommits(connection: Connection): () => number | undefined {
  const statement = connection.prepare<{ data_version: number }>('PRAGMA data_version');
  return () => statement.get()?.data_version;
}

/** How a SQLite file is written. */
export interface SqliteOptions extends CommitLimits {
  /** In a thread of its own, so that reads do not wait for commits; it costs a commit about 0.1 ms. */
  writerThread: boolean;
  /** Called at start when another process has the file open. It is not looked for without. */
  onShared?: () => void;
}

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
    private readonly writer: Writer,
    state: () => string | number | undefined,
    limits: CommitLimits,
  ) {
    const reading = connections.at(-1)!;
    this.#reader = new SqliteReader(reading);
    this.#hot = new HotRows(state, HOT_LENGTH);
    this.#commits = new GroupCommit((batch) => this.#commit(batch), limits);
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
  static async open(path: string, limits: SqliteOptions): Promise<SqliteStore> {
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
        if (limits.onShared !== undefined && isOpenElsewhere(path)) limits.onShared();
        createDatabase(path);
      }
      const writing = open();
      await patiently(() => {
        makeDurable(writing, path);
        setUpSchema(writing, path);
      });
      if (inMemory)
        return new SqliteStore(connections, new BatchWriter(writing), foreignCommits(writing), limits);
      // A read takes the lock that tells others that the file is open, before the first connection gives its up.
      open().exec('PRAGMA query_only = ON; SELECT count(*) FROM sqlite_schema');
      if (limits.writerThread) {
        connections.shift()?.close();
        const walIndex = openWalIndex(path);
        const index = new WalIndex(walIndex);
        const thread = new WriterThread({ path, walIndex });
        return new SqliteStore(connections, thread, () => index.state(), limits);
      }
      const file = new DatabaseFile(path);
      const writer = new BatchWriter(writing, () => file.verify());
      return new SqliteStore(connections, writer, foreignCommits(writing), limits);
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

  listSnapshots(kind: string, uid: string, page: SnapshotPage = ALL_SNAPSHOTS): StoredSnapshot[] {
    return this.#reader.listSnapshots(kind, uid, page);
  }

  getSnapshot(key: SnapshotKey): StoredSnapshot | undefined {
    return this.#reader.getSnapshot(key);
  }

  write(write: Write, since?: number): Promise<WriteResult> {
    return this.#commits.submit(write, since);
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

  async #commit(batch: readonly Command[]): Promise<WriteResult[]> {
    this.#hot.begin(batch);
    // Until this one has succeeded, nothing shows that the store can be written.
    this.#lastCommit = -Infinity;
    let applied: Applied | undefined;
    try {
      applied = await this.writer.applyBatch(batch);
    } finally {
      this.#hot.end(batch, applied);
    }
    this.#lastCommit = performance.now();
    if (batch.some((command) => 'event' in command)) this.events.committed();
    return applied.results;
  }

  async #close(): Promise<void> {
    await this.#commits.close();
    this.#reader.close();
    await this.writer.close();
    for (const connection of this.connections) connection.close();
  }
}
