import { kindsOf } from '../../command';
import type { SingleWrite, WriteResult } from '../../store';
import type { PostgresConnections } from './connections';
import type { PostgresKinds } from './kinds';

const TAKEN = 'SELECT FROM resources WHERE uid = $1';

const CURRENT = 'SELECT FROM resources WHERE id = $1 AND revision = $2 AND uid = $3 AND kind = $4';

/**
 * Returns the result that a write of a resource without entries would have now. It only reads, in a transaction that is
 * refused where that of the write would be, and records no kind.
 */
export async function judgeWrite(
  connections: Pick<PostgresConnections, 'writeAll'>,
  kinds: Pick<PostgresKinds, 'find'>,
  write: SingleWrite,
): Promise<WriteResult> {
  const written = kindsOf([write]);
  if (write.action === 'create') {
    const query = { name: 'taken', text: TAKEN, values: [write.uid], kinds: written };
    const [taken] = await connections.writeAll([query], 'ROLLBACK');
    return taken.length > 0 ? 'conflict' : 'done';
  }
  const kind = await kinds.find(write.kind);
  if (kind === undefined) return 'conflict';
  const { id, revision, uid } = write;
  const values = [id, revision, uid, kind];
  const query = { name: 'current', text: CURRENT, values, kinds: written };
  const [current] = await connections.writeAll([query], 'ROLLBACK');
  return current.length > 0 ? 'done' : 'conflict';
}
