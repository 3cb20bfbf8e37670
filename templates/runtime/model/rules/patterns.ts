import { takeSteps } from './pattern-steps';
import { withProperties } from './unicode-property';

export { isExhausted } from './pattern-steps';

/**
 * A set of patterns that are searched for in linear time: `RE2Set` of the package re2js. Generated code passes it in,
 * so that only a service with patterns needs the package.
 */
interface PatternSet {
  add(pattern: string): number;
  /** Returns the numbers of the patterns that were found, in ascending order. */
  match(text: string): number[];
}

/** The class of a pattern set. */
interface PatternSetClass {
  readonly UNANCHORED: number;
  new (anchor: number, flags: number, maxMemory: number): PatternSet;
}

/** A pattern of `project.yaml`, for the linear engine. */
interface LinearPattern {
  /** Strings that a matching text must all contain. */
  all: string[];
  /** Strings that a matching text must not contain. */
  none?: string[];
  /** Maximum number of steps per character. */
  steps: number;
  /** Length of the program that the engine runs. */
  size: number;
}

/** Memory for the states that the patterns of a process cache, in bytes; each has a share. */
const MEMORY = 33_554_432;
const MAX_SHARE = 8_388_608;
const MIN_SHARE = 65_536;
/** Memory of one range of characters in a cached state, in bytes. */
const RANGE = 16;

let patterns = 0;

/**
 * Returns a matcher that takes time linear in the text. It matches nothing once the steps of the current validation are
 * used up.
 */
export function linearPattern(
  Patterns: PatternSetClass,
  { all, none = [], steps, size }: LinearPattern,
): { test(text: string): boolean } {
  let set: PatternSet | undefined;
  patterns++;
  return {
    test(text) {
      if (!takeSteps((text.length + 1) * steps)) return false;
      set ??= compiled(Patterns, [...all, ...none].map(withProperties), size);
      const found = set.match(text);
      return found.length === all.length && found.every((number) => number < all.length);
    },
  };
}

function compiled(Patterns: PatternSetClass, sources: string[], size: number): PatternSet {
  const share = Math.min(MAX_SHARE, MEMORY / patterns);
  // A cache that is evicted again and again costs more than it saves.
  const fits = size * sources.join('').split('-').length * RANGE <= share;
  const set = new Patterns(Patterns.UNANCHORED, 0, Math.floor(fits ? Math.max(share, MIN_SHARE) : MIN_SHARE));
  for (const source of sources) set.add(source);
  return set;
}
