import type { PartLoader } from '../postgres-parts';

/** The indexes of the fields of resources in PostgreSQL databases. */
export const postgresIndexing: PartLoader = {
  async load() {
    const { openIndexes } = await import('./indexes');
    return { open: openIndexes };
  },
  database: {
    async checkIndexes(url, settings, kinds, progress) {
      return (await import('./index-state')).checkPostgresIndexes(url, settings, kinds, progress);
    },
  },
};
