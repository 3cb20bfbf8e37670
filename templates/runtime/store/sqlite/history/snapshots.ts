import { type SnapshotKey, snapshotOrder, type SnapshotPage, type Snapshots } from '../../history/snapshots';
import { isPlain } from '../../sql';
import { ANY_TEXT, type Listed, listed, type StoredSnapshot } from '../../store';
import { orOmitted } from '../../stored-resource';
import type { Statement } from '../connection/driver';
import type { MakeWriter, OpenedStore } from '../parts/sqlite-parts';

const COLUMNS = 's.version_id AS versionId, s.version';
const WHERE = 'FROM resources r JOIN snapshots s ON s.resource = r.id WHERE r.uid = ? AND r.kind = ?';

const DELETE = `DELETE FROM snapshots WHERE version_id = ? AND resource = (
  SELECT r.id FROM resources r JOIN kinds k ON k.id = r.kind WHERE r.uid = ? AND k.name = ?)`;

type ListedRow = StoredSnapshot & { omitted: number | null };

/** The snapshots of a SQLite database. */
export class SqliteSnapshots implements Snapshots {
  /** By their order. */
  readonly #list: Record<'ASC' | 'DESC', Statement<ListedRow>>;
  readonly #find: Statement<StoredSnapshot>;

  constructor(private readonly store: OpenedStore) {
    const { connection } = store.reading;
    const list = (compared: string, order: string): Statement<ListedRow> =>
      connection.prepare(
        `SELECT ${COLUMNS}, ${orOmitted('s', '?')}
         ${WHERE} AND s.version_id ${compared} ? ORDER BY s.version_id ${order} LIMIT ?`,
      );
    this.#list = { ASC: list('>', 'ASC'), DESC: list('<', 'DESC') };
    this.#find = connection.prepare(`SELECT ${COLUMNS}, s.text, s.kept ${WHERE} AND s.version_id = ?`);
  }

  list(kind: string, uid: string, page: SnapshotPage): Listed<StoredSnapshot>[] {
    const { limit, maxText = ANY_TEXT } = page;
    const [, start, order] = snapshotOrder(page);
    return this.store.reading.ofKind(kind, [], (id) =>
      isPlain(uid) ? this.#list[order].all(maxText, maxText, maxText, uid, id, start, limit).map(listed) : [],
    );
  }

  find({ kind, uid, versionId }: SnapshotKey): StoredSnapshot | undefined {
    return this.store.reading.ofKind(kind, undefined, (id) =>
      isPlain(uid) && isPlain(versionId) ? this.#find.get(uid, id, versionId) : undefined,
    );
  }

  async delete({ kind, uid, versionId }: SnapshotKey): Promise<boolean> {
    if (!isPlain(uid) || !isPlain(versionId)) return false;
    return this.store.run({ sql: DELETE, parameters: [versionId, uid, kind] });
  }
}

/** Makes the writer of snapshots, inside the transaction of a batch. Those of a deleted resource go with its row. */
export const writer: MakeWriter = ({ connection }) => {
  const insert = connection.prepare(
    'INSERT INTO snapshots (resource, version_id, version, kept, text) VALUES (?, ?, ?, ?, ?)',
  );
  const trim = connection.prepare(
    `DELETE FROM snapshots WHERE resource = ? AND version_id <= (
       SELECT version_id FROM snapshots WHERE resource = ? ORDER BY version_id DESC LIMIT 1 OFFSET ?)`,
  );
  return {
    written(write, { id }) {
      if (write.action === 'delete' || write.snapshot === undefined) return;
      const { snapshot, keepSnapshots } = write;
      insert.run(id, snapshot.versionId, snapshot.version, snapshot.kept, snapshot.text);
      if (keepSnapshots !== undefined) trim.run(id, id, keepSnapshots);
    },
  };
};
