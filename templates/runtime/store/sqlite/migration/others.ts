import { firstResources, READ_BYTES, summedBytes } from '../../first-rows';
import type {
  OtherQuery,
  OtherVersions,
  PlacedSnapshot,
  SnapshotPosition,
} from '../../migration/other-versions';
import { rowBytes, type UnplacedResource } from '../../stored-resource';
import type { Statement } from '../connection/driver';
import type { OpenedStore } from '../parts/sqlite-parts';

const REWRITE = `UPDATE snapshots SET version = ?, kept = ?, text = ?
  WHERE resource = ? AND version_id = ? AND version = ?`;

const RECORD = 'INSERT INTO versions SELECT id, ? FROM kinds WHERE name = ? ON CONFLICT DO NOTHING';

/** Resources and snapshots that are stored in other versions than one. */
export class SqliteOthers implements OtherVersions {
  readonly #resources: Statement<UnplacedResource>;
  readonly #snapshots: Statement<PlacedSnapshot>;

  constructor(private readonly store: OpenedStore) {
    const { connection } = store.reading;
    this.#resources = connection.prepare(firstResources('kind = ? AND version <> ? AND id > ?', '?'));
    const snapshots = `SELECT s.resource, s.version_id, ${rowBytes('s')} AS bytes
      FROM resources r CROSS JOIN snapshots s ON s.resource = r.id
      WHERE r.kind = ? AND r.id >= ? AND s.version <> ? AND (s.resource, s.version_id) > (?, ?)
      ORDER BY r.id, s.version_id LIMIT ?`;
    this.#snapshots = connection.prepare(
      `SELECT s.resource, s.version_id AS versionId, s.version, s.text, s.kept
       FROM ${summedBytes(snapshots, 'resource, version_id')} page
       CROSS JOIN snapshots s ON s.resource = page.resource AND s.version_id = page.version_id
       WHERE page.before < ${READ_BYTES} ORDER BY page.resource, page.version_id`,
    );
  }

  resources({ kind, version, after, limit }: OtherQuery<number>): UnplacedResource[] {
    return this.store.reading.ofKind(kind, [], (id) => this.#resources.all(id, version, after, limit));
  }

  snapshots({ kind, version, after, limit }: OtherQuery<SnapshotPosition>): PlacedSnapshot[] {
    const { resource, versionId } = after;
    return this.store.reading.ofKind(kind, [], (id) =>
      this.#snapshots.all(id, resource, version, resource, versionId, limit),
    );
  }

  async rewriteSnapshot(kind: string, from: string, snapshot: PlacedSnapshot): Promise<boolean> {
    const { resource, versionId, version } = snapshot;
    const parameters = [version, snapshot.kept, snapshot.text, resource, versionId, from];
    return this.store.run({ sql: REWRITE, parameters }, { sql: RECORD, parameters: [version, kind] });
  }
}
