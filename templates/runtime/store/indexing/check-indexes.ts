import { type Database, databaseOf, type StoreSettings } from '../database';
import type { IndexedKind, IndexProblem, Progress } from './store-indexes';

declare module '../database' {
  interface Database {
    /** Checks what is stored against the rules of indexes, and changes nothing. Throws what `open` throws. */
    checkIndexes?(
      url: string,
      settings: StoreSettings,
      kinds: readonly IndexedKind[],
      progress?: Progress,
    ): Promise<IndexProblem[]>;
  }
}

/**
 * Returns the resources of a database that break rules of these kinds, up to MAX_PROBLEMS, and changes nothing. The database may
 * be in use, and of an older release. Throws what `open` throws, as far as it shows without writing.
 */
export async function checkIndexes(
  databases: readonly Database[],
  url: string,
  kinds: readonly IndexedKind[],
  { progress, ...settings }: StoreSettings & { progress?: Progress },
): Promise<IndexProblem[]> {
  return databaseOf(databases, url).checkIndexes!(url, settings, kinds, progress);
}
