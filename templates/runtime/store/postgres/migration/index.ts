import type { PartLoader } from '../postgres-parts';

/** Resources and snapshots of PostgreSQL databases that are stored in other versions than their storage version. */
export const postgresMigration: PartLoader = {
  async load() {
    const { PostgresOthers } = await import('./others');
    return { open: (store) => ({ adds: { others: new PostgresOthers(store) } }) };
  },
};
