import type { MaybePromise, StoredResource, StoredSnapshot } from './store';

/** A kind (`<group>/<Kind>`) and an API version that resources or snapshots of it are stored in. */
export interface StoredVersion {
  kind: string;
  version: string;
}

/** How much is stored of a kind in an API version. */
export interface StoredCount {
  resources: number;
  snapshots: number;
}

/** What is stored of a kind in other versions than `version`: at most `limit` behind `after`, in order. */
export interface OtherQuery<Position> {
  kind: string;
  version: string;
  after: Position;
  limit: number;
}

/** Where a snapshot is: the id of its resource and its own. */
export interface SnapshotPosition {
  resource: number;
  versionId: string;
}

/** A snapshot and its place. */
export type PlacedSnapshot = StoredSnapshot & SnapshotPosition;

/** The API versions that resources and snapshots are stored in. All methods throw StoreUnavailable. */
export interface StoredVersions {
  /** What a service must know to read all that is stored: it refuses to start otherwise. */
  all(): MaybePromise<StoredVersion[]>;
  /** Reads all of the kind. */
  count(stored: StoredVersion): MaybePromise<StoredCount>;
  resources(query: OtherQuery<number>): MaybePromise<StoredResource[]>;
  snapshots(query: OtherQuery<SnapshotPosition>): MaybePromise<PlacedSnapshot[]>;
  /** Stores a snapshot in another version, durably; false when it is gone, or no longer stored in `from`. */
  rewriteSnapshot(kind: string, from: string, snapshot: PlacedSnapshot): Promise<boolean>;
}

/** What a start makes of a database that has so many migrations out of all. */
export function describeSchema(done: number, all: number): string {
  if (done === 0) return 'empty: the first start makes its tables';
  return done === all ? 'its schema is current' : `the next start brings its schema from ${done} to ${all}`;
}
