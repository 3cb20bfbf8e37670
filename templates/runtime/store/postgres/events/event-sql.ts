import { LONGEST_HOLD } from '../../events/event-log';

/**
 * Returns the horizon: the first transaction that may still add an event, or one after all. Events before it are settled
 * for every statement that begins later, so they are read in a second statement.
 *
 * A writer locks the table of events before it gets a transaction id, and keeps the lock until its changes are visible. A
 * transaction that was running when the statement began, and that holds its id without this lock, is a stranger's: it
 * adds no event, and is not waited for. One that has ended by now shows in the second statement.
 */
const HORIZON = `WITH locks AS MATERIALIZED (
    SELECT virtualtransaction AS owner, locktype, database, relation, transactionid, mode FROM pg_locks WHERE granted
  ), writers AS (
    SELECT owner FROM locks
    WHERE locktype = 'relation' AND relation = to_regclass('events')
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  ), strangers AS (
    SELECT transactionid AS id FROM locks
    WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND owner NOT IN (SELECT owner FROM writers)
  )
  SELECT coalesce(
    (SELECT running.id FROM pg_snapshot_xip(pg_current_snapshot()) running (id)
     WHERE running.id::xid NOT IN (SELECT id FROM strangers) AND pg_xact_status(running.id) = 'in progress'
     ORDER BY running.id LIMIT 1),
    pg_snapshot_xmax(pg_current_snapshot()))::text AS horizon`;

/** The length of the texts of an event, in characters. */
const LENGTH = 'length(text) + coalesce(length(kept), 0)';

/** The statements of the event log. $1 and $2 are the transaction and the number of a position, where there is one. */
export const EVENT_SQL = {
  horizon: HORIZON,

  // $1 is the horizon.
  newest: `SELECT place.transaction::text, place.position FROM (
      (SELECT transaction, position FROM events WHERE transaction < $1::xid8 ORDER BY transaction DESC, position DESC LIMIT 1)
      UNION ALL SELECT transaction, position FROM event_mark
    ) place LIMIT 1`,

  // $5 is the horizon. Returns at least one row, with the state of the position. Each is that of an event: one that the
  // server does not have was lost in a failover, or left out by a restore of the SQLite database that was copied. The
  // sum of sizes before each event decides, so that the first is always included.
  read: `SELECT state.gone, state.unknown, e.transaction::text, e.position, e.type, k.name AS kind, e.uid,
      extract(epoch FROM date_trunc('second', e.written_at))::bigint * 1000 AS "writtenAt", e.text, e.kept
    FROM (
      SELECT ($1::xid8, $2::bigint) < (transaction, position) AS gone,
             ($1::xid8, $2::bigint) > (transaction, position)
               AND NOT EXISTS (SELECT FROM events WHERE transaction = $1::xid8 AND position = $2) AS unknown
      FROM event_mark
    ) state
    LEFT JOIN (
      SELECT *, sum(${LENGTH}) OVER (ORDER BY transaction, position) - (${LENGTH}) AS before FROM (
        SELECT * FROM events WHERE (transaction, position) > ($1::xid8, $2::bigint) AND transaction < $5::xid8
        ORDER BY transaction, position LIMIT $3
      ) page
    ) e ON e.before < $4
    LEFT JOIN kinds k ON k.id = e.kind
    ORDER BY e.transaction, e.position`,

  // $5 is the horizon. The oldest events, and whether they are beyond the retention and delivered to every consumer. The
  // search begins at the mark: those removed stay in the index until vacuum, which a long transaction of anybody holds up.
  // Hardly more events are stored than there are numbers after the mark: so many are counted only where that may be too many.
  oldest: `SELECT e.transaction::text, e.position,
      e.written_at < now() - make_interval(days => $3) AS expired,
      coalesce((e.transaction, e.position) <= (surplus.transaction, surplus.position), false)
        AND NOT EXISTS (SELECT FROM cursors c WHERE c.held_until > now() - make_interval(secs => $4)
                        AND (c.transaction, c.position) < (e.transaction, e.position)) AS surplus
    FROM (SELECT * FROM events WHERE (transaction, position) > (SELECT transaction, position FROM event_mark)
            AND transaction < $5::xid8 ORDER BY transaction, position LIMIT $1) e
    LEFT JOIN (SELECT transaction, position FROM events
               WHERE (SELECT max(position) FROM events) - (SELECT position FROM event_mark) > $2 ORDER BY transaction DESC, position DESC
               OFFSET $2 LIMIT 1) surplus ON true
    ORDER BY e.transaction, e.position`,

  // $3 are the numbers of the events up to the position. The order of events has no use as a condition here: the server
  // would go through the whole table where many are of one transaction, as after a copy.
  prune: `WITH marked AS (
      UPDATE event_mark SET transaction = $1::xid8, position = $2
      WHERE (transaction, position) < ($1::xid8, $2::bigint)
    )
    DELETE FROM events WHERE position = ANY ($3::bigint[])`,

  claim: `INSERT INTO cursors (consumer, transaction, position, owner, held_until)
    VALUES ($3, $1::xid8, $2, $4, clock_timestamp() + make_interval(secs => $5))
    ON CONFLICT (consumer) DO UPDATE SET owner = excluded.owner, held_until = excluded.held_until
    WHERE cursors.owner = excluded.owner OR cursors.held_until <= clock_timestamp()
      OR cursors.held_until > clock_timestamp() + make_interval(secs => ${LONGEST_HOLD} * $5)
    RETURNING transaction::text, position`,

  advance: `UPDATE cursors SET transaction = $1::xid8, position = $2,
      held_until = clock_timestamp() + make_interval(secs => $5)
    WHERE consumer = $3 AND owner = $4 RETURNING consumer`,

  release: 'UPDATE cursors SET held_until = clock_timestamp() WHERE consumer = $1 AND owner = $2',

  bury: `INSERT INTO dead_letters (consumer, position, attempts, error, kind, text, kept)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT DO NOTHING`,

  unbury: 'DELETE FROM dead_letters WHERE id = $1',

  trimDeadLetters: `DELETE FROM dead_letters WHERE id <= (
      SELECT id FROM dead_letters ORDER BY id DESC OFFSET $1 LIMIT 1)`,

  deadLetters: `SELECT id, consumer, position, attempts, error, (extract(epoch FROM failed_at) * 1000)::bigint AS "failedAt",
      kind, text, kept
    FROM dead_letters WHERE id > $1 ORDER BY id LIMIT $2`,
} as const;
