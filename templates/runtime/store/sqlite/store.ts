import { afterCommit } from '../after-commit';
import { type Command, hasEvent, isCommitted } from '../command';
import type { Declared } from '../declared';
import { type CommitLimits, GroupCommit } from '../group-commit';
import type { StoreIndexes } from '../indexes';
import { retryBusy } from '../retry-busy';
import type {
  Listed,
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
} from '../store';
import { ALL_SNAPSHOTS } from '../store';
import { ListStates } from './cache/list-states';
import { RowCache } from './cache/row-cache';
import { connect, type Connection } from './connection/driver';
import { guard, storeError } from './connection/errors';
import { checkAccess, checkDatabase } from './file/database-check';
import { databaseFile } from './file/database-file';
import { createDatabase } from './file/new-database';
import { noteOpened, OpenFiles } from './file/open-files';
import { invalidateIndexes, invalidateLog, makeDurable, setUpSchema } from './file/setup';
import { isOpenElsewhere } from './file/sharing';
import type { SqliteLog } from './parts/event-parts';
import type { SqliteParts } from './parts/sqlite-parts';
import { SqliteReader } from './reads/reader';
import { SqliteResponses } from './reads/responses';
import { SqliteVersions } from './reads/versions';
import { WriterThread } from './thread/writer-thread';
import { type Applied, BatchWriter, type Writer } from './writes/batch-writer';

/** Time after a commit in which the store counts as writable, in ms. */
const FRESH = 1000;

/** The state of a database in memory: no other connection commits to it. */
const IN_MEMORY = 'in memory';

/** Options of a SQLite store. */
export interface SqliteOptions extends CommitLimits, SqliteParts {
  /** Commits in a separate thread, so that reads do not wait for commits; it costs a commit about 0.1 ms. */
  writerThread: boolean;
  /** Maximum size of the cached rows, in characters. */
  cacheLength: number;
  /** Called at start when another process has the file open. Without it there is no check. */
  onShared?: () => void;
}

/**
 * A store in a SQLite file, or in memory for `:memory:`. Writes go through group commit on one connection; reads have
 * a connection of their own, so that they work while another process holds the write lock.
 */
export class SqliteStore implements Store {
  readonly events?: SqliteLog;
  readonly versions: SqliteVersions;
  readonly indexes?: StoreIndexes;
  readonly responses: SqliteResponses;
  readonly #commits: GroupCommit;
  readonly #reader: SqliteReader;
  readonly #hot: RowCache;
  readonly #lists: ListStates;
  #closing: Promise<void> | undefined;
  #lastCommit = -Infinity;

  private constructor(
    private readonly connections: Connection[],
    private readonly writer: Writer,
    state: () => string | undefined,
    { indexing, events, ...limits }: SqliteOptions,
    open?: () => Connection,
  ) {
    const reading = connections.at(-1)!;
    this.#reader = new SqliteReader(reading, indexing);
    this.#hot = new RowCache(state, limits.cacheLength);
    this.#lists = new ListStates(state);
    this.#commits = new GroupCommit((batch) => this.#commit(batch), limits);
    const sharing = {
      submit: (command: Command) => this.#commits.submit(command),
      check: () => this.#reader.check(),
    };
    this.events = events?.log(reading, sharing);
    this.versions = new SqliteVersions(reading, sharing);
    this.responses = new SqliteResponses(reading, sharing);
    const declare = (declared: Declared): void => writer.declare(declared);
    // A service without indexes makes no entries.
    if (indexing === undefined) declare(new Map());
    this.indexes = indexing?.indexes({ reading, open, check: sharing.check, declare });
  }

