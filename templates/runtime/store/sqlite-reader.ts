import { KindIds } from './kind-ids';
import { isPlain } from './label-text';
import { listQuery, type Estimate } from './list-query';
import type { Connection, Statement } from './sqlite-driver';
import { storeError } from './sqlite-errors';
import type { ListQuery, SnapshotKey, StoredResource, StoredSnapshot, StoredVersion } from './store';

const COLUMNS = 'r.id, r.uid, r.revision, r.version, r.text, r.etag, r.kept';
const SNAPSHOT_COLUMNS = 's.version_id AS versionId, s.version, s.text, s.kept';

/** How many forms of list queries are kept prepared. */
const CACHED_FORMS = 100;

/** The reads of a store, on a connection of its own or that of the writer. All throw StoreUnavailable. */
export class SqliteReader {
  readonly #kinds: KindIds;
  readonly #get: Statement<StoredResource>;
  readonly #listSnapshots: Statement<StoredSnapshot>;
  readonly #getSnapshot: Statement<StoredSnapshot>;
  readonly #versions: Statement<StoredVersion>;
  readonly #forms = new Map<string, Statement<StoredResource & { count: number }>>();

  constructor(private readonly connection: Connection) {
    this.#kinds = new KindIds(connection);
    this.#get = connection.prepare(`SELECT ${COLUMNS} FROM resources r WHERE r.uid = ? AND r.kind = ?`);
    this.#listSnapshots = connection.prepare(
      `SELECT ${SNAPSHOT_COLUMNS} FROM resources r JOIN snapshots s ON s.resource = r.id
       WHERE r.uid = ? AND r.kind = ? ORDER BY s.version_id`,
    );
    this.#getSnapshot = connection.prepare(
      `SELECT ${SNAPSHOT_COLUMNS} FROM resources r JOIN snapshots s ON s.resource = r.id
       WHERE r.uid = ? AND r.kind = ? AND s.version_id = ?`,
    );
    this.#versions = connection.prepare(
      `SELECT k.name AS kind, v.version FROM versions v JOIN kinds k ON k.id = v.kind
       WHERE EXISTS (SELECT 1 FROM resources r WHERE r.kind = v.kind AND r.version = v.version)
          OR EXISTS (SELECT 1 FROM resources r JOIN snapshots s ON s.resource = r.id
                     WHERE r.kind = v.kind AND s.version = v.version)
       ORDER BY k.name, v.version`,
    );
  }

  get(kind: string, uid: string): StoredResource | undefined {
    return this.#read(() => {
      const id = this.#kinds.find(kind);
      return id === undefined || !isPlain(uid) ? undefined : this.#get.get(uid, id);
    });
  }

  list(kind: string, query: ListQuery): StoredResource[] {
    return this.#read(() => {
      const id = this.#kinds.find(kind);
      if (id === undefined) return [];
      const estimate: Estimate = ({ sql, parameters }) => this.#form(sql).get(...parameters)?.count ?? 0;
      const { sql, parameters } = listQuery(id, query, COLUMNS, estimate);
      return this.#form(sql).all(...parameters);
    });
  }

  listSnapshots(kind: string, uid: string): StoredSnapshot[] {
    return this.#read(() => {
      const id = this.#kinds.find(kind);
      return id === undefined || !isPlain(uid) ? [] : this.#listSnapshots.all(uid, id);
    });
  }

  getSnapshot({ kind, uid, versionId }: SnapshotKey): StoredSnapshot | undefined {
    return this.#read(() => {
      const id = this.#kinds.find(kind);
      return id === undefined || !isPlain(uid) || !isPlain(versionId)
        ? undefined
        : this.#getSnapshot.get(uid, id, versionId);
    });
  }

  storedVersions(): StoredVersion[] {
    return this.#read(() => this.#versions.all());
  }

  /** The statement of a form of query, prepared once. */
  #form(sql: string): Statement<StoredResource & { count: number }> {
    const known = this.#forms.get(sql);
    if (known !== undefined) return known;
    if (this.#forms.size >= CACHED_FORMS) this.#forms.clear();
    const statement = this.connection.prepare<StoredResource & { count: number }>(sql);
    this.#forms.set(sql, statement);
    return statement;
  }

  #read<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw storeError(error);
    }
  }
}
