/** A number of the schema of the connection. */
const SCHEMA = "('x' || substr(md5(current_schema), 1, 8))::bit(32)::integer";

/**
 * Returns SQL that takes an advisory lock until the end of the transaction. Services in other schemas of the database do not
 * wait for it; former releases do, which take it for the whole database.
 */
export function lockInSchema(key: number): string {
  return `SELECT pg_advisory_xact_lock_shared(${key}); SELECT pg_advisory_xact_lock(${key}, ${SCHEMA})`;
}
