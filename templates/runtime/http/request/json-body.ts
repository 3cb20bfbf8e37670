import { isUtf8 } from 'node:buffer';
import { below, toFragment } from '../../model/fragment';
import { HttpProblem } from '../../model/problem';
import { isRounded, roundingOf } from '../../model/rounding';
import type { Json } from '../../model/schema';

const [QUOTE, BACKSLASH, COMMA, COLON, CAPITAL_E, SMALL_E] = [0x22, 0x5c, 0x2c, 0x3a, 0x45, 0x65];
const [BRACKET, END_BRACKET, BRACE, END_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Decodes a UTF-8 body, without a byte order mark. Throws HttpProblem 400 where it is malformed. */
export function decodeUtf8(body: Buffer): string {
  if (!isUtf8(body)) throw new HttpProblem(400, 'The body is not valid UTF-8.');
  const text = body.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/**
 * Parses a JSON text (RFC 8259), in time linear in its length. Throws HttpProblem 400 for a syntax error, more than
 * `maxDepth` levels of arrays and objects, `__proto__` as a key anywhere, and numbers that could not be returned unchanged:
 * those beyond the range of a double, and integers that a double rounds.
 */
export function parseJson(text: string, maxDepth: number): Json {
  const { hasLongNumbers, rounded } = scan(text, maxDepth);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw new HttpProblem(400, `The body is not valid JSON: ${(error as Error).message}.`);
  }
  if (rounded !== undefined) throw roundedInteger(text, rounded);
  // The key may be written with escapes, each of which starts in this way.
  return hasLongNumbers || text.includes('__proto__') || text.includes('\\u00')
    ? checkJson(value, maxDepth)
    : value;
}

/**
 * Returns a value that other middleware has parsed. Throws HttpProblem 400 for values that `parseJson` refuses in a
 * text.
 */
export function checkJson(value: Json, maxDepth: number): Json {
  check(value, maxDepth, maxDepth);
  return value;
}

/**
 * Returns the maximum number of bytes that the value of a JSON text takes in memory. The text `[[],[],…]` takes
 * thirteen times its length, one of objects that each have a distinct key thirty times. Malformed text costs memory
 * too.
 */
export function jsonCost(text: string): number {
  let bytes = 2 * text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      bytes += STRING_BYTES;
      index = endOfString(text, index);
    } else if (code === BRACKET) bytes += ARRAY_BYTES;
    else if (code === BRACE) bytes += text.charCodeAt(index + 1) === END_BRACE ? EMPTY_BYTES : OBJECT_BYTES;
    else if (code === COLON) bytes += MEMBER_BYTES;
    else if (code === COMMA) bytes += ELEMENT_BYTES;
  }
  return bytes;
}

/** Returns the same of a stored row: of its text, and of the fields that are preserved for other versions. */
export function storedCost({ text, kept }: { text: string; kept: string | null }): number {
  return jsonCost(text) + (kept === null ? 0 : jsonCost(kept));
}

/**
 * Bytes in V8 without pointer compression, which Node does not use. Objects and members are counted as in a dictionary.
 */
const [STRING_BYTES, ARRAY_BYTES, EMPTY_BYTES, OBJECT_BYTES, MEMBER_BYTES, ELEMENT_BYTES] = [
  24, 56, 64, 216, 64, 16,
];

/** Properties of a JSON text that can be seen before it is parsed. */
interface Scan {
  /** True where a number may be out of range: one with an exponent, or of more than 300 characters. */
  hasLongNumbers: boolean;
  /** Start and end of the digits of the first integer that a double rounds. */
  rounded?: [start: number, end: number];
}

/** Looks at the numbers of a JSON text, and checks its depth before anything recursive sees it. */
function scan(text: string, maxDepth: number): Scan {
  const found: Scan = { hasLongNumbers: false };
  let depth = 0;
  let boundary = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      boundary = index = endOfString(text, index);
    } else if (code === BRACKET || code === BRACE) {
      boundary = index;
      if (++depth > maxDepth) throw tooDeep(maxDepth);
    } else if (code === COMMA || code === END_BRACKET || code === END_BRACE) {
      if (code !== COMMA) depth--;
      found.hasLongNumbers ||= index - boundary > 300;
      boundary = index;
    } else if (isDigit(code)) {
      const start = index;
      while (isDigit(text.charCodeAt(index + 1))) index++;
      if (index - start >= EXACT_DIGITS && isRoundedAt(text, start, index + 1))
        found.rounded ??= [start, index + 1];
    } else if (code === CAPITAL_E || code === SMALL_E) {
      // True for an exponent, unless it ends `true` or `false`.
      found.hasLongNumbers ||= isDigit(text.charCodeAt(index - 1));
    }
  }
  found.hasLongNumbers ||= text.length - boundary > 300;
  return found;
}

/** Number of digits up to which a double has every integer. */
const EXACT_DIGITS = 15;

/** Returns whether the digits at a place are an integer that a double rounds, and no part of another number. */
function isRoundedAt(text: string, start: number, end: number): boolean {
  const isPart = /[.e][+-]?$/i.test(text.slice(start - 2, start)) || /[.e]/i.test(text.charAt(end));
  return !isPart && isRounded(text.slice(start, end));
}

/** Returns the problem of an integer that a double rounds. */
function roundedInteger(text: string, [start, end]: [start: number, end: number]): HttpProblem {
  const detail = roundingOf(text.slice(text[start - 1] === '-' ? start - 1 : start, end));
  // As a number out of range, it is found among the others.
  const marked = JSON.parse(`${text.slice(0, start)}1e999${text.slice(end)}`) as Json;
  const pointer = toFragment(pointerToInfinite(marked, '') ?? '');
  return new HttpProblem(400, `At ${pointer}, ${detail}.`, { errors: [{ pointer, rule: 'type', detail }] });
}

/** Returns the pointer of the first number out of range in a value; `pointer` is that of the value. */
function pointerToInfinite(value: Json, pointer: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : pointer;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = pointerToInfinite(member, below(pointer, key));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the index of the quote that ends the string which starts at `start`, or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function check(value: Json, levelsLeft: number, maxDepth: number): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new HttpProblem(400, 'The body has a number that is out of range.');
  }
  if (typeof value !== 'object' || value === null) return;
  if (levelsLeft === 0) throw tooDeep(maxDepth);
  if (Array.isArray(value)) {
    for (const item of value) check(item, levelsLeft - 1, maxDepth);
    return;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw new HttpProblem(400, 'The body has "__proto__" as a key.');
    check(value[key], levelsLeft - 1, maxDepth);
  }
}

function tooDeep(maxDepth: number): HttpProblem {
  return new HttpProblem(400, `The body is nested deeper than ${maxDepth} levels.`);
}
