import {
  RECORDED_VERSIONS,
  STORED_VERSIONS,
  type StoredCount,
  type StoredVersion,
  type StoredVersions,
} from '../../stored-versions';
import type { Reading } from '../connection/reading';

const COUNT = `SELECT (SELECT count(*) FROM resources WHERE kind = ? AND version = ?) AS resources,
  (SELECT count(*) FROM resources r JOIN snapshots s ON s.resource = r.id
   WHERE r.kind = ? AND s.version = ?) AS snapshots`;

/** The API versions that resources and snapshots are stored in, which are read seldom. */
export class SqliteVersions implements StoredVersions {
  constructor(private readonly reading: Reading) {}

  recorded(): StoredVersion[] {
    return this.#read(RECORDED_VERSIONS);
  }

  all(): StoredVersion[] {
    return this.#read(STORED_VERSIONS);
  }

  count({ kind, version }: StoredVersion): StoredCount {
    const none = { resources: 0, snapshots: 0 };
    return this.reading.ofKind(kind, none, (id) => {
      return this.reading.connection.prepare<StoredCount>(COUNT).get(id, version, id, version)!;
    });
  }

  #read(sql: string): StoredVersion[] {
    return this.reading.run(() => this.reading.connection.prepare<StoredVersion>(sql).all());
  }
}
