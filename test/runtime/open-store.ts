import * as database from '../../templates/runtime/store/database';
import type { IndexedKind, IndexProblem } from '../../templates/runtime/store/indexes';
import * as checking from '../../templates/runtime/store/indexing/check-indexes';
import { postgresWith } from '../../templates/runtime/store/postgres';
import { postgresEvents } from '../../templates/runtime/store/postgres/events';
import { postgresIndexing } from '../../templates/runtime/store/postgres/indexing';
import { sqliteWith } from '../../templates/runtime/store/sqlite';
import { sqliteEvents } from '../../templates/runtime/store/sqlite/events';
import { sqliteIndexing } from '../../templates/runtime/store/sqlite/indexing';
import type { Store } from '../../templates/runtime/store/store';
import type { StoredVersions } from '../../templates/runtime/store/stored-versions';

/** The optional parts of a store. */
export interface Parts {
  events?: boolean;
  indexing?: boolean;
}

/** Returns every kind of database that a service may have, with these parts. */
export function databasesWith({ events = false, indexing = false }: Parts): database.Database[] {
  return [
    sqliteWith({ ...(events && { events: sqliteEvents }), ...(indexing && { indexing: sqliteIndexing }) }),
    postgresWith({
      ...(events && { events: postgresEvents }),
      ...(indexing && { indexing: postgresIndexing }),
    }),
  ];
}

/** Every kind of database that a service may have. */
export const DATABASES = databasesWith({ events: true });

/** The same with indexes. */
export const INDEXED_DATABASES = databasesWith({ events: true, indexing: true });

/** A connection may take long while the machine is busy with other tests. */
const PATIENT: database.StoreOptions = { connectTimeoutMs: 60_000 };

/** Opens the store that a URL names, of any kind. */
export function openStore(url: string, options?: database.StoreOptions): Promise<Store> {
  return database.openStore(DATABASES, url, { ...PATIENT, ...options });
}

/** Opens the same store with indexes. */
export function openIndexedStore(url: string, options?: database.StoreOptions): Promise<Store> {
  return database.openStore(INDEXED_DATABASES, url, { ...PATIENT, ...options });
}

/** Describes the database that a URL names, of any kind. */
export function inspectStore(
  url: string,
  check: (versions: StoredVersions) => Promise<void>,
): Promise<string> {
  return database.inspectStore(DATABASES, url, check, PATIENT);
}

/** Checks the database that a URL names, of any kind, against the rules of indexes. */
export function checkIndexes(url: string, kinds: readonly IndexedKind[]): Promise<IndexProblem[]> {
  return checking.checkIndexes(INDEXED_DATABASES, url, kinds, PATIENT);
}
