import type { Command } from '../../command';
import { isPlain } from '../../label-text';
import {
  ANY_TEXT,
  type Listed,
  type ListedTexts,
  type ListQuery,
  type MaybePromise,
  type SnapshotKey,
  snapshotOrder,
  type SnapshotPage,
  type StoredResource,
  type StoredSnapshot,
  StoreUnavailable,
  type WriteResult,
} from '../../store';
import type { Connection, Statement } from '../connection/driver';
import { guard } from '../connection/errors';
import { KindIds } from '../connection/kind-ids';
import type { SqliteIndexing } from '../parts/indexing-parts';
import { SqliteList } from './list';

const COLUMNS = 's.version_id AS versionId, s.version, s.kept';
const WHERE = 'FROM resources r JOIN snapshots s ON s.resource = r.id WHERE r.uid = ? AND r.kind = ?';

/** The part of a store that its versions and its responses share. */
export interface Sharing {
  submit(command: Command): Promise<WriteResult>;
  /** Throws StoreUnavailable when the store is closed. */
  check(): void;
}

/** The reads of a store, on a connection of its own or that of the writer. All throw StoreUnavailable. */
export class SqliteReader {
  readonly #kinds: KindIds;
  readonly #list: SqliteList;
  readonly #get: Statement<StoredResource>;
  /** By their order. */
  readonly #listSnapshots: Record<'ASC' | 'DESC', Statement<StoredSnapshot & { omitted: number | null }>>;
  readonly #getSnapshot: Statement<StoredSnapshot>;
  #closed = false;

  constructor(connection: Connection, indexing?: SqliteIndexing) {
    this.#kinds = new KindIds(connection);
    this.#list = new SqliteList(connection, indexing);
    this.#get = connection.prepare(
      'SELECT id, uid, revision, version, text, etag, kept, position FROM resources WHERE uid = ? AND kind = ?',
    );
    const snapshots = (
      compared: string,
      order: string,
    ): Statement<StoredSnapshot & { omitted: number | null }> =>
      connection.prepare(
        `SELECT ${COLUMNS}, CASE WHEN octet_length(s.text) <= ? THEN s.text ELSE '' END AS text,
           CASE WHEN octet_length(s.text) > ? THEN octet_length(s.text) END AS omitted
         ${WHERE} AND s.version_id ${compared} ? ORDER BY s.version_id ${order} LIMIT ?`,
      );
    this.#listSnapshots = { ASC: snapshots('>', 'ASC'), DESC: snapshots('<', 'DESC') };
    this.#getSnapshot = connection.prepare(`SELECT ${COLUMNS}, s.text ${WHERE} AND s.version_id = ?`);
  }

  get(kind: string, uid: string): StoredResource | undefined {
    return this.#read(kind, undefined, (id) => (isPlain(uid) ? this.#get.get(uid, id) : undefined));
  }

  list(kind: string, query: ListQuery): MaybePromise<Listed<StoredResource>[]> {
    return this.#read<MaybePromise<Listed<StoredResource>[]>>(kind, [], (id) =>
      this.#list.page(id, query, () => this.check()),
    );
  }

  listTexts(kind: string, query: ListQuery, version: string): ListedTexts | undefined {
    return this.#read(kind, undefined, (id) => this.#list.texts(id, query, version));
  }

  listSnapshots(kind: string, uid: string, page: SnapshotPage): Listed<StoredSnapshot>[] {
    const { limit, maxText = ANY_TEXT } = page;
    const [, start, order] = snapshotOrder(page);
    return this.#read(kind, [], (id) =>
      isPlain(uid)
        ? this.#listSnapshots[order]
            .all(maxText, maxText, uid, id, start, limit)
            .map(({ omitted, ...row }) => (omitted === null ? row : { ...row, omitted }))
        : [],
    );
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

  /** Reads with the id of a kind; returns `without` where none of the kind was ever stored. */
  #read<T>(kind: string, without: T, read: (id: number) => T): T {
    return guard(() => {
      this.check();
      const id = this.#kinds.find(kind);
      return id === undefined ? without : read(id);
    });
  }
}
