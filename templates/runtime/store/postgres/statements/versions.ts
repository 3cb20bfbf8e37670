import type { StoredCount, StoredVersion, StoredVersions } from '../../stored-versions';
import type { PostgresConnections } from './connections';
import type { PostgresKinds } from './kinds';

const RECORDED = 'SELECT k.name AS kind, v.version FROM versions v JOIN kinds k ON k.id = v.kind';

/** A recorded version need not be in use any more. Where it is, the first resources show it. */
const ALL = `SELECT k.name AS kind, v.version FROM versions v JOIN kinds k ON k.id = v.kind
  WHERE EXISTS (SELECT FROM resources r WHERE r.kind = v.kind AND r.version = v.version)
     OR EXISTS (SELECT FROM resources r JOIN snapshots s ON s.resource = r.id
                WHERE r.kind = v.kind AND s.version = v.version)
  ORDER BY k.name, v.version`;

const COUNT = `SELECT (SELECT count(*) FROM resources WHERE kind = $1 AND version = $2) AS resources,
  (SELECT count(*) FROM resources r JOIN snapshots s ON s.resource = r.id
   WHERE r.kind = $1 AND s.version = $2) AS snapshots`;

/** The API versions that resources and snapshots are stored in. */
export class PostgresVersions implements StoredVersions {
  constructor(
    private readonly reads: PostgresConnections,
    private readonly kinds: PostgresKinds,
  ) {}

  recorded(): Promise<StoredVersion[]> {
    return this.reads.read<StoredVersion>({ text: RECORDED, values: [] });
  }

  all(): Promise<StoredVersion[]> {
    return this.reads.read<StoredVersion>({ text: ALL, values: [] });
  }

  async count({ kind, version }: StoredVersion): Promise<StoredCount> {
    const id = await this.kinds.find(kind);
    const [count] = await this.reads.read<StoredCount>({ text: COUNT, values: [id ?? -1, version] });
    return count;
  }
}
