import { firstResources, READ_BYTES, summedBytes } from '../../first-rows';
import type {
  OtherQuery,
  OtherVersions,
  PlacedSnapshot,
  SnapshotPosition,
} from '../../migration/other-versions';
import { rowBytes, type UnplacedResource } from '../../stored-resource';
import type { OpenedStore } from '../postgres-parts';

const RESOURCES = firstResources('kind = $1 AND version <> $2 AND id > $3', '$4');

const SNAPSHOT_SIZES = `SELECT s.resource, s.version_id, ${rowBytes('s')} AS bytes
  FROM snapshots s JOIN resources r ON r.id = s.resource
  WHERE r.kind = $1 AND s.version <> $2 AND (s.resource, s.version_id) > ($3, $4)
  ORDER BY s.resource, s.version_id LIMIT $5`;

const SNAPSHOTS = `SELECT resource, version_id AS "versionId", s.version, s.text, s.kept
  FROM ${summedBytes(SNAPSHOT_SIZES, 'resource, version_id')} page JOIN snapshots s USING (resource, version_id)
  WHERE page.before < ${READ_BYTES} ORDER BY resource, version_id`;

const REWRITE = `UPDATE snapshots SET version = $1, kept = $2, text = $3
  WHERE resource = $4 AND version_id = $5 AND version = $6 RETURNING resource`;

/** Resources and snapshots that are stored in other versions than one. */
export class PostgresOthers implements OtherVersions {
  constructor(private readonly store: OpenedStore) {}

  async resources({ kind, version, after, limit }: OtherQuery<number>): Promise<UnplacedResource[]> {
    const id = await this.store.kinds.find(kind);
    const values = [id ?? -1, version, after, limit];
    return this.store.reads.read<UnplacedResource>({ text: RESOURCES, values });
  }

  async snapshots({ kind, version, after, limit }: OtherQuery<SnapshotPosition>): Promise<PlacedSnapshot[]> {
    const id = await this.store.kinds.find(kind);
    const values = [id ?? -1, version, after.resource, after.versionId, limit];
    return this.store.reads.read<PlacedSnapshot>({ text: SNAPSHOTS, values });
  }

  async rewriteSnapshot(
    kind: string,
    from: string,
    { resource, versionId, version, kept, text }: PlacedSnapshot,
  ): Promise<boolean> {
    const values = [version, kept, text, resource, versionId, from];
    const rewritten = await this.store.patiently(async () => {
      await this.store.kinds.record(kind, version);
      return this.store.writes.write({ text: REWRITE, values });
    });
    return rewritten.length > 0;
  }
}
