import type { Listed, ListQuery, Store, StoredResource } from '../store';

/** Lists and writes of resources with entries. */
export interface IndexedStore {
  lists: {
    /** Returns whether a list is selected or sorted by fields. */
    selects(query: ListQuery): boolean;
    /** Returns a page of such a list. */
    page(kind: number, query: ListQuery): Promise<Listed<StoredResource>[]>;
  };
  /** Also writes of several resources at once. */
  writes: Pick<Store, 'write' | 'judge'>;
}
