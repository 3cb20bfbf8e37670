import type { Settings } from '../settings/settings';

/** The parts of the cached resources of a process, in characters. */
interface CacheShares {
  /** Rows as they are stored, where the store caches any. */
  rows: number;
  /** Resources in other versions than the stored one. */
  versions: number;
  /** Short lists that were asked for repeatedly. */
  lists: number;
  /** Objects of Kubernetes clients. */
  objects: number;
}

/** Returns the maximum size of each cache; together they take no more than the setting. */
export function cacheShares({ CACHE_CHARACTERS: all }: Pick<Settings, 'CACHE_CHARACTERS'>): CacheShares {
  const share = Math.floor(all / 5);
  return { rows: 2 * share, versions: share, lists: share, objects: share };
}
