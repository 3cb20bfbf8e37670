import type { Of } from '../../command';
import type { NewEvent, NewState } from '../../store';
import { labelTokens } from './labels';
import { type BatchStatement, type Column, column } from './writer';

const STATE: Column<NewState>[] = [
  column('uid', 'text', ({ uid }) => uid),
  column('version', 'text', ({ version }) => version),
  column('etag', 'text', ({ etag }) => etag),
  column('kept', 'text', ({ kept }) => kept),
  column('text', 'text', ({ text }) => text),
  column('version_id', 'text', ({ snapshot }) => snapshot?.versionId ?? null),
  column('snapshot_version', 'text', ({ snapshot }) => snapshot?.version ?? null),
  column('snapshot_kept', 'text', ({ snapshot }) => snapshot?.kept ?? null),
  column('snapshot_text', 'text', ({ snapshot }) => snapshot?.text ?? null),
  column('keep', 'bigint', ({ keepSnapshots }) => keepSnapshots ?? null),
];

/** Locks the table of events as their insertion does; the first statement of a transaction of several. */
export const LOCK_EVENTS = 'LOCK TABLE events IN ROW EXCLUSIVE MODE';

const EVENT: Column<{ event?: NewEvent }>[] = [
  column('event_id', 'text', ({ event }) => event?.id ?? null),
  column('event_type', 'text', ({ event }) => event?.type ?? null),
  column('event_text', 'text', ({ event }) => event?.text ?? null),
  column('event_kept', 'text', ({ event }) => event?.kept ?? null),
];

const MATCH: Column<{ id: number; revision: number; uid: string }>[] = [
  column('id', 'bigint', ({ id }) => id),
  column('revision', 'bigint', ({ revision }) => revision),
];

/** The condition that an input `i` is of the present state of a resource `r`. */
export const MATCHES = 'r.id = i.id AND r.revision = i.revision AND r.kind = i.kind AND r.uid = i.uid';

/** The resources to write. One that another transaction has locked must not hold up the others. */
const FREE = `SELECT i.n, r.id FROM input i JOIN resources r ON ${MATCHES} FOR UPDATE OF r SKIP LOCKED`;

const OPEN = `SELECT i.n FROM input i JOIN resources r ON ${MATCHES}`;

const ADD_SNAPSHOT = `INSERT INTO snapshots (resource, version_id, version, kept, text)
  SELECT d.id, i.version_id, i.snapshot_version, i.snapshot_kept, i.snapshot_text
  FROM done d JOIN input i USING (n) WHERE i.version_id IS NOT NULL`;

/** This part of the statement does not see the new snapshot: one less of the others stays. */
const TRIM_SNAPSHOTS = `DELETE FROM snapshots s USING done d JOIN input i USING (n)
  WHERE i.version_id IS NOT NULL AND i.keep IS NOT NULL AND s.resource = d.id AND s.version_id <= (
    SELECT o.version_id FROM snapshots o WHERE o.resource = d.id
    ORDER BY o.version_id DESC OFFSET greatest(i.keep - 1, 0) LIMIT 1)`;

const ADD_EVENT = `INSERT INTO events (id, type, kind, uid, text, kept)
  SELECT i.event_id, i.event_type, i.kind, i.uid, i.event_text, i.event_kept
  FROM done d JOIN input i USING (n) WHERE i.event_id IS NOT NULL ORDER BY n`;

/** The position of the event of an input `i`, taken for its row before the event is added. */
const NEXT_POSITION = `CASE WHEN i.event_id IS NOT NULL
  THEN pg_current_xact_id()::text || '-' || nextval(pg_get_serial_sequence('events', 'position')) END`;

/** Adds an event at the position that its row has taken. */
const ADD_EVENT_OF_ROW = `INSERT INTO events (position, id, type, kind, uid, text, kept) OVERRIDING SYSTEM VALUE
  SELECT split_part(d.position, '-', 2)::bigint, i.event_id, i.event_type, i.kind, i.uid, i.event_text, i.event_kept
  FROM done d JOIN input i USING (n) WHERE i.event_id IS NOT NULL ORDER BY n`;

