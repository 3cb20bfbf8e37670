import type { MakeWriter } from '../parts/sqlite-parts';

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
