import type { PartLoader } from '../postgres-parts';

/** The snapshots of resources in PostgreSQL databases. */
export const postgresHistory: PartLoader = {
  async load() {
    const { PostgresSnapshots } = await import('./snapshots');
    return { open: (store) => ({ adds: { snapshots: new PostgresSnapshots(store) } }) };
  },
};
