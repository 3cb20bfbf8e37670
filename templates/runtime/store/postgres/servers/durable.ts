/** Begins a transaction in which each statement sees all earlier commits, whatever the default of the database is. */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/**
 * Lets a transaction and its statements take as long as they need, whatever the limits of the database are. PostgreSQL has a
 * limit of transactions since version 17. It ends one whose process sends nothing for a minute: that is gone or stands still, and
 * its locks hold up all writes.
 */
export const PATIENTLY = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 60000;
  SELECT set_config('transaction_timeout', '0', true) WHERE current_setting('transaction_timeout', true) <> '0'`;

/**
 * Makes the commit of a transaction durable, on a synchronous standby as well, where an operator has configured faster
 * commits. It is set in each transaction: behind a pooler the next one may run in another session.
 */
export const DURABLE = `SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') IN ('off', 'local')`;

/**
 * Returns the statement with which the server ends a transaction whose next statement does not arrive for so many ms, or for the
 * time that an operator has set if that is less: a connection that is silent forever would keep its locks, and hold up the
 * events of all processes.
 */
export const abandonedAfter = (ms: number): string =>
  `SELECT set_config('idle_in_transaction_session_timeout', '${ms}', true)
    WHERE NOT current_setting('idle_in_transaction_session_timeout')::interval BETWEEN '1 ms' AND '${ms} ms'`;

/** Marks a transaction as begun, until its end. */
export const MARK = 'SET LOCAL svcgen.begun = on';

/** The condition that a transaction was begun. The server runs what was sent behind a `BEGIN` that it cancelled, each on its own. */
export const IS_BEGUN = `current_setting('svcgen.begun', true) = 'on'`;
