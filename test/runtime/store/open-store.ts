import { storeSettings } from '../../../templates/runtime/service/known-store';
import { readSettings } from '../../../templates/runtime/settings/settings';
import * as database from '../../../templates/runtime/store/database';
import type { IndexedKind, IndexProblem } from '../../../templates/runtime/store/indexing/store-indexes';
import { postgresWith } from '../../../templates/runtime/store/postgres';
import { postgresEvents } from '../../../templates/runtime/store/postgres/events';
import { postgresHistory } from '../../../templates/runtime/store/postgres/history';
import { postgresIndexing } from '../../../templates/runtime/store/postgres/indexing';
import { postgresMigration } from '../../../templates/runtime/store/postgres/migration';
import { sqliteWith } from '../../../templates/runtime/store/sqlite';
import { sqliteEvents } from '../../../templates/runtime/store/sqlite/events';
import { sqliteHistory } from '../../../templates/runtime/store/sqlite/history';
import { sqliteIndexing } from '../../../templates/runtime/store/sqlite/indexing';
import { sqliteMigration } from '../../../templates/runtime/store/sqlite/migration';
import type { Store } from '../../../templates/runtime/store/store';
import type { StoredVersions } from '../../../templates/runtime/store/stored-versions';

/** The optional parts of a store. */
export interface Parts {
  events?: boolean;
  indexing?: boolean;
}

/** Returns every kind of database that a service may have, with these parts. */
export function databasesWith({ events = false, indexing = false }: Parts): database.Database[] {
  return [
    sqliteWith({
      history: sqliteHistory,
      migration: sqliteMigration,
      ...(events && { events: sqliteEvents }),
      ...(indexing && { indexing: sqliteIndexing }),
    }),
    postgresWith({
      history: postgresHistory,
      migration: postgresMigration,
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
const PATIENT = storeSettings(readSettings({ POSTGRES_CONNECT_TIMEOUT_MS: '60000' }));

/** Opens the store that a URL names, of one of these kinds, for writes. */
export async function openStoreOf(
  databases: readonly database.Database[],
  url: string,
  options?: database.StoreOptions,
): Promise<Store> {
  const store = await database.databaseOf(databases, url).open(url, { ...PATIENT, ...options });
  await store.noteOmissions();
  return store;
}

/** Opens the store that a URL names, of any kind. */
export function openStore(url: string, options?: database.StoreOptions): Promise<Store> {
  return openStoreOf(DATABASES, url, options);
}

/** Opens the same store with indexes. */
export function openIndexedStore(url: string, options?: database.StoreOptions): Promise<Store> {
  return openStoreOf(INDEXED_DATABASES, url, options);
}

/** Describes the database that a URL names, of any kind. */
export async function inspectStore(
  url: string,
  check: (versions: StoredVersions) => Promise<void>,
): Promise<string> {
  return database.databaseOf(DATABASES, url).inspect(url, PATIENT, check);
}

/** Checks the database that a URL names, of any kind, against the rules of indexes. */
export function checkIndexes(url: string, kinds: readonly IndexedKind[]): Promise<IndexProblem[]> {
  return database.databaseOf(INDEXED_DATABASES, url).checkIndexes!(url, PATIENT, kinds);
}
