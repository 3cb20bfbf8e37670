import { afterCommit } from '../after-commit';
import { type Command, isCommitted } from '../command';
import { partsIn, type StoreSettings } from '../database';
import { type CommitLimits, GroupCommit } from '../group-commit';
import { isPlain } from '../label-text';
import { retryBusy } from '../retry-busy';
import type {
  Listed,
  ListedTexts,
  ListQuery,
  MaybePromise,
  Store,
  StoredResource,
  Write,
  WriteResult,
} from '../store';
import { DatabaseState } from './cache/database-state';
import { ListStates } from './cache/list-states';
import { RowCache } from './cache/row-cache';
import { connect, type Connection, type Statement } from './connection/driver';
import { guard, storeError } from './connection/errors';
import { Reading } from './connection/reading';
import { checkAccess, checkDatabase } from './file/database-check';
import { databaseFile } from './file/database-file';
import { createDatabase } from './file/new-database';
import { noteOpened, OpenFiles } from './file/open-files';
import { invalidateIndexes, invalidateLog, makeDurable, setUpSchema } from './file/setup';
import { isOpenElsewhere } from './file/sharing';
import type { OpenedStore, SqliteParts } from './parts/sqlite-parts';
import { SqliteList } from './reads/list';
import { SqliteResponses } from './reads/responses';
import { SqliteVersions } from './reads/versions';
import { WriterThread } from './thread/writer-thread';
import { type Applied, BatchWriter, type Writer } from './writes/batch-writer';

/** Time after a commit in which the store counts as writable, in ms. */
const FRESH = 1000;

/** The state of a database in memory: no other connection commits to it. */
const IN_MEMORY = 'in memory';

const SHARED_FILE =
  'another process has the SQLite file open too: that is safe, but not faster. For several processes, use PostgreSQL';

/** Options of a SQLite store. Without `onNotice`, nothing looks for other processes that have the file open. */
export interface SqliteOptions
  extends CommitLimits, Pick<StoreSettings, 'cacheLength' | 'onNotice' | 'isShared'> {
  /** Commits in a separate thread, so that reads do not wait for commits; it costs a commit about 0.1 ms. */
  writerThread: boolean;
}

/** An open database: its connections, of which the last one reads, and what writes it. */
interface OpenDatabase {
  connections: Connection[];
  writer: Writer;
  /** Returns its state, as for DatabaseState. */
  state(): string | undefined;
  /** Opens another connection; absent for a database in memory. */
  another?: () => Connection;
}

/**
 * A store in a SQLite file, or in memory for `:memory:`. Writes go through group commit on one connection; reads have
 * a connection of their own, so that they work while another process holds the write lock.
 */
export class SqliteStore implements Store {
  readonly versions: SqliteVersions;
  readonly responses: SqliteResponses;
  readonly #database: OpenDatabase;
  readonly #commits: GroupCommit;
  readonly #reading: Reading;
  readonly #get: Statement<StoredResource>;
  readonly #list: SqliteList;
  readonly #state: DatabaseState;
  readonly #hot: RowCache;
  readonly #lists: ListStates;
  readonly #listeners: ((batch: readonly Command[]) => void)[] = [];
  #closing: Promise<void> | undefined;
  #lastCommit = -Infinity;

  private constructor(database: OpenDatabase, limits: SqliteOptions, parts: SqliteParts) {
    const { connections, writer, state, another } = database;
    this.#database = database;
    const connection = connections.at(-1)!;
    this.#reading = new Reading(connection);
    this.#get = connection.prepare(
      'SELECT id, uid, revision, version, text, etag, kept, position FROM resources WHERE uid = ? AND kind = ?',
    );
    this.#list = new SqliteList(this.#reading, parts.indexing);
    this.#state = new DatabaseState(state);
    this.#hot = new RowCache(this.#state, limits.cacheLength);
    this.#lists = new ListStates(this.#state);
    this.#commits = new GroupCommit((batch) => this.#commit(batch), limits);
    const opened: OpenedStore = {
      reading: this.#reading,
      another,
      submit: (command) => this.#commits.submit(command),
      onCommit: (listener) => void this.#listeners.push(listener),
      declare: (declared) => writer.declare(declared),
    };
    this.versions = new SqliteVersions(this.#reading);
    this.responses = new SqliteResponses(opened);
    // A service without indexes makes no entries.
    if (parts.indexing === undefined) writer.declare(new Map());
    for (const part of partsIn(parts)) Object.assign(this, part.open(opened));
  }

