import type { Database } from '../database';
import { retryBusy } from '../retry-busy';
import { fileOf } from './file/database-file';
import { inspectSqlite } from './open-database';
import type { SqliteParts } from './parts/sqlite-parts';
import { SqliteStore } from './store';

/**
 * Returns SQLite as a kind of database: a file, which a service creates itself, or the memory of the process. It has the
 * parts that the service needs.
 */
export function sqliteWith(parts: SqliteParts = {}): Database {
  return {
    forms: 'sqlite:<file>, such as sqlite:./data/service.db or sqlite:/var/lib/service.db, sqlite::memory:',
    accepts: (url) => fileOf(url) !== undefined,
    fallback: (service) => `sqlite:./data/${service}.db`,
    async open(url, settings) {
      // Sources that run without a build, in tests and during development, would have to be compiled in the thread again.
      const { writerThread = __filename.endsWith('.js') } = settings;
      return SqliteStore.open(fileOf(url)!, { ...settings, writerThread }, parts);
    },
    async inspect(url, { busyTimeoutMs }, check) {
      return retryBusy(() => inspectSqlite(fileOf(url)!, check), performance.now() + busyTimeoutMs);
    },
    ...parts.indexing?.database,
  };
}
