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

/** The API versions that resources and snapshots are stored in. All methods throw StoreUnavailable. */
export interface StoredVersions {
  /** Returns every version that was ever stored, of which some need not be in use any more. */
  recorded(): MaybePromise<StoredVersion[]>;
  /**
   * Returns every stored version; it may read everything. A service that does not know all of them refuses to start.
   */
  all(): MaybePromise<StoredVersion[]>;
  /** Counts; it reads everything of the kind. */
  count(stored: StoredVersion): MaybePromise<StoredCount>;
}

/** Selects every version that was ever stored. */
export const RECORDED_VERSIONS =
  'SELECT k.name AS kind, v.version FROM versions v JOIN kinds k ON k.id = v.kind';

/** Selects every stored version. A recorded one need not be in use any more; where it is, the first resources show it. */
export const STORED_VERSIONS = `${RECORDED_VERSIONS}
  WHERE EXISTS (SELECT 1 FROM resources r WHERE r.kind = v.kind AND r.version = v.version)
     OR EXISTS (SELECT 1 FROM resources r JOIN snapshots s ON s.resource = r.id
                WHERE r.kind = v.kind AND s.version = v.version)
  ORDER BY k.name, v.version`;

/** Describes the effect of a start on a database that has `done` of all migrations. */
export function describeSchema(done: number, all: number): string {
  if (done === 0) return 'empty: the first start makes its tables';
  return done >= all ? 'its schema is current' : `the next start brings its schema from ${done} to ${all}`;
}
