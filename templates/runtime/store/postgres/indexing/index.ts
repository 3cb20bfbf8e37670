import type { PostgresIndexing } from '../indexing-parts';

/** Loads the indexes of the fields of resources in PostgreSQL databases. */
export async function postgresIndexing(): Promise<PostgresIndexing> {
  return (await import('./indexes')).indexing;
}
