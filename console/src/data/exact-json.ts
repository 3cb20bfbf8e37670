import { isRounded, roundingOf } from '../../../templates/runtime/model/rounding';
import type { Json } from '../../../templates/runtime/model/schema';

/** The strings and the numbers of a JSON text. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses JSON as JSON.parse does. Throws an error for an integer that a double would round, too: the service would get
 * another one than somebody typed, and could not notice.
 */
export function parseExactly(text: string): Json {
  const value = JSON.parse(text) as Json;
  for (const [token] of text.matchAll(TOKENS)) if (isRounded(token)) throw new Error(roundingOf(token));
  return value;
}
