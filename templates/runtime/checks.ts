import { isObject } from './schema';

/** How many failures of one list are worth naming. */
const MAX_REPEATED = 100;
/** A text longer than this never matches a pattern that may take quadratic time. */
const MAX_TEXT = 10_000;
/** The sum of the squares of the texts that such patterns are tried on in one validation: a fraction of a second. */
const MAX_WORK = 2 * MAX_TEXT ** 2;

let work = 0;

/** Begins a validation: what patterns may cost counts from here. */
export function beginValidation(): void {
  work = 0;
}

/** A pattern, found anywhere in a text, that may take a time that grows with the square of the text's length. */
export function boundedPattern(source: string): { test(text: string): boolean } {
  const pattern = new RegExp(source, 'u');
  return {
    test(text) {
      work += text.length ** 2;
      return text.length <= MAX_TEXT && work <= MAX_WORK && pattern.test(text);
    },
  };
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
