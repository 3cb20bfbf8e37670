import type { SnapshotKey } from '../../history/snapshots';
import { isPlain } from '../../label-text';
import type { WriteResult } from '../../store';
import type { MakeWriter } from '../parts/sqlite-parts';

/** Makes the writer of snapshots, inside the transaction of a batch. Those of a deleted resource go with its row. */
export const writer: MakeWriter = ({ connection, kinds }) => {
  const insert = connection.prepare(
    'INSERT INTO snapshots (resource, version_id, version, kept, text) VALUES (?, ?, ?, ?, ?)',
  );
  const trim = connection.prepare(
    `DELETE FROM snapshots WHERE resource = ? AND version_id <= (
       SELECT version_id FROM snapshots WHERE resource = ? ORDER BY version_id DESC LIMIT 1 OFFSET ?)`,
  );
  const remove = connection.prepare(
    `DELETE FROM snapshots WHERE version_id = ? AND resource = (SELECT id FROM resources WHERE uid = ? AND kind = ?)`,
  );
  const removed = ({ kind: name, uid, versionId }: SnapshotKey): WriteResult => {
    const kind = kinds.find(name);
    if (kind === undefined || !isPlain(uid) || !isPlain(versionId)) return 'conflict';
    return remove.run(versionId, uid, kind).changes === 0 ? 'conflict' : 'done';
  };
  return {
    apply: (command) => (command.action === 'deleteSnapshot' ? removed(command) : undefined),
    written(write, { id }) {
      if (write.action === 'delete' || write.snapshot === undefined) return;
      const { snapshot, keepSnapshots } = write;
      insert.run(id, snapshot.versionId, snapshot.version, snapshot.kept, snapshot.text);
      if (keepSnapshots !== undefined) trim.run(id, id, keepSnapshots);
    },
  };
};
