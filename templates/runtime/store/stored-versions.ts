import type { Condition } from './sql';
import type { MaybePromise } from './stored-resource';

/** A kind (`<group>/<Kind>`) and an API version that resources or snapshots of it are stored in. */
export interface StoredVersion {
  kind: string;
  version: string;
}

/** Numbers of resources and snapshots of a kind that are stored in an API version. */
export interface StoredCount {
  resources: number;
  snapshots: number;
}

/** Selects every version that was ever stored. */
const RECORDED = 'SELECT k.name AS kind, v.version FROM versions v JOIN kinds k ON k.id = v.kind';

/** Selects every stored version. A recorded one need not be in use any more; where it is, the first resources show it. */
const STORED = `${RECORDED}
  WHERE EXISTS (SELECT 1 FROM resources r WHERE r.kind = v.kind AND r.version = v.version)
     OR EXISTS (SELECT 1 FROM resources r JOIN snapshots s ON s.resource = r.id
                WHERE r.kind = v.kind AND s.version = v.version)
  ORDER BY k.name, v.version`;

const KIND = '(SELECT id FROM kinds WHERE name = ?)';
const COUNT = `SELECT (SELECT count(*) FROM resources WHERE kind = ${KIND} AND version = ?) AS resources,
  (SELECT count(*) FROM resources r JOIN snapshots s ON s.resource = r.id
   WHERE r.kind = ${KIND} AND s.version = ?) AS snapshots`;

/** The API versions that resources and snapshots are stored in. All methods throw StoreUnavailable. */
export class StoredVersions {
  /** `read` returns the rows of a query. */
  constructor(private readonly read: (query: Condition<string>) => MaybePromise<unknown[]>) {}

  /** Returns every version that was ever stored, of which some need not be in use any more. */
  recorded(): MaybePromise<StoredVersion[]> {
    return this.read({ sql: RECORDED, parameters: [] }) as MaybePromise<StoredVersion[]>;
  }

  /** Returns every stored version; it may read everything. A service that does not know all of them refuses to start. */
  all(): MaybePromise<StoredVersion[]> {
    return this.read({ sql: STORED, parameters: [] }) as MaybePromise<StoredVersion[]>;
  }

  /** Counts; it reads everything of the kind. */
  async count({ kind, version }: StoredVersion): Promise<StoredCount> {
    const [count] = await this.read({ sql: COUNT, parameters: [kind, version, kind, version] });
    return count as StoredCount;
  }
}

/** Describes the effect of a start on a database that has `done` of all migrations. */
export function describeSchema(done: number, all: number): string {
  if (done === 0) return 'empty: the first start makes its tables';
  return done >= all ? 'its schema is current' : `the next start brings its schema from ${done} to ${all}`;
}
