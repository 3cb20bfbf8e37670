import { allOf, type Condition } from '../sql';
import type { Sort } from '../store';
import { ABSENT, bytesOf, EMPTY, type Key } from './key';
import type { FieldRequirement } from './requirement';

/**
 * Returns the condition that an entry of an index meets requirements, in a table with this alias. That of `notin` is met by the
 * keys that a resource must not have. Each is a range of the index.
 */
export function entryCondition(
  alias: string,
  index: number,
  requirements: readonly FieldRequirement[],
): Condition {
  return allOf([
    { sql: `${alias}.index_id = ?`, parameters: [index] },
    ...requirements.map((requirement) => keyCondition(`${alias}.key`, requirement)),
  ]);
}

function keyCondition(column: string, requirement: FieldRequirement): Condition {
  switch (requirement.operator) {
    case 'in':
    case 'notin':
      return oneOf(column, requirement.keys);
    case 'present':
      return compared(column, '<', ABSENT);
    case 'absent':
      return compared(column, '=', ABSENT);
    case 'range': {
      const { from, to } = requirement;
      const bounds = [
        ...(from === undefined ? [] : [compared(column, from.isIncluded ? '>=' : '>', from.key)]),
        to === undefined
          ? compared(column, '<', EMPTY)
          : compared(column, to.isIncluded ? '<=' : '<', to.key),
      ];
      return allOf(bounds);
    }
  }
}

/** Returns the condition that compares a column of keys with a key, by an operator of SQL. */
export function compared(column: string, operator: string, key: Key): Condition {
  return { sql: `${column} ${operator} ?`, parameters: [bytesOf(key)] };
}

/**
 * The last key is repeated until their number is a power of two: few forms have few texts, so that their statements can
 * be cached.
 */
function oneOf(column: string, keys: readonly Key[]): Condition {
  if (keys.length === 0) return { sql: 'false', parameters: [] };
  if (keys.length === 1) return compared(column, '=', keys[0]);
  const count = 2 ** Math.ceil(Math.log2(keys.length));
  const places = Array.from({ length: count }, () => '?');
  return {
    sql: `${column} IN (${places.join(', ')})`,
    parameters: places.map((_, index) => bytesOf(keys[Math.min(index, keys.length - 1)])),
  };
}

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
