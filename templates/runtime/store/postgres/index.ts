import type { Database } from '../database';
import type { PartLoaders } from './postgres-parts';
import { serverReports } from './servers/reports';

/**
 * Returns PostgreSQL as a kind of database: a server that several processes and machines share. A service on SQLite does
 * not load its modules, nor those of the parts that it has.
 */
export function postgresWith({ indexing, events }: PartLoaders = {}): Database {
  return {
    forms: 'postgres://user:password@host/database',
    accepts: (url) => /^postgres(ql)?:/.test(url),
    reports: serverReports,
    async open(url, settings) {
      const { PostgresStore } = await import('./store');
      return PostgresStore.open(url, settings, { indexing: await indexing?.(), events: await events?.() });
    },
    async inspect(url, settings, check) {
      return (await import('./inspection')).inspectPostgres(url, settings, check);
    },
    async checkIndexes(url, settings, kinds, progress) {
      return (await (await indexing?.())?.check(url, settings, kinds, progress)) ?? [];
    },
  };
}
