import { type Database, databaseOf, DEFAULTS, type StoreOptions } from '../database';
import type { IndexedKind, IndexProblem, Progress } from '../indexes';

/**
 * Returns the resources of a database that break rules of these kinds, up to MAX_PROBLEMS, and changes nothing. The database may
 * be in use, and of an older release. Throws what `openStore` throws, as far as it shows without writing.
 */
export async function checkIndexes(
  databases: readonly Database[],
  url: string,
  kinds: readonly IndexedKind[],
  options: StoreOptions & { progress?: Progress } = {},
): Promise<IndexProblem[]> {
  const { progress, ...settings } = options;
  return databaseOf(databases, url).checkIndexes(url, { ...DEFAULTS, ...settings }, kinds, progress);
}
