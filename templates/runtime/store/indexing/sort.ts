import type { Condition } from '../condition';
import type { Sort } from '../store';
import { bytesOf, type Key } from './key';

/** A place in a list that is sorted by an index: after the resource with this key and id. */
export interface Position {
  key: Key;
  id: number;
}

/** Returns the condition that an entry `s` comes after a position. */
export function behind({ key, id }: Position, { descending, newestFirst }: Sort): Condition {
  const bytes = bytesOf(key);
  return {
    sql: `(s.key ${descending ? '<' : '>'} ? OR s.key = ? AND s.resource ${newestFirst ? '<' : '>'} ?)`,
    parameters: [bytes, bytes, id],
  };
}

/** Returns the order of entries `s`, as SQL. */
export function entryOrder({ descending, newestFirst }: Sort): string {
  return `s.key${descending ? ' DESC' : ''}, s.resource${newestFirst ? ' DESC' : ''}`;
}

/** Returns what compares rows of a sorted list. */
export function inOrder({
  descending = false,
  newestFirst = false,
}: Sort): (a: { sortKey: Key; id: number }, b: { sortKey: Key; id: number }) => number {
  return (a, b) => {
    if (a.sortKey === b.sortKey) return newestFirst ? b.id - a.id : a.id - b.id;
    return a.sortKey < b.sortKey === descending ? 1 : -1;
  };
}
