import type { MaybePromise, StoredSnapshot, UnplacedResource } from './stored-resource';

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

/**
 * A query for resources or snapshots of a kind in other versions than `version`: at most `limit` after `after`, in order,
 * and fewer where they are large.
 */
export interface OtherQuery<Position> {
  kind: string;
  version: string;
  after: Position;
  limit: number;
}

/** Position of a snapshot: the id of its resource and its own. */
export interface SnapshotPosition {
  resource: number;
  versionId: string;
}

/** A snapshot and its position. */
export type PlacedSnapshot = StoredSnapshot & SnapshotPosition;

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
  resources(query: OtherQuery<number>): MaybePromise<UnplacedResource[]>;
  snapshots(query: OtherQuery<SnapshotPosition>): MaybePromise<PlacedSnapshot[]>;
  /** Stores a snapshot in another version, durably. Returns false when it is gone, or no longer stored in `from`. */
  rewriteSnapshot(kind: string, from: string, snapshot: PlacedSnapshot): Promise<boolean>;
}

/** Describes the effect of a start on a database that has `done` of all migrations. */
export function describeSchema(done: number, all: number): string {
  if (done === 0) return 'empty: the first start makes its tables';
  return done >= all ? 'its schema is current' : `the next start brings its schema from ${done} to ${all}`;
}
