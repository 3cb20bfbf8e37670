import { labelTokens } from './postgres-labels';
import { column, type BatchStatement, type Column, type Of } from './postgres-writer';
import type { NewEvent, NewState } from './store';

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

const MATCHES = 'r.id = i.id AND r.revision = i.revision AND r.kind = i.kind AND r.uid = i.uid';

const ADD_SNAPSHOT = `INSERT INTO snapshots (resource, version_id, version, kept, text)
  SELECT d.id, i.version_id, i.snapshot_version, i.snapshot_kept, i.snapshot_text
  FROM done d JOIN input i USING (n) WHERE i.version_id IS NOT NULL`;

/** The new snapshot is not seen by this part of its statement: one less of the others is kept. */
const TRIM_SNAPSHOTS = `DELETE FROM snapshots s USING done d JOIN input i USING (n)
  WHERE i.version_id IS NOT NULL AND i.keep IS NOT NULL AND s.resource = d.id AND s.version_id <= (
    SELECT o.version_id FROM snapshots o WHERE o.resource = d.id
    ORDER BY o.version_id DESC OFFSET greatest(i.keep - 1, 0) LIMIT 1)`;

const ADD_EVENT = `INSERT INTO events (id, type, kind, uid, text, kept)
  SELECT i.event_id, i.event_type, i.kind, i.uid, i.event_text, i.event_kept
  FROM done d JOIN input i USING (n) WHERE i.event_id IS NOT NULL ORDER BY n`;

export const CREATE: BatchStatement<Of<'create'>> = {
  name: 'create',
  columns: [
    ...STATE,
    ...EVENT,
    column('labels', 'text', ({ labels }, kind) => labelTokens(kind, labels).join('\n')),
  ],
  parts: {
    made: `INSERT INTO resources (kind, uid, revision, version, etag, kept, text, labels)
      SELECT kind, uid, 1, version, etag, kept, text, string_to_array(labels, E'\\n') FROM input ORDER BY n
      ON CONFLICT (uid) DO NOTHING RETURNING id, uid`,
    done: 'SELECT i.n, made.id FROM made JOIN input i USING (uid)',
    snapshot: ADD_SNAPSHOT,
    event: ADD_EVENT,
  },
  key: ({ uid }) => uid,
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
  ],
  parts: {
    done: `UPDATE resources r SET revision = r.revision + 1, version = i.version, etag = i.etag, kept = i.kept,
        text = i.text, labels = coalesce(string_to_array(i.labels, E'\\n'), r.labels)
      FROM input i WHERE ${MATCHES} RETURNING i.n, r.id`,
    snapshot: ADD_SNAPSHOT,
    trim: TRIM_SNAPSHOTS,
    event: ADD_EVENT,
  },
  key: matchKey,
};

export const DELETE: BatchStatement<Of<'delete'>> = {
  name: 'delete',
  columns: [...MATCH, column('uid', 'text', ({ uid }) => uid), ...EVENT],
  parts: {
    done: `DELETE FROM resources r USING input i WHERE ${MATCHES} RETURNING i.n, r.id`,
    snapshots: 'DELETE FROM snapshots s USING done d WHERE s.resource = d.id',
    event: ADD_EVENT,
  },
  key: matchKey,
};

export const DELETE_SNAPSHOT: BatchStatement<Of<'deleteSnapshot'>> = {
  name: 'delete-snapshot',
  columns: [
    column('uid', 'text', ({ uid }) => uid),
    column('version_id', 'text', ({ versionId }) => versionId),
  ],
  parts: {
    done: `DELETE FROM snapshots s USING input i, resources r
      WHERE r.uid = i.uid AND r.kind = i.kind AND s.resource = r.id AND s.version_id = i.version_id RETURNING i.n`,
  },
  key: ({ kind, uid, versionId }) => `${kind} ${uid} ${versionId}`,
};
