import type { Settings } from '../settings/settings';

/** The parts of the cached resources of a process, in characters. */
export interface CacheShares {
  /** Rows as they are stored, where the store caches any. */
  rows: number;
  /** Resources in other versions than the stored one. */
  versions: number;
  /** Objects of Kubernetes clients. */
  objects: number;
}

/** Returns the maximum size of each cache; together they take no more than the setting. */
export function cacheShares({ CACHE_CHARACTERS: all }: Pick<Settings, 'CACHE_CHARACTERS'>): CacheShares {
  return { rows: all / 2, versions: all / 4, objects: all / 4 };
}
