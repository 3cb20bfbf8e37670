import type { PostgresOptions } from './postgres-store';
import { SqliteStore, type SqliteOptions } from './sqlite-store';
import { StoreRefused, type Store } from './store';

/** What a store is opened with; every member has a default. */
export type StoreOptions = Partial<PostgresOptions & SqliteOptions>;

const DEFAULTS: PostgresOptions & SqliteOptions = {
  busyTimeoutMs: 5000,
  batchWrites: 1000,
  batchBytes: 8 * 1024 * 1024,
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
  const [, scheme, rest] = /^([a-z]+):(.*)$/s.exec(url) ?? [];
  if (scheme === 'sqlite' && rest !== '' && !rest.startsWith('//')) return SqliteStore.open(rest, settings);
  if (scheme === 'postgres' || scheme === 'postgresql')
    return (await postgres()).PostgresStore.open(url, settings);
  // The URL itself may carry a password.
  throw new StoreRefused(
    'DATABASE_URL must be sqlite:<file>, such as sqlite:./data/service.db or sqlite:/var/lib/service.db, ' +
      'sqlite::memory:, or postgres://user:password@host/database',
  );
}

/** Loaded when it is needed: a service on SQLite starts without it. */
const postgres = () => import('./postgres-store');
