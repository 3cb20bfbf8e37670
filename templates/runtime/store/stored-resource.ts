import type { Position } from './position';

/** A value, or a promise of it: SQLite returns reads at once, PostgreSQL later. */
export type MaybePromise<T> = T | Promise<T>;

/** A stored resource: its exact JSON text in the version that wrote it. */
export interface StoredResource {
  /** Ascends with creation within a kind: the order of lists and the position of a page. */
  id: number;
  uid: string;
  /** Number of writes of this resource, which compare-and-set compares. */
  revision: number;
  /** The API version of `text`. */
  version: string;
  text: string;
  /** Quoted, as the ETag header carries it. */
  etag: string;
  /** Preserved fields, as JSON text; null for none. */
  kept: string | null;
  /** The position of the event of its last write; null for a write without one. */
  position: Position | null;
}

/** A stored resource without the position of its last event, which the databases of older releases do not have. */
export type UnplacedResource = Omit<StoredResource, 'position'>;

/** Returns whether a row is the same as at an earlier read. The tag stands for the text. */
export function isSameRow(row: StoredResource, earlier: Omit<StoredResource, 'text'>): boolean {
  return (
    row.position === earlier.position &&
    row.etag === earlier.etag &&
    row.kept === earlier.kept &&
    row.version === earlier.version
  );
}

/** A stored resource whose text may have been left out: it is empty then. */
export interface FoundResource extends StoredResource {
  /** Length in bytes of the text, if it was left out because it is longer than was asked for. */
  omitted?: number;
}

/** A stored snapshot of a spec. */
export interface StoredSnapshot {
  versionId: string;
  version: string;
  text: string;
  kept: string | null;
}
