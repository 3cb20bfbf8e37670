import type { Pauses } from '../../retry-busy';

/** Maximum wait for the lock of a table, in ms: at first, and after several attempts. */
const [FIRST_WAIT, LONGEST_WAIT] = [200, 2_000];

/** Pauses after such a wait, in ms. */
export const LOCK_PAUSES: Pauses = { first: 800, longest: 800 };

/**
 * Returns the statement that limits the wait of a transaction for the lock of a table, at an attempt counted from 0. All that
 * use the table wait behind it, for as long as a backup or a vacuum holds the table, and go on in the pauses. Later attempts
 * wait longer, in case that many transactions take longer than the first wait.
 */
export function limitWait(attempt: number): string {
  return `SET LOCAL lock_timeout = ${Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT)}`;
}

/** A number of the schema of the connection. */
const SCHEMA = "('x' || substr(md5(current_schema), 1, 8))::bit(32)::integer";

/**
 * Returns SQL that takes an advisory lock until the end of the transaction. Services in other schemas of the database do not
 * wait for it; former releases do, which take it for the whole database.
 */
export function lockInSchema(key: number): string {
  return `SELECT pg_advisory_xact_lock_shared(${key}); SELECT pg_advisory_xact_lock(${key}, ${SCHEMA})`;
}
