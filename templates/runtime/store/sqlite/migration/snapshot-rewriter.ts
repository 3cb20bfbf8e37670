import type { RewriteSnapshot } from '../../migration/other-versions';
import type { WriteResult } from '../../store';
import type { MakeWriter } from '../parts/sqlite-parts';

/** Makes the writer of snapshots that are stored in another version, inside the transaction of a batch. */
export const writer: MakeWriter = ({ connection, kinds }) => {
  const statement = connection.prepare(
    'UPDATE snapshots SET version = ?, kept = ?, text = ? WHERE resource = ? AND version_id = ? AND version = ?',
  );
  const rewrite = ({ kind, from, snapshot }: RewriteSnapshot): WriteResult => {
    const { resource, versionId, version } = snapshot;
    const { changes } = statement.run(version, snapshot.kept, snapshot.text, resource, versionId, from);
    if (changes === 0) return 'conflict';
    kinds.store(kind, version);
    return 'done';
  };
  return { apply: (command) => (command.action === 'rewriteSnapshot' ? rewrite(command) : undefined) };
};
