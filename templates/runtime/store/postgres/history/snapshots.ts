import type { Of } from '../../command';
import { type SnapshotKey, snapshotOrder, type SnapshotPage, type Snapshots } from '../../history/snapshots';
import { isPlain } from '../../label-text';
import { ANY_TEXT, type Listed, listed, type StoredSnapshot } from '../../store';
import { orOmitted } from '../../stored-resource';
import type { OpenedStore } from '../postgres-parts';
import type { PostgresQueue } from '../statements/queue';
import { type BatchStatement, column } from '../statements/writer';

const COLUMNS = 's.version_id AS "versionId", s.version';
const OF_RESOURCE = `FROM resources r JOIN snapshots s ON s.resource = r.id WHERE r.uid = $1 AND r.kind = $2`;

const SNAPSHOT_OF_INPUT = `FROM input i JOIN resources r ON r.uid = i.uid AND r.kind = i.kind
  JOIN snapshots s ON s.resource = r.id AND s.version_id = i.version_id`;

const DELETE_SNAPSHOT: BatchStatement<Of<'deleteSnapshot'>> = {
  name: 'delete-snapshot',
  columns: [
    column('uid', 'text', ({ uid }) => uid),
    column('version_id', 'text', ({ versionId }) => versionId),
  ],
  parts: {
    free: `SELECT i.n, s.resource, s.version_id ${SNAPSHOT_OF_INPUT} FOR UPDATE OF s SKIP LOCKED`,
    done: `DELETE FROM snapshots s USING free f
      WHERE s.resource = f.resource AND s.version_id = f.version_id RETURNING f.n`,
  },
  open: `SELECT i.n ${SNAPSHOT_OF_INPUT}`,
  key: ({ kind, uid, versionId }) => `${kind} ${uid} ${versionId}`,
};

/** The snapshots of a PostgreSQL database. */
export class PostgresSnapshots implements Snapshots {
  readonly #delete: PostgresQueue<Of<'deleteSnapshot'>>;

  constructor(private readonly store: OpenedStore) {
    this.#delete = store.commits(DELETE_SNAPSHOT);
  }

  async list(kind: string, uid: string, page: SnapshotPage): Promise<Listed<StoredSnapshot>[]> {
    const id = await this.store.kinds.find(kind);
    if (id === undefined || !isPlain(uid)) return [];
    const { limit, maxText = ANY_TEXT } = page;
    const [compared, start, order] = snapshotOrder(page);
    const text = `SELECT ${COLUMNS}, ${orOmitted('s', '$5::int')} ${OF_RESOURCE}
      AND s.version_id ${compared} $3 ORDER BY s.version_id ${order} LIMIT $4`;
    const rows = await this.store.reads.read<StoredSnapshot & { omitted: number | null }>({
      name: `snapshots ${order}`,
      text,
      values: [uid, id, start, limit, maxText],
    });
    return rows.map(listed);
  }

  async find({ kind, uid, versionId }: SnapshotKey): Promise<StoredSnapshot | undefined> {
    const id = await this.store.kinds.find(kind);
    if (id === undefined || !isPlain(uid) || !isPlain(versionId)) return undefined;
    const text = `SELECT ${COLUMNS}, s.text, s.kept ${OF_RESOURCE} AND s.version_id = $3`;
    const [snapshot] = await this.store.reads.read<StoredSnapshot>({
      name: 'snapshot',
      text,
      values: [uid, id, versionId],
    });
    return snapshot;
  }

  async delete(key: SnapshotKey): Promise<boolean> {
    if (!isPlain(key.uid) || !isPlain(key.versionId)) return false;
    return (await this.#delete.submit({ action: 'deleteSnapshot', ...key })) === 'done';
  }
}
