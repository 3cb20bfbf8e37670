import type { Database } from '../database';
import type { PartLoaders } from './postgres-parts';

/**
 * Returns PostgreSQL as a kind of database: a server that several processes and machines share. A service on SQLite does
 * not load its modules, nor those of the parts that it has.
 */
export function postgresWith({ events, history, indexing, migration }: PartLoaders = {}): Database {
  return {
    forms: 'postgres://user:password@host/database',
    accepts: (url) => /^postgres(ql)?:/.test(url),
    async open(url, settings) {
      const { PostgresStore } = await import('./store');
      return PostgresStore.open(url, settings, {
        events: await events?.load(),
        history: await history?.load(),
        indexing: await indexing?.load(),
        migration: await migration?.load(),
      });
    },
    async inspect(url, settings, check) {
      return (await import('./store')).inspectPostgres(url, settings, check);
    },
    ...indexing?.database,
  };
}
