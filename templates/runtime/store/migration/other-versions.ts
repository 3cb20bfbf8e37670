import type { MaybePromise, StoredSnapshot, UnplacedResource } from '../stored-resource';

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

/** Resources and snapshots that are stored in other versions than one. All methods throw StoreUnavailable. */
export interface OtherVersions {
  resources(query: OtherQuery<number>): MaybePromise<UnplacedResource[]>;
  snapshots(query: OtherQuery<SnapshotPosition>): MaybePromise<PlacedSnapshot[]>;
  /** Stores a snapshot in another version, durably. Returns false when it is gone, or no longer stored in `from`. */
  rewriteSnapshot(kind: string, from: string, snapshot: PlacedSnapshot): Promise<boolean>;
}

declare module '../store' {
  interface StoreParts {
    /** Absent in a service none of whose kinds has several versions. */
    others?: OtherVersions;
  }
}
