import {
  RECORDED_VERSIONS,
  STORED_VERSIONS,
  type StoredCount,
  type StoredVersion,
  type StoredVersions,
} from '../../stored-versions';
import type { PostgresConnections } from './connections';
import type { PostgresKinds } from './kinds';

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
    return this.reads.read<StoredVersion>({ text: RECORDED_VERSIONS, values: [] });
  }

  all(): Promise<StoredVersion[]> {
    return this.reads.read<StoredVersion>({ text: STORED_VERSIONS, values: [] });
  }

  async count({ kind, version }: StoredVersion): Promise<StoredCount> {
    const id = await this.kinds.find(kind);
    const [count] = await this.reads.read<StoredCount>({ text: COUNT, values: [id ?? -1, version] });
    return count;
  }
}
