/** The settled events: those of transactions before which none is under way. */
const SETTLED = 'transaction < pg_snapshot_xmin(pg_current_snapshot())';

/** The statements of the event log. $1 and $2 are the transaction and the number of a position, where there is one. */
export const EVENT_SQL = {
  newest: `SELECT place.transaction::text, place.position FROM (
      (SELECT transaction, position FROM events WHERE ${SETTLED} ORDER BY transaction DESC, position DESC LIMIT 1)
      UNION ALL SELECT transaction, position FROM event_mark
    ) place LIMIT 1`,

  // One row at least, which tells about the position: those without a transaction end with what was copied. Of the sizes, the sum before each event decides, so that the
  // first is always there.
  read: `SELECT state.gone, state.unknown, e.transaction::text, e.position, e.type, k.name AS kind, e.uid,
      extract(epoch FROM date_trunc('second', e.written_at))::bigint * 1000 AS "writtenAt", e.text, e.kept
    FROM (
      SELECT ($1::xid8, $2::bigint) < (transaction, position) AS gone,
             $1::xid8 >= pg_snapshot_xmin(pg_current_snapshot()) OR $1::xid8 = '0' AND $2 > greatest(
               CASE WHEN transaction = '0' THEN position END,
               (SELECT max(position) FROM events WHERE transaction = '0'), 0) AS unknown
      FROM event_mark
    ) state
    LEFT JOIN (
      SELECT *, sum(length(text)) OVER (ORDER BY transaction, position) - length(text) AS before FROM (
        SELECT * FROM events WHERE (transaction, position) > ($1::xid8, $2::bigint) AND ${SETTLED}
        ORDER BY transaction, position LIMIT $3
      ) page
    ) e ON e.before < $4
    LEFT JOIN kinds k ON k.id = e.kind
    ORDER BY e.transaction, e.position`,

  // The oldest events, and which of them are beyond the number to keep and have been had by every consumer.
  oldest: `SELECT e.transaction::text, e.position,
      e.written_at < now() - make_interval(days => $3) AS expired,
      coalesce((e.transaction, e.position) <= (surplus.transaction, surplus.position), false)
        AND NOT EXISTS (SELECT FROM cursors c WHERE c.held_until > now() - make_interval(secs => $4)
                        AND (c.transaction, c.position) < (e.transaction, e.position)) AS surplus
    FROM (SELECT * FROM events WHERE ${SETTLED} ORDER BY transaction, position LIMIT $1) e
    LEFT JOIN (SELECT transaction, position FROM events ORDER BY transaction DESC, position DESC
               OFFSET $2 LIMIT 1) surplus ON true
    ORDER BY e.transaction, e.position`,

  prune: `WITH marked AS (
      UPDATE event_mark SET transaction = $1::xid8, position = $2
      WHERE (transaction, position) < ($1::xid8, $2::bigint)
    )
    DELETE FROM events WHERE (transaction, position) <= ($1::xid8, $2::bigint)`,

  claim: `INSERT INTO cursors (consumer, transaction, position, owner, held_until)
    VALUES ($3, $1::xid8, $2, $4, clock_timestamp() + make_interval(secs => $5))
    ON CONFLICT (consumer) DO UPDATE SET owner = excluded.owner, held_until = excluded.held_until
    WHERE cursors.owner = excluded.owner OR cursors.held_until <= clock_timestamp()
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
