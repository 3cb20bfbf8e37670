import { bytesOf, firstResources, READ_BYTES, summedBytes } from '../../first-rows';
import type { UnplacedResource } from '../../stored-resource';
import type {
  OtherQuery,
  PlacedSnapshot,
  SnapshotPosition,
  StoredCount,
  StoredVersion,
  StoredVersions,
} from '../../stored-versions';
import type { Connection, Statement } from '../connection/driver';
import { guard } from '../connection/errors';
import { KindIds } from '../connection/kind-ids';
import type { Sharing } from './reader';

/** The API versions that resources and snapshots are stored in. */
export class SqliteVersions implements StoredVersions {
  readonly #kinds: KindIds;
  readonly #recorded: Statement<StoredVersion>;
  readonly #all: Statement<StoredVersion>;
  readonly #count: Statement<StoredCount>;
  readonly #resources: Statement<UnplacedResource>;
  readonly #snapshots: Statement<PlacedSnapshot>;

  constructor(
    connection: Connection,
    private readonly sharing: Sharing,
  ) {
    this.#kinds = new KindIds(connection);
    this.#recorded = connection.prepare(
      'SELECT k.name AS kind, v.version FROM versions v JOIN kinds k ON k.id = v.kind',
    );
    // A recorded version need not be in use any more. Where it is, the first resources show it.
    this.#all = connection.prepare(
      `SELECT k.name AS kind, v.version FROM versions v JOIN kinds k ON k.id = v.kind
       WHERE EXISTS (SELECT 1 FROM resources r WHERE r.kind = v.kind AND r.version = v.version)
          OR EXISTS (SELECT 1 FROM resources r JOIN snapshots s ON s.resource = r.id
                     WHERE r.kind = v.kind AND s.version = v.version)
       ORDER BY k.name, v.version`,
    );
    this.#count = connection.prepare(
      `SELECT (SELECT count(*) FROM resources WHERE kind = ? AND version = ?) AS resources,
              (SELECT count(*) FROM resources r JOIN snapshots s ON s.resource = r.id
               WHERE r.kind = ? AND s.version = ?) AS snapshots`,
    );
    this.#resources = connection.prepare(firstResources('kind = ? AND version <> ? AND id > ?', '?'));
    const snapshots = `SELECT s.resource, s.version_id, ${bytesOf('s')} AS bytes
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

  recorded(): StoredVersion[] {
    return this.#read(() => this.#recorded.all());
  }

  all(): StoredVersion[] {
    return this.#read(() => this.#all.all());
  }

  count({ kind, version }: StoredVersion): StoredCount {
    const count = this.#ofKind(kind, (id) => this.#count.get(id, version, id, version));
    return count ?? { resources: 0, snapshots: 0 };
  }

  resources({ kind, version, after, limit }: OtherQuery<number>): UnplacedResource[] {
    return this.#ofKind(kind, (id) => this.#resources.all(id, version, after, limit)) ?? [];
  }

  snapshots({ kind, version, after, limit }: OtherQuery<SnapshotPosition>): PlacedSnapshot[] {
    return (
      this.#ofKind(kind, (id) =>
        this.#snapshots.all(id, after.resource, version, after.resource, after.versionId, limit),
      ) ?? []
    );
  }

  async rewriteSnapshot(kind: string, from: string, snapshot: PlacedSnapshot): Promise<boolean> {
    return (await this.sharing.submit({ action: 'rewriteSnapshot', kind, from, snapshot })) === 'done';
  }

  #ofKind<T>(kind: string, read: (id: number) => T): T | undefined {
    return this.#read(() => {
      const id = this.#kinds.find(kind);
      return id === undefined ? undefined : read(id);
    });
  }

  #read<T>(read: () => T): T {
    this.sharing.check();
    return guard(read);
  }
}
