import { type SnapshotKey, snapshotOrder, type SnapshotPage, type Snapshots } from '../../history/snapshots';
import { isPlain } from '../../sql';
import { ANY_TEXT, type Listed, listed, type StoredSnapshot } from '../../store';
import { orOmitted } from '../../stored-resource';
import type { OpenedStore } from '../postgres-parts';
import { IS_BEGUN } from '../servers/durable';

const COLUMNS = 's.version_id AS "versionId", s.version';
const OF_RESOURCE = `FROM resources r JOIN snapshots s ON s.resource = r.id WHERE r.uid = $1 AND r.kind = $2`;

const DELETE = `DELETE FROM snapshots s USING resources r
  WHERE r.uid = $1 AND r.kind = $2 AND s.resource = r.id AND s.version_id = $3 AND ${IS_BEGUN} RETURNING s.resource`;

/** The snapshots of a PostgreSQL database. */
export class PostgresSnapshots implements Snapshots {
  constructor(private readonly store: OpenedStore) {}

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

  async delete({ kind, uid, versionId }: SnapshotKey): Promise<boolean> {
    const id = await this.store.kinds.find(kind);
    if (id === undefined || !isPlain(uid) || !isPlain(versionId)) return false;
    const query = { name: 'delete-snapshot', text: DELETE, values: [uid, id, versionId] };
    return (await this.store.patiently(() => this.store.writes.write(query))).length > 0;
  }
}
