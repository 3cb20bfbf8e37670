import { KindIds } from './kind-ids';
import { isPlain } from './label-text';
import type { Connection, Statement } from './sqlite-driver';
import { storeError } from './sqlite-errors';
import { SqliteList } from './sqlite-list';
import {
  StoreUnavailable,
  type ListedTexts,
  type ListQuery,
  type MaybePromise,
  type SnapshotKey,
  type SnapshotPage,
  type StoredResource,
  type StoredSnapshot,
} from './store';

const SNAPSHOTS = `SELECT s.version_id AS versionId, s.version, s.text, s.kept
  FROM resources r JOIN snapshots s ON s.resource = r.id WHERE r.uid = ? AND r.kind = ?`;

/** The reads of a store, on a connection of its own or that of the writer. All throw StoreUnavailable. */
export class SqliteReader {
  readonly #kinds: KindIds;
  readonly #list: SqliteList;
  readonly #get: Statement<StoredResource>;
  readonly #listSnapshots: Statement<StoredSnapshot>;
  readonly #getSnapshot: Statement<StoredSnapshot>;
  #closed = false;

  constructor(connection: Connection) {
    this.#kinds = new KindIds(connection);
    this.#list = new SqliteList(connection);
    this.#get = connection.prepare(
      'SELECT id, uid, revision, version, text, etag, kept FROM resources WHERE uid = ? AND kind = ?',
    );
    this.#listSnapshots = connection.prepare(
      `${SNAPSHOTS} AND s.version_id > ? ORDER BY s.version_id LIMIT ?`,
    );
    this.#getSnapshot = connection.prepare(`${SNAPSHOTS} AND s.version_id = ?`);
  }

  get(kind: string, uid: string): StoredResource | undefined {
    return this.#read(kind, undefined, (id) => (isPlain(uid) ? this.#get.get(uid, id) : undefined));
  }

  list(kind: string, query: ListQuery): MaybePromise<StoredResource[]> {
    return this.#read<MaybePromise<StoredResource[]>>(kind, [], (id) =>
      this.#list.page(id, query, () => this.check()),
    );
  }

  listTexts(kind: string, query: ListQuery, version: string): ListedTexts | undefined {
    return this.#read(kind, undefined, (id) => this.#list.texts(id, query, version));
  }

  listSnapshots(kind: string, uid: string, { after, limit }: SnapshotPage): StoredSnapshot[] {
    return this.#read(kind, [], (id) => (isPlain(uid) ? this.#listSnapshots.all(uid, id, after, limit) : []));
  }

  getSnapshot({ kind, uid, versionId }: SnapshotKey): StoredSnapshot | undefined {
    return this.#read(kind, undefined, (id) =>
      isPlain(uid) && isPlain(versionId) ? this.#getSnapshot.get(uid, id, versionId) : undefined,
    );
  }

  /** Later reads throw; the connection may be closed. */
  close(): void {
    this.#closed = true;
  }

  /** Throws StoreUnavailable when the reader is closed. */
  check(): void {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
  }

  /** Reads with the id of a kind; `without` it where nothing of the kind was ever stored. */
  #read<T>(kind: string, without: T, read: (id: number) => T): T {
    return guard(() => {
      this.check();
      const id = this.#kinds.find(kind);
      return id === undefined ? without : read(id);
    });
  }
}

function guard<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw storeError(error);
  }
}
