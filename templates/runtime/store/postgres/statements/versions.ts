import { bytesOf, firstResources, READ_BYTES, summedBytes } from '../../first-rows';
import { retryBusy } from '../../retry-busy';
import type { UnplacedResource } from '../../stored-resource';
import type {
  OtherQuery,
  PlacedSnapshot,
  SnapshotPosition,
  StoredCount,
  StoredVersion,
  StoredVersions,
} from '../../stored-versions';
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

const RESOURCES = firstResources('kind = $1 AND version <> $2 AND id > $3', '$4');

const SNAPSHOT_SIZES = `SELECT s.resource, s.version_id, ${bytesOf('s')} AS bytes
  FROM snapshots s JOIN resources r ON r.id = s.resource
  WHERE r.kind = $1 AND s.version <> $2 AND (s.resource, s.version_id) > ($3, $4)
  ORDER BY s.resource, s.version_id LIMIT $5`;

const SNAPSHOTS = `SELECT resource, version_id AS "versionId", s.version, s.text, s.kept
  FROM ${summedBytes(SNAPSHOT_SIZES, 'resource, version_id')} page JOIN snapshots s USING (resource, version_id)
  WHERE page.before < ${READ_BYTES} ORDER BY resource, version_id`;

const REWRITE = `UPDATE snapshots SET version = $1, kept = $2, text = $3
  WHERE resource = $4 AND version_id = $5 AND version = $6 RETURNING resource`;

/** The API versions that resources and snapshots are stored in. */
export class PostgresVersions implements StoredVersions {
  constructor(
    private readonly reads: PostgresConnections,
    private readonly writes: PostgresConnections,
    private readonly kinds: PostgresKinds,
    private readonly busyTimeoutMs: number,
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

  async resources({ kind, version, after, limit }: OtherQuery<number>): Promise<UnplacedResource[]> {
    const id = await this.kinds.find(kind);
    const values = [id ?? -1, version, after, limit];
    return this.reads.read<UnplacedResource>({ text: RESOURCES, values });
  }

  async snapshots({ kind, version, after, limit }: OtherQuery<SnapshotPosition>): Promise<PlacedSnapshot[]> {
    const id = await this.kinds.find(kind);
    const values = [id ?? -1, version, after.resource, after.versionId, limit];
    return this.reads.read<PlacedSnapshot>({ text: SNAPSHOTS, values });
  }

  async rewriteSnapshot(
    kind: string,
    from: string,
    { resource, versionId, version, kept, text }: PlacedSnapshot,
  ): Promise<boolean> {
    const values = [version, kept, text, resource, versionId, from];
    const rewrite = async (): Promise<{ resource: number }[]> => {
      await this.kinds.record(kind, version);
      return this.writes.write({ text: REWRITE, values });
    };
    return (await retryBusy(rewrite, performance.now() + this.busyTimeoutMs)).length > 0;
  }
}
