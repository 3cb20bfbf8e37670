import type { Client } from 'pg';

/** The tables whose rows have places in the log. */
const NUMBERED_TABLES = ['events', 'cursors', 'event_mark'];

/** Transaction ids start anew in a database that was restored into another server: some of its own may be still to come there. */
const IS_RESTORED = `SELECT ${NUMBERED_TABLES.map(
  (table) => `EXISTS (SELECT FROM ${table} WHERE transaction >= pg_snapshot_xmax(pg_current_snapshot()))`,
).join(' OR ')} AS "isRestored"`;

/**
 * Where transactions ran side by side, the later one may have the lower number. No event must come before the mark then,
 * nor before the position of a consumer that lacks it: both go back.
 */
const MARK_FIRST = `UPDATE event_mark SET position = (SELECT min(position) - 1 FROM events)
  WHERE position > (SELECT min(position) - 1 FROM events)`;
const LACKED = `(SELECT min(l.position) FROM events l WHERE (l.transaction, l.position) > (c.transaction, c.position))`;
const CURSORS_BACK = `UPDATE cursors c SET position = coalesce(
    (SELECT max(e.position) FROM events e WHERE e.position < ${LACKED}), (SELECT position FROM event_mark))
  WHERE c.position > ${LACKED}`;

/**
 * Restored rows then come before everything, in the order of their numbers: all of them, because those whose transactions
 * the server has had already would come after the others. Rows of resources have the positions of events.
 */
const RESTORED = [
  MARK_FIRST,
  CURSORS_BACK,
  ...NUMBERED_TABLES.map((table) => `UPDATE ${table} SET transaction = '0' WHERE transaction <> '0'`),
  `UPDATE resources SET position = split_part(position, '-', 2) WHERE split_part(position, '-', 2) <> ''`,
];

/** Time limit for a statement that changes all rows of a table, in ms. */
const LONG = 3_600_000;

/** Returns a statement whose response may take so long. */
const patiently = (text: string): { text: string; query_timeout: number } => ({ text, query_timeout: LONG });

/** The columns that the server numbers. */
const NUMBERS = [
  ['kinds', 'id'],
  ['resources', 'id'],
  ['events', 'position'],
  ['dead_letters', 'id'],
  ['indexes', 'id'],
  ['timelines', 'number'],
];

const LAST_NUMBERS = NUMBERS.map(
  ([table, column]) =>
    `SELECT pg_get_serial_sequence('${table}', '${column}') AS sequence, (SELECT max(${column}) FROM ${table}) AS last`,
);

/** Logical replication copies rows, and not the last numbers given: the next ones would be given twice. */
const CONTINUE = `SELECT setval(sequence, last) FROM (${LAST_NUMBERS.join(' UNION ALL ')}) numbers
  WHERE CASE WHEN has_sequence_privilege(sequence, 'UPDATE') AND has_sequence_privilege(sequence, 'SELECT, USAGE')
    THEN last > coalesce(pg_sequence_last_value(sequence), 0) END`;

/** Lets a database continue whose rows are those of another server: of a dump, or of logical replication. */
export async function repairRestored(client: Client): Promise<void> {
  const [{ isRestored }] = (await client.query<{ isRestored: boolean }>(IS_RESTORED)).rows;
  if (isRestored) for (const text of RESTORED) await client.query(patiently(text));
  await client.query(CONTINUE);
}
