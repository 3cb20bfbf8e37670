import { postgresWith } from '..';

/** PostgreSQL, with indexes of the fields of resources. */
export const indexedPostgres = postgresWith(async () => (await import('./indexes')).postgresIndexing);
