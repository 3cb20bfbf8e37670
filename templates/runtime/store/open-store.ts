import type { PostgresOptions } from './postgres-store';
import { retryBusy } from './retry-busy';
import { SqliteStore, type SqliteOptions } from './sqlite-store';
import { StoreRefused, type Store } from './store';
import type { StoredVersions } from './stored-versions';

/** What a store is opened with; every member has a default. */
export type StoreOptions = Partial<PostgresOptions & SqliteOptions>;

const DEFAULTS: PostgresOptions & SqliteOptions = {
  busyTimeoutMs: 5000,
  batchWrites: 1000,
  batchBytes: 8 * 1024 * 1024,
  gatherMs: 5,
  queueWrites: 20_000,
  queueBytes: 128 * 1024 * 1024,
  connectTimeoutMs: 1000,
  answerTimeoutMs: 15_000,
  readConnections: 3,
  writeConnections: 2,
  // Sources that run without a build, in tests and while developing, would have to be compiled in the thread again.
  writerThread: __filename.endsWith('.js'),
};

/**
 * Opens the store that a DATABASE_URL names: `sqlite:./data/name.db`, `sqlite:/var/lib/name.db`, `sqlite::memory:`,
 * `postgres://user@host/name`. Throws StoreRefused for a database that must not be used as it is, and for another
 * kind of URL; StoreUnavailable when the database cannot be reached or opened.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const settings = { ...DEFAULTS, ...options };
  const path = sqlitePath(url);
  if (path !== undefined) return SqliteStore.open(path, settings);
  return (await import('./postgres-store')).PostgresStore.open(url, settings);
}

/**
 * Looks at the database that a DATABASE_URL names and changes nothing. Returns in a sentence what is there; `check` is
 * given the API versions of what is stored. Throws what `openStore` throws, as far as it shows without writing.
 */
export async function inspectStore(
  url: string,
  check: (versions: StoredVersions) => Promise<void>,
  options: StoreOptions = {},
): Promise<string> {
  const settings = { ...DEFAULTS, ...options };
  const path = sqlitePath(url);
  if (path === undefined)
    return (await import('./postgres-inspection')).inspectPostgres(url, settings, check);
  const { inspectSqlite } = await import('./sqlite-inspection');
  const deadline = performance.now() + settings.busyTimeoutMs;
  return retryBusy(() => inspectSqlite(path, check), deadline);
}

/** The file of a URL for SQLite, undefined for one of PostgreSQL, whose modules a service on SQLite does not load. */
function sqlitePath(url: string): string | undefined {
  const [, scheme, rest] = /^([a-z]+):(.*)$/s.exec(url) ?? [];
  if (scheme === 'sqlite' && rest !== '' && !rest.startsWith('//')) return rest;
  if (scheme === 'postgres' || scheme === 'postgresql') return undefined;
  // The URL itself may carry a password.
  throw new StoreRefused(
    'DATABASE_URL must be sqlite:<file>, such as sqlite:./data/service.db or sqlite:/var/lib/service.db, ' +
      'sqlite::memory:, or postgres://user:password@host/database',
  );
}
