import type { IndexedKind } from './store-indexes';

/** Maximum number of problems that are reported. */
export const MAX_PROBLEMS = 100;

/** Returns the digests of kinds that have entries, by kind. */
export function digestsToBe(kinds: readonly IndexedKind[]): ReadonlyMap<string, string> {
  return new Map(
    kinds.flatMap(({ kind, entries }) => (entries === undefined ? [] : [[kind, entries.digest]])),
  );
}

/** Returns the kinds whose entries were made under other rules. */
export function changedKinds(
  kinds: readonly IndexedKind[],
  digests: ReadonlyMap<string, string>,
): IndexedKind[] {
  return kinds.filter(({ kind, entries }) => entries?.digest !== digests.get(kind));
}
