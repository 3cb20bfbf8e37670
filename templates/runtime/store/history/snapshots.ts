import type { Listed, MaybePromise, StoredSnapshot } from '../store';

/** A page of a resource's snapshots: at most `limit`, after the one with the id `after`, all with `''`. */
export interface SnapshotPage {
  after: string;
  limit: number;
  /** The order: oldest first without it. */
  newestFirst?: boolean;
  /** As for a list. */
  maxText?: number;
}

/** A string that sorts after every id of a snapshot. */
const AFTER_IDS = '~';

/** Returns how SQL compares the ids of a page with its start, the start, and the order of the page. */
export function snapshotOrder({
  after,
  newestFirst = false,
}: SnapshotPage): [compared: '<' | '>', start: string, order: 'ASC' | 'DESC'] {
  return newestFirst ? ['<', after === '' ? AFTER_IDS : after, 'DESC'] : ['>', after, 'ASC'];
}

/** The members of a snapshot that identify it. */
export interface SnapshotKey {
  kind: string;
  uid: string;
  versionId: string;
}

/** The snapshots of resources. All methods throw StoreUnavailable. */
export interface Snapshots {
  /** Returns a page of the snapshots of a resource; empty when there are none. */
  list(kind: string, uid: string, page: SnapshotPage): MaybePromise<Listed<StoredSnapshot>[]>;
  find(key: SnapshotKey): MaybePromise<StoredSnapshot | undefined>;
  /** Deletes a snapshot. Returns whether it existed. */
  delete(key: SnapshotKey): Promise<boolean>;
}

declare module '../store' {
  interface StoreParts {
    /** Absent in a service without spec version history. */
    snapshots?: Snapshots;
  }
}
