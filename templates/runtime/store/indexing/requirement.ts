import { ABSENT, EMPTY, type Key } from './key';

declare module '../store' {
  interface ListQuery {
    /** Requirements on fields, all of which must hold. */
    fields?: FieldRequirement[];
  }
}

/** One condition of a field selector. An index with several keys belongs to a list. */
export type FieldRequirement = { index: string } & (
  | { operator: 'in' | 'notin'; keys: Key[] }
  | ({ operator: 'range' } & Range)
  | { operator: 'present' | 'absent' }
);

/** Keys between two bounds, each of which may be missing. */
interface Range {
  from?: Bound;
  to?: Bound;
}

/** An end of a range. */
export interface Bound {
  key: Key;
  isIncluded: boolean;
}

/**
 * Returns whether the keys that a resource has in the index of a requirement meet it. `notin` is the negation of `in`; a
 * range is met by one key that is within both bounds.
 */
export function meets(keys: readonly Key[], requirement: FieldRequirement): boolean {
  switch (requirement.operator) {
    case 'in':
      return hasAny(keys, requirement.keys);
    case 'notin':
      return !hasAny(keys, requirement.keys);
    case 'range':
      return keys.some((key) => isWithin(key, requirement));
    case 'present':
      return !keys.includes(ABSENT);
    case 'absent':
      return keys.includes(ABSENT);
  }
}

/** Returns whether any of the wanted keys is there: of a list with 100,000 elements in linear time. */
function hasAny(keys: readonly Key[], wanted: readonly Key[]): boolean {
  const known = new Set(keys);
  return wanted.some((key) => known.has(key));
}

function isWithin(key: Key, { from, to }: Range): boolean {
  if (key >= EMPTY) return false;
  if (from !== undefined && (key < from.key || (key === from.key && !from.isIncluded))) return false;
  return to === undefined || key < to.key || (key === to.key && to.isIncluded);
}

/** Returns whether what meets a requirement is in the order of ids in its index, each once. */
export function isSingle(requirement: FieldRequirement): boolean {
  return (
    requirement.operator === 'absent' || (requirement.operator === 'in' && requirement.keys.length === 1)
  );
}

/** Returns whether the keys that meet a requirement are one range of its index. */
export function isRange(requirement: FieldRequirement): boolean {
  return requirement.operator === 'in' ? requirement.keys.length === 1 : requirement.operator !== 'notin';
}
