import { existsSync } from 'node:fs';
import type { IndexEntry } from '../../indexes';
import { changedKinds, digestsToBe } from '../../indexing/index-state';
import { rebuild } from '../../indexing/rebuild';
import type {
  IndexedKind,
  IndexProblem,
  Progress,
  Referrer,
  StoreIndexes,
} from '../../indexing/store-indexes';
import { retryBusy } from '../../retry-busy';
import { ANY_TEXT, type Listed, type StoredResource } from '../../store';
import { connect, type Connection } from '../connection/driver';
import { guard, storeError } from '../connection/errors';
import { rollback } from '../connection/transaction';
import { checkDatabase } from '../file/database-check';
import { databaseFile } from '../file/database-file';
import { INDEXING } from '../file/index-tables';
import { schemaVersion } from '../file/migrations';
import type { OpenedStore } from '../parts/sqlite-parts';
import { IndexReader } from './index-reader';
import { SqliteRebuild } from './rebuild-target';

/** The tables of entries, of one connection alone, which are found before those of the database. */
const TEMPORARY_INDEXING = INDEXING.replaceAll('CREATE TABLE', 'CREATE TEMP TABLE').replaceAll(
  'CREATE INDEX ',
  'CREATE INDEX temp.',
);

/** The page cache of a connection that makes entries, in KiB. */
const CACHE = 65_536;

/** The entries of a SQLite database, and the rules under which they were made. */
export class SqliteIndexes implements StoreIndexes {
  readonly #entries: IndexReader;

  constructor(private readonly store: OpenedStore) {
    this.#entries = new IndexReader(store.reading.connection);
  }

  findAll(
    kind: string,
    entries: readonly IndexEntry[],
    maxText = ANY_TEXT,
  ): (Listed<StoredResource> | undefined)[] {
    const none = entries.map(() => undefined);
    return this.store.reading.ofKind(kind, none, (id) => this.#entries.findAll(id, entries, maxText));
  }

  referrers(ids: readonly number[], limit: number): Referrer[] {
    return this.store.reading.run(() => this.#entries.referrers(ids, limit));
  }

  digests(): ReadonlyMap<string, string> {
    return guard(() => digestsOf(this.store.reading.connection));
  }

  async rebuild(kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]> {
    const problems = await this.#rebuild(kinds, progress);
    if (problems.length === 0) this.store.declare(digestsToBe(kinds));
    return problems;
  }

  async #rebuild(kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]> {
    if (changedKinds(kinds, this.digests()).length === 0) return [];
    return this.#with(async (connection) => {
      await retryBusy(() => guard(() => connection.exec('BEGIN IMMEDIATE')), Infinity);
      connection.exec('PRAGMA defer_foreign_keys = ON');
      // Another process may have been faster.
      const changed = changedKinds(kinds, digestsOf(connection));
      const problems = await rebuild(new SqliteRebuild(connection), { changed, served: kinds }, progress);
      connection.exec(problems.length === 0 ? 'COMMIT' : 'ROLLBACK');
      return problems;
    });
  }

  check(kinds: readonly IndexedKind[]): Promise<IndexProblem[]> {
    return this.#with((connection) => check(connection, kinds));
  }

  /** Runs an action on a connection of its own. A transaction that it leaves open is undone. */
  async #with<T>(action: (connection: Connection) => Promise<T>): Promise<T> {
    const { reading, another } = this.store;
    const connection = another?.() ?? reading.connection;
    try {
      connection.exec(`PRAGMA cache_size = -${CACHE}`);
      return await action(connection);
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
  if (name === ':memory:' || !existsSync(path)) return [];
  const connection = connect(path, true);
  try {
    return schemaVersion(connection) === 0 ? [] : await check(connection, kinds, progress);
  } catch (error) {
    throw storeError(error);
  } finally {
    connection.close();
  }
}

/** Makes the entries in temporary tables, in a transaction that is left open. */
async function check(
  connection: Connection,
  kinds: readonly IndexedKind[],
  progress?: Progress,
): Promise<IndexProblem[]> {
  connection.exec(`BEGIN; ${TEMPORARY_INDEXING}; PRAGMA defer_foreign_keys = ON`);
  return rebuild(new SqliteRebuild(connection), { changed: kinds, served: kinds }, progress);
}

function digestsOf(connection: Connection): ReadonlyMap<string, string> {
  const rows = connection
    .prepare<{ kind: string; digest: string }>('SELECT kind, digest FROM index_states')
    .all();
  return new Map(rows.map(({ kind, digest }) => [kind, digest]));
}
