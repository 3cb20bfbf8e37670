import { isUtf8 } from 'node:buffer';
import { HttpProblem } from './problem';
import type { Json } from './schema';

const [QUOTE, BACKSLASH, COMMA, CAPITAL_E, SMALL_E] = [0x22, 0x5c, 0x2c, 0x45, 0x65];
const [BRACKET, END_BRACKET, BRACE, END_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The text of a body in UTF-8, without a byte order mark. Throws HttpProblem 400 where it is malformed. */
export function decodeUtf8(body: Buffer): string {
  if (!isUtf8(body)) throw new HttpProblem(400, 'The body is not valid UTF-8.');
  const text = body.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/**
 * The value of a JSON text (RFC 8259). Throws HttpProblem 400 for a syntax error, more than `maxDepth` levels of
 * arrays and objects, `__proto__` as a key anywhere, and a number beyond the range of a double, which could not be
 * given back. Linear in the text, whatever it holds.
 */
export function parseJson(text: string, maxDepth: number): Json {
  const longNumbers = scan(text, maxDepth);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    throw new HttpProblem(400, `The body is not valid JSON: ${(error as Error).message}.`);
  }
  // The key may be written with escapes, of which each of its letters has one that starts in this way.
  return longNumbers || text.includes('__proto__') || text.includes('\\u00')
    ? checkJson(value, maxDepth)
    : value;
}

/** The value itself, one that others have parsed. Throws HttpProblem 400 for what `parseJson` refuses in a text. */
export function checkJson(value: Json, maxDepth: number): Json {
  check(value, maxDepth, maxDepth);
  return value;
}

/**
 * Finds, before anything recursive sees the text, whether it is nested too deep. Returns whether it has a number
 * that may be out of range: one with an exponent, or of more than 300 characters.
 */
function scan(text: string, maxDepth: number): boolean {
  let depth = 0;
  let longNumbers = false;
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
      longNumbers ||= index - boundary > 300;
      boundary = index;
    } else if (code === CAPITAL_E || code === SMALL_E) {
      // An exponent, unless it ends `true` or `false`.
      longNumbers ||= isDigit(text.charCodeAt(index - 1));
    }
  }
  return longNumbers || text.length - boundary > 300;
}

/** The index of the quote that ends the string which starts at `start`, or the length of the text. */
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
