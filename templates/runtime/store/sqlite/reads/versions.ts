import type { StoredCount, StoredVersion, StoredVersions } from '../../stored-versions';
import type { Statement } from '../connection/driver';
import type { Reading } from '../connection/reading';

/** The API versions that resources and snapshots are stored in. */
export class SqliteVersions implements StoredVersions {
  readonly #recorded: Statement<StoredVersion>;
  readonly #all: Statement<StoredVersion>;
  readonly #count: Statement<StoredCount>;

  constructor(private readonly reading: Reading) {
    const { connection } = reading;
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
  }

  recorded(): StoredVersion[] {
    return this.reading.run(() => this.#recorded.all());
  }

  all(): StoredVersion[] {
    return this.reading.run(() => this.#all.all());
  }

  count({ kind, version }: StoredVersion): StoredCount {
    const none = { resources: 0, snapshots: 0 };
    return this.reading.ofKind(kind, none, (id) => this.#count.get(id, version, id, version)!);
  }
}
