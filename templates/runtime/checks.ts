import { isObject } from './schema';

/** A text longer than this never matches a pattern: a pattern may take quadratic time. */
const MAX_TEXT = 10_000;
/** How many failures of one list are worth naming. */
const MAX_REPEATED = 100;

/** A pattern as a rule applies it: anywhere in the text, which has a bounded length. */
export function boundedPattern(source: string, flags: string): { test(text: string): boolean } {
  const pattern = new RegExp(source, flags);
  return { test: (text) => text.length <= MAX_TEXT && pattern.test(text) };
}

/** The indices of elements whose `key` an element before them has already; at most 100 of them. */
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
