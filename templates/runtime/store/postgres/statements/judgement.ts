import type { SingleWrite, WriteResult } from '../../store';
import type { PostgresConnections } from './connections';
import type { PostgresKinds } from './kinds';

const TAKEN = 'SELECT FROM resources WHERE uid = $1';

const CURRENT = 'SELECT FROM resources WHERE id = $1 AND revision = $2 AND uid = $3 AND kind = $4';

/** Finds out the results of writes of resources without entries. It only reads, and records no kind. */
export class PostgresJudgement {
  constructor(
    private readonly connections: Pick<PostgresConnections, 'read'>,
    private readonly kinds: Pick<PostgresKinds, 'find'>,
  ) {}

  /** Returns the result that a write would have now. */
  async judge(write: SingleWrite): Promise<WriteResult> {
    if (write.action === 'create') {
      const taken = await this.connections.read({ name: 'taken', text: TAKEN, values: [write.uid] });
      return taken.length > 0 ? 'conflict' : 'done';
    }
    const kind = await this.kinds.find(write.kind);
    if (kind === undefined) return 'conflict';
    const { id, revision, uid } = write;
    const values = [id, revision, uid, kind];
    const current = await this.connections.read({ name: 'current', text: CURRENT, values });
    return current.length > 0 ? 'done' : 'conflict';
  }
}