/** Inserts the resources of the input `i` that a condition allows. */
const insertWhere = (condition: string): string =>
  `INSERT INTO resources (kind, uid, revision, version, etag, kept, text, labels, position)
    SELECT kind, uid, 1, version, etag, kept, text, string_to_array(labels, E'\\n'), ${NEXT_POSITION}
    FROM input i ${condition} ORDER BY n
    ON CONFLICT (uid) DO NOTHING RETURNING id, uid, position`;

export const CREATE: BatchStatement<Of<'create'>> = {
  name: 'create',
  columns: [
    ...STATE,
    ...EVENT,
    column('labels', 'text', ({ labels }, kind) => labelTokens(kind, labels).join('\n')),
  ],
  parts: {
    made: insertWhere(''),
    done: 'SELECT i.n, made.id, made.position FROM made JOIN input i USING (uid)',
    snapshot: ADD_SNAPSHOT,
    event: ADD_EVENT_OF_ROW,
  },
  key: ({ uid }) => uid,
};

/** The condition that the key of an input `i` is free. */
export const KEY_IS_FREE = 'NOT EXISTS (SELECT FROM responses k WHERE k.key = i.response_key)';

/** Creates that have an Idempotency-Key. One that another transaction has just taken fails the whole statement. */
export const KEYED_CREATE: BatchStatement<Of<'create'>> = {
  name: 'keyed-create',
  columns: [
    ...CREATE.columns,
    column('response_key', 'text', ({ keyed }) => keyed?.key ?? null),
    column('request', 'text', ({ keyed }) => keyed?.request ?? null),
    column('expires_at', 'bigint', ({ keyed }) => keyed?.expiresAt ?? null),
    column('headers', 'text', ({ keyed }) => keyed?.headers ?? null),
    column('response_text', 'text', ({ keyed }) => keyed?.text ?? null),
  ],
  parts: {
    ...CREATE.parts,
    made: insertWhere(`WHERE ${KEY_IS_FREE}`),
    response: `INSERT INTO responses (key, request, expires_at, headers, text)
      SELECT i.response_key, i.request, i.expires_at, i.headers, i.response_text
      FROM done d JOIN input i USING (n) ORDER BY i.response_key`,
  },
  key: ({ keyed, uid }) => keyed?.key ?? uid,
  hasRaces: true,
};

function matchKey({ kind, uid, id, revision }: Of<'update' | 'delete'>): string {
  return `${kind} ${uid} ${id} ${revision}`;
}

export const UPDATE: BatchStatement<Of<'update'>> = {
  name: 'update',
  columns: [
    ...MATCH,
    ...STATE,
    ...EVENT,
    column('labels', 'text', ({ labels }, kind) => (labels ? labelTokens(kind, labels).join('\n') : null)),
    column('is_rewrite', 'integer', ({ isRewrite }) => (isRewrite ? 1 : 0)),
  ],
  parts: {
    free: FREE,
    done: `UPDATE resources r SET revision = r.revision + 1, version = i.version, etag = i.etag, kept = i.kept,
        text = i.text, labels = coalesce(string_to_array(i.labels, E'\\n'), r.labels),
        position = CASE WHEN i.is_rewrite = 1 THEN r.position ELSE ${NEXT_POSITION} END
      FROM input i JOIN free f USING (n) WHERE r.id = f.id RETURNING i.n, r.id, r.position`,
    snapshot: ADD_SNAPSHOT,
    trim: TRIM_SNAPSHOTS,
    event: ADD_EVENT_OF_ROW,
  },
  open: OPEN,
  key: matchKey,
};

export const DELETE: BatchStatement<Of<'delete'>> = {
  name: 'delete',
  columns: [...MATCH, column('uid', 'text', ({ uid }) => uid), ...EVENT],
  parts: {
    free: FREE,
    done: 'DELETE FROM resources r USING free f WHERE r.id = f.id RETURNING f.n, r.id',
    snapshots: 'DELETE FROM snapshots s USING done d WHERE s.resource = d.id',
    event: ADD_EVENT,
  },
  open: OPEN,
  key: matchKey,
};