  /**
   * Opens the database of this name, creates it with its folder when it is missing, and brings its schema up to date.
   * Throws StoreUnavailable, and StoreRefused for an unusable file, which stays as it is.
   */
  static async open(name: string, limits: SqliteOptions): Promise<SqliteStore> {
    const { indexing, events } = limits;
    const inMemory = name === ':memory:';
    const connections: Connection[] = [];
    const patiently = (action: () => void): Promise<void> =>
      retryBusy(action, performance.now() + limits.busyTimeoutMs);
    try {
      const path = inMemory ? name : databaseFile(name);
      const open = (): Connection => {
        const connection = connect(path);
        connections.push(connection);
        return connection;
      };
      if (!inMemory) {
        checkAccess(path);
        await patiently(() => checkDatabase(path));
        if (limits.onShared !== undefined && isOpenElsewhere(path)) limits.onShared();
        createDatabase(path);
      }
      const writing = open();
      await patiently(() => {
        makeDurable(writing, path);
        setUpSchema(writing, path);
        if (indexing === undefined) invalidateIndexes(writing);
        if (events === undefined) invalidateLog(writing);
        else events.begin(writing, inMemory ? undefined : path);
      });
      const writers = { entries: indexing?.writer, events: events?.writer };
      if (inMemory)
        return new SqliteStore(connections, new BatchWriter(writing, writers), () => IN_MEMORY, limits);
      // A read takes the lock that shows others that the file is open, before the first connection releases its lock.
      const reading = open();
      // Another process may be recovering the log, or closing the file as the last one.
      await patiently(() =>
        guard(() => reading.exec('PRAGMA query_only = ON; SELECT count(*) FROM sqlite_schema')),
      );
      const opened = noteOpened(path);
      const files = new OpenFiles(opened);
      if (limits.writerThread) connections.shift()?.close();
      const writer = limits.writerThread
        ? new WriterThread({ path, opened, modules: { entries: indexing?.thread, events: events?.thread } })
        : new BatchWriter(writing, { files, ...writers });
      const another = (): Connection => {
        const connection = connect(path);
        makeDurable(connection, path);
        return connection;
      };
      return new SqliteStore(connections, writer, () => files.state(), limits, another);
    } catch (error) {
      for (const connection of connections) connection.close();
      throw storeError(error);
    }
  }

  get(kind: string, uid: string): StoredResource | undefined {
    this.#reader.check();
    return this.#hot.get(kind, uid, () => this.#reader.get(kind, uid));
  }

  list(kind: string, query: ListQuery): MaybePromise<Listed<StoredResource>[]> {
    return this.#reader.list(kind, query);
  }

  listTexts(kind: string, query: ListQuery, version: string): ListedTexts | undefined {
    return this.#reader.listTexts(kind, query, version);
  }

  listState(kind: string): string | undefined {
    this.#reader.check();
    return this.#lists.of(kind);
  }

  listSnapshots(kind: string, uid: string, page: SnapshotPage = ALL_SNAPSHOTS): Listed<StoredSnapshot>[] {
    return this.#reader.listSnapshots(kind, uid, page);
  }

  getSnapshot(key: SnapshotKey): StoredSnapshot | undefined {
    return this.#reader.getSnapshot(key);
  }

  write(write: Write, since?: number): Promise<WriteResult> {
    return this.#commits.submit(write, since);
  }

  judge(write: Write): Promise<WriteResult> {
    return this.#commits.submit({ action: 'judge', write });
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
    this.#lists.begin(batch);
    const lastCommit = this.#lastCommit;
    // Until this one has succeeded, nothing shows that the store is writable.
    this.#lastCommit = -Infinity;
    let applied: Applied | undefined;
    try {
      applied = await this.writer.applyBatch(batch);
    } finally {
      this.#hot.end(batch, applied);
      this.#lists.end(batch, applied);
    }
    this.#lastCommit = isCommitted(batch) ? performance.now() : lastCommit;
    if (batch.some(hasEvent)) afterCommit(() => this.events?.committed());
    return applied.results;
  }

  async #close(): Promise<void> {
    await this.#commits.close();
    this.#reader.close();
    await this.writer.close();
    for (const connection of this.connections) connection.close();
  }
}
