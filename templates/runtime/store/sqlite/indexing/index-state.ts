import { existsSync } from 'node:fs';
import type { IndexEntry } from '../../indexes';
import { bytesOf } from '../../indexing/key';
import { changedKinds, digestsToBe, rebuild } from '../../indexing/rebuild';
import type {
  IndexedKind,
  IndexProblem,
  Progress,
  Referrer,
  StoreIndexes,
} from '../../indexing/store-indexes';
import { retryBusy } from '../../retry-busy';
import { ANY_TEXT, type Listed, type StoredResource } from '../../store';
import { rowBytes } from '../../stored-resource';
import { connect, type Connection, type Statement } from '../connection/driver';
import { guard, storeError } from '../connection/errors';
import { rollback } from '../connection/transaction';
import { checkDatabase } from '../file/database-check';
import { databaseFile, IN_MEMORY } from '../file/database-file';
import { INDEXING, schemaVersion } from '../file/migrations';
import type { OpenedStore } from '../parts/sqlite-parts';
import { COLUMNS, type ListedArray, type ListedRow, toListed } from '../reads/listed-row';
import { IndexIds } from './index-ids';
import { SqliteRebuild } from './rebuild-target';

/** The tables of entries, of one connection alone, which are found before those of the database. */
const TEMPORARY_INDEXING = INDEXING.replaceAll('CREATE TABLE', 'CREATE TEMP TABLE').replaceAll(
  'CREATE INDEX ',
  'CREATE INDEX temp.',
);

/** The page cache of a connection that makes entries, in KiB. */
const CACHE = 65_536;

const FIND = `SELECT ${COLUMNS}
  FROM uniques u CROSS JOIN resources r ON r.id = u.resource WHERE u.index_id = ? AND u.key = ?`;

const REFERRERS = `SELECT k.name AS kind, r.id, r.uid, ${rowBytes('r')} AS bytes, x.name AS field, t.name AS "index"
  FROM (
    SELECT DISTINCT f.resource, f.index_id, f.target_index FROM json_each(?) given
    CROSS JOIN uniques u ON u.resource = given.value
    CROSS JOIN refs f ON f.target_index = u.index_id AND f.target_key = u.key AND f.resource <> u.resource
  ) f
  CROSS JOIN resources r ON r.id = f.resource
  CROSS JOIN kinds k ON k.id = r.kind
  CROSS JOIN indexes x ON x.id = f.index_id
  CROSS JOIN indexes t ON t.id = f.target_index
  ORDER BY r.id LIMIT ?`;

/** The entries of a SQLite database, and the rules under which they were made. */
export class SqliteIndexes implements StoreIndexes {
  readonly #ids: IndexIds;
  readonly #find: Statement<ListedRow | ListedArray>;
  readonly #referrers: Statement<Referrer>;

  constructor(private readonly store: OpenedStore) {
    const { connection } = store.reading;
    this.#ids = new IndexIds(connection);
    this.#find = connection.prepare(FIND);
    this.#find.setReturnArrays?.(true);
    this.#referrers = connection.prepare(REFERRERS);
  }

  findAll(
    kind: string,
    entries: readonly IndexEntry[],
    maxText = ANY_TEXT,
  ): (Listed<StoredResource> | undefined)[] {
    const none = entries.map(() => undefined);
    return this.store.reading.ofKind(kind, none, (kindId) =>
      entries.map(({ index, key }) => {
        const id = this.#ids.find(kindId, index);
        const row = id === undefined ? undefined : this.#find.get(maxText, maxText, id, bytesOf(key));
        return row && toListed(row);
      }),
    );
  }

  referrers(ids: readonly number[], limit: number): Referrer[] {
    return this.store.reading.run(() => this.#referrers.all(JSON.stringify(ids), limit));
  }

  async rebuild(kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]> {
    const { connection } = this.store.reading;
    const changed = guard(() => changedKinds(kinds, digestsOf(connection)));
    const problems = changed.length === 0 ? [] : await this.#remake(kinds, progress);
    if (problems.length === 0) this.store.declare(digestsToBe(kinds));
    return problems;
  }

  /**
   * Makes the entries of kinds with another digest anew, on a connection of its own, in a transaction that is undone where
   * there are problems.
   */
  async #remake(kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]> {
    const { reading, another } = this.store;
    const connection = another?.() ?? reading.connection;
    try {
      connection.exec(`PRAGMA cache_size = -${CACHE}`);
      await retryBusy(() => guard(() => connection.exec('BEGIN IMMEDIATE')), Infinity);
      connection.exec('PRAGMA defer_foreign_keys = ON');
      // Another process may have been faster.
      const changed = changedKinds(kinds, digestsOf(connection));
      const problems = await rebuild(new SqliteRebuild(connection), { changed, served: kinds }, progress);
      if (problems.length === 0) connection.exec('COMMIT');
      return problems;
    } catch (error) {
      throw storeError(error);
    } finally {
      rollback(connection);
      if (connection !== reading.connection) connection.close();
    }
  }
}

/**
 * Returns the resources of a file that break rules, and changes nothing; none where there is no file. Throws StoreRefused,
 * StoreUnavailable and StoreBusy.
 */
export async function checkSqliteIndexes(
  name: string,
  kinds: readonly IndexedKind[],
  progress?: Progress,
): Promise<IndexProblem[]> {
  const path = databaseFile(name);
  checkDatabase(path);
  if (name === IN_MEMORY || !existsSync(path)) return [];
  const connection = connect(path, true);
  try {
    if (schemaVersion(connection) === 0) return [];
    // The entries are made in temporary tables, in a transaction that is left open.
    connection.exec(`BEGIN; ${TEMPORARY_INDEXING}; PRAGMA defer_foreign_keys = ON`);
    return await rebuild(new SqliteRebuild(connection), { changed: kinds, served: kinds }, progress);
  } catch (error) {
    throw storeError(error);
  } finally {
    connection.close();
  }
}

function digestsOf(connection: Connection): ReadonlyMap<string, string> {
  const rows = connection
    .prepare<{ kind: string; digest: string }>('SELECT kind, digest FROM index_states')
    .all();
  return new Map(rows.map(({ kind, digest }) => [kind, digest]));
}
