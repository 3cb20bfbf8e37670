import { isObject } from '../schema';

/** Maximum number of failures that one list reports. */
const MAX_REPEATED = 100;
/** Returns the indices of elements whose `key` an earlier element has already; at most 100 of them. */
export function repeatedKeys(list: readonly unknown[], key: string): number[] {
  const seen = new Set<unknown>();
  const repeated: number[] = [];
  for (const [index, element] of list.entries()) {
    if (!isObject(element) || !Object.hasOwn(element, key)) continue;
    if (seen.has(element[key])) repeated.push(index);
    if (repeated.length === MAX_REPEATED) break;
    seen.add(element[key]);
  }
  return repeated;
}
