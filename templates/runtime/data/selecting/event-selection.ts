import type { EntriesBefore, FieldSelection } from '../../api/parts/event-reading';
import { notSelectable } from '../../api/reads/list-selection';
import type { Key } from '../../store/indexing/key';
import { meets } from '../../store/indexing/requirement';
import type { IndexEntry } from '../../store/indexing/resource-index';
import { keysIn } from '../plan/entries';
import { selectableIn } from '../plan/kind-plan';
import type { Words } from './named-field';
import { fieldRequirements } from './requirements';

/**
 * Returns what field selectors select, in the words of a version. Throws HttpProblem 400, also for a kind without selectable
 * fields.
 */
export function fieldSelection(words: Words, selectors: readonly string[]): FieldSelection {
  const { kind, version } = words;
  if (selectableIn(kind.data!, kind.storageVersion).length === 0) throw notSelectable(kind, 'fieldSelector');
  const requirements = fieldRequirements(words, selectors);
  const fields = new Map(selectableIn(kind.data!, version).map((field) => [field.index, field]));
  return {
    selects: (shown, before = {}) =>
      requirements.every((requirement) => {
        const { index } = requirement;
        const keys = Object.hasOwn(before, index) ? before[index] : keysIn(shown, fields.get(index)!);
        return meets(keys, requirement);
      }),
  };
}

/** Returns the keys of those indexes that a write changes, as they were before; undefined where it changes none. */
export function changedEntries(
  before: readonly IndexEntry[],
  after: readonly IndexEntry[],
): EntriesBefore | undefined {
  const [old, now] = [byIndex(before), byIndex(after)];
  const changed = Object.entries(old).filter(([index, keys]) => !isSame(keys, now[index] ?? []));
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function byIndex(entries: readonly IndexEntry[]): { [index: string]: Key[] } {
  const keys: { [index: string]: Key[] } = {};
  for (const { index, key } of entries) (keys[index] ??= []).push(key);
  return keys;
}

/** Compares keys as sets: a key occurs once in the entries of an index, and a list may have 100,000. */
function isSame(one: readonly Key[], other: readonly Key[]): boolean {
  if (one.length !== other.length) return false;
  const known = new Set(other);
  return one.every((key) => known.has(key));
}
