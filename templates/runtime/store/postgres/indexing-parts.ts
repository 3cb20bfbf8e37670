import type { Listed, ListQuery, StoredResource, Write, WriteResult } from '../store';

/** Lists and writes of resources with entries. */
export interface IndexedStore {
  /** Returns whether a list is selected or sorted by fields. */
  selects(query: ListQuery): boolean;
  /** Returns a page of such a list. */
  page(kind: number, query: ListQuery): Promise<Listed<StoredResource>[]>;
  /** Makes a write of a resource with entries, or of several resources at once; as `write` of Store. */
  write(write: Write, since?: number): Promise<WriteResult>;
  /** Returns the result that such a write would have now, and changes nothing. */
  judge(write: Write): Promise<WriteResult>;
}
