import type { Database } from '../database';
import { retryBusy } from '../retry-busy';
import { inspectSqlite } from './inspection';
import type { SqliteIndexing } from './parts/indexing-parts';
import { SqliteStore } from './store';

/** Returns SQLite as a kind of database, with the indexing of a service that has it. */
export function sqliteWith(indexing?: SqliteIndexing): Database {
  return {
    forms: 'sqlite:<file>, such as sqlite:./data/service.db or sqlite:/var/lib/service.db, sqlite::memory:',
    accepts: (url) => fileOf(url) !== undefined,
    fallback: (service) => `sqlite:./data/${service}.db`,
    async open(url, settings) {
      // Sources that run without a build, in tests and during development, would have to be compiled in the thread again.
      const { writerThread = __filename.endsWith('.js') } = settings;
      return SqliteStore.open(fileOf(url)!, { ...settings, writerThread, indexing });
    },
    async inspect(url, { busyTimeoutMs }, check) {
      return retryBusy(() => inspectSqlite(fileOf(url)!, check), performance.now() + busyTimeoutMs);
    },
    async checkIndexes(url, { busyTimeoutMs }, kinds, progress) {
      const check = async () => (await indexing?.check(fileOf(url)!, kinds, progress)) ?? [];
      return retryBusy(check, performance.now() + busyTimeoutMs);
    },
  };
}

/** SQLite: a file, which a service creates itself, or the memory of the process. */
export const sqlite = sqliteWith();

function fileOf(url: string): string | undefined {
  return /^sqlite:(?!\/\/)(.+)$/s.exec(url)?.[1];
}