  /**
   * Opens the database of this name, creates it with its folder when it is missing, and brings its schema up to date.
   * Throws StoreUnavailable, and StoreRefused for an unusable file, which stays as it is.
   */
  static async open(name: string, limits: SqliteOptions, parts: SqliteParts = {}): Promise<Store> {
    const { onNotice, isShared } = limits;
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
        if (onNotice !== undefined && !isShared && isOpenElsewhere(path))
          onNotice({ level: 'warn', text: SHARED_FILE });
        createDatabase(path);
      }
      const writing = open();
      await patiently(() => {
        makeDurable(writing, path);
        setUpSchema(writing, path);
        if (parts.indexing === undefined) invalidateIndexes(writing);
        if (parts.events === undefined) invalidateLog(writing);
        for (const part of partsIn(parts)) part.begin?.(writing, inMemory ? undefined : path);
      });
      const writers = partsIn(parts).map(({ writer }) => writer);
      if (inMemory) {
        const writer = new BatchWriter(writing, { parts: writers });
        return new SqliteStore({ connections, writer, state: () => IN_MEMORY }, limits, parts);
      }
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
        ? new WriterThread({ path, opened, modules: partsIn(parts).map(({ thread }) => thread) })
        : new BatchWriter(writing, { files, parts: writers });
      const another = (): Connection => {
        const connection = connect(path);
        makeDurable(connection, path);
        return connection;
      };
      return new SqliteStore({ connections, writer, state: () => files.state(), another }, limits, parts);
    } catch (error) {
      for (const connection of connections) connection.close();
      throw storeError(error);
    }
  }

  get(kind: string, uid: string): StoredResource | undefined {
    this.#reading.check();
    return this.#hot.get(kind, uid, () =>
      this.#reading.ofKind(kind, undefined, (id) => (isPlain(uid) ? this.#get.get(uid, id) : undefined)),
    );
  }

  list(kind: string, query: ListQuery): MaybePromise<Listed<StoredResource>[]> {
    return this.#reading.ofKind<MaybePromise<Listed<StoredResource>[]>>(kind, [], (id) =>
      this.#list.page(id, query),
    );
  }

  listTexts(kind: string, query: ListQuery, version: string): ListedTexts | undefined {
    return this.#reading.ofKind(kind, undefined, (id) => this.#list.texts(id, query, version));
  }

  listState(kind: string): string | undefined {
    this.#reading.check();
    return this.#lists.of(kind);
  }

  write(write: Write, since?: number): Promise<WriteResult> {
    return this.#commits.submit(write, since);
  }

  judge(write: Write): Promise<WriteResult> {
    return this.#commits.submit({ action: 'judge', write });
  }

  async ready(): Promise<void> {
    this.#reading.check();
    if (performance.now() - this.#lastCommit > FRESH) await this.#commits.submit({ action: 'probe' });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #commit(batch: readonly Command[]): Promise<WriteResult[]> {
    this.#state.begin();
    this.#hot.begin(batch);
    this.#lists.count(batch);
    const lastCommit = this.#lastCommit;
    // Until this one has succeeded, nothing shows that the store is writable.
    this.#lastCommit = -Infinity;
    let applied: Applied | undefined;
    try {
      applied = await this.#database.writer.applyBatch(batch);
    } finally {
      this.#state.end(batch, applied);
      this.#hot.end(batch, applied);
      this.#lists.count(batch);
    }
    this.#lastCommit = isCommitted(batch) ? performance.now() : lastCommit;
    for (const listener of this.#listeners) afterCommit(() => listener(batch));
    return applied.results;
  }

  async #close(): Promise<void> {
    await this.#commits.close();
    this.#reading.close();
    await this.#database.writer.close();
    for (const connection of this.#database.connections) connection.close();
  }
}
