/** A value, or a promise of it: SQLite returns reads at once, PostgreSQL later. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * A position in the log of events, as a string that only the store reads: after one event, before the next. It is the same for
 * every reader and every process.
 */
export type Position = string;

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

/** Returns the size of the texts of a row in SQL, in bytes. */
export function rowBytes(row: string): string {
  return `octet_length(${row}.text) + coalesce(octet_length(${row}.kept), 0)`;
}

/**
 * Returns columns for the text and the preserved fields of a row in SQL, left out where they have more than `most` bytes, and
 * one for their length then.
 */
export function orOmitted(row: string, most: string): string {
  const bytes = rowBytes(row);
  return `CASE WHEN ${bytes} <= ${most} THEN ${row}.text ELSE '' END AS text,
    CASE WHEN ${bytes} <= ${most} THEN ${row}.kept END AS kept,
    CASE WHEN ${bytes} > ${most} THEN ${bytes} END AS omitted`;
}

/** Returns the texts of a row that was read. */
export function textsOf({ text, kept }: Pick<StoredResource, 'text' | 'kept'>): string[] {
  return kept === null ? [text] : [text, kept];
}

/** Returns the size of the texts of a row, in characters. Fields that are preserved for other versions may be most of it. */
export function lengthOf({ text, kept }: Pick<StoredResource, 'text' | 'kept'>): number {
  return text.length + (kept?.length ?? 0);
}

/** A stored snapshot of a spec. */
export interface StoredSnapshot {
  versionId: string;
  version: string;
  text: string;
  kept: string | null;
}
