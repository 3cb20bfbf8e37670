import { type Command, isCommitted } from '../command';
import { partsIn, type StoreSettings } from '../database';
import { afterCommit, GroupCommit } from '../group-commit';
import { retryBusy } from '../retry-busy';
import { isPlain } from '../sql';
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
import type { StoredVersions } from '../stored-versions';
import { DatabaseState, ListStates } from './cache/database-state';
import { RowCache } from './cache/row-cache';
import type { Connection, Statement } from './connection/driver';
import { storeError } from './connection/errors';
import { Reading } from './connection/reading';
import { databaseFile, IN_MEMORY } from './file/database-file';
import { invalidateIndexes, invalidateLog } from './file/setup';
import { type OpenDatabase, openFile, openMemory } from './open-database';
import type { OpenedStore, SqliteParts } from './parts/sqlite-parts';
import { SqliteList } from './reads/list';
import { SqliteResponses } from './reads/responses';
import type { Applied } from './writes/batch-writer';

/** Time after a commit in which the store counts as writable, in ms. */
const FRESH = 1000;

/** Changes nothing visible, but is written like a write: shows that the store is writable. */
const PROBE = { sql: 'UPDATE probe SET written = written + 1', parameters: [] };

/**
 * A store in a SQLite file, or in memory for `:memory:`. Writes go through group commit on one connection; reads have
 * a connection of their own, so that they work while another process holds the write lock.
 */
export class SqliteStore implements Store {
  readonly versions: StoredVersions;
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

  private constructor(
    database: OpenDatabase,
    private readonly limits: StoreSettings,
    private readonly parts: SqliteParts,
  ) {
    const { reading, writer, state, another } = database;
    this.#database = database;
    this.#reading = new Reading(reading);
    this.#get = reading.prepare(
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
      run: async (...statements) => (await this.#commits.submit({ action: 'run', statements })) === 'done',
      onCommit: (listener) => void this.#listeners.push(listener),
      declare: (declared) => writer.declare(declared),
    };
    this.versions = this.#reading.versions;
    this.responses = new SqliteResponses(opened);
    for (const part of partsIn(parts)) Object.assign(this, part.open(opened));
  }

  /**
   * Opens the database of this name, creates it with its folder when it is missing, and brings its schema up to date.
   * Throws StoreUnavailable, and StoreRefused for an unusable file, which stays as it is.
   */
  static async open(name: string, limits: StoreSettings, parts: SqliteParts): Promise<Store> {
    const connections: Connection[] = [];
    try {
      const database =
        name === IN_MEMORY
          ? openMemory(connections, parts)
          : await openFile(databaseFile(name), connections, limits, parts);
      return new SqliteStore(database, limits, parts);
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

  remembered(kind: string, uid: string): StoredResource | undefined {
    return this.#hot.remembered(kind, uid);
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

  async noteOmissions(): Promise<void> {
    const { indexing, events } = this.parts;
    if (indexing !== undefined && events !== undefined) return;
    const { another, reading, writer } = this.#database;
    const connection = another?.() ?? reading;
    const note = (): void => {
      if (indexing === undefined) invalidateIndexes(connection);
      if (events === undefined) invalidateLog(connection);
    };
    try {
      await retryBusy(note, performance.now() + this.limits.busyTimeoutMs);
    } finally {
      if (another !== undefined) connection.close();
    }
    // It makes no entries.
    if (indexing === undefined) writer.declare(new Map());
  }

  async ready(): Promise<void> {
    this.#reading.check();
    if (performance.now() - this.#lastCommit <= FRESH) return;
    await this.#commits.submit({ action: 'run', statements: [PROBE] });
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
