import { own, same } from '../../../templates/runtime/model/fields/values';
import { isObject, type Json } from '../../../templates/runtime/model/schema';

/** A value that differs between two documents; undefined where it is absent. */
export interface Difference {
  /** Names and indexes from the document down to it. */
  path: (string | number)[];
  before: Json | undefined;
  after: Json | undefined;
}

/** Returns the values that differ, as deep as they can be told apart. Lists of different lengths differ as a whole. */
export function diff(
  before: Json | undefined,
  after: Json | undefined,
  path: Difference['path'] = [],
): Difference[] {
  if (same(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => diff(own(before, name), own(after, name), [...path, name]));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((each, index) => diff(each, after[index], [...path, index]));
  return [{ path, before, after }];
}

/** Returns a path as people read it: `spec.sides[2].length`. */
export function pathText(path: Difference['path']): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : memberText(step)))
    .join('');
}

/** Returns how a member continues a path: `.length`, or `["a.b"]` for a key that would not end where it does. */
export function memberText(name: string): string {
  return /^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
