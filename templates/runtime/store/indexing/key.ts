import type { ScalarType } from '../../model/kinds/kind-data';
import { formats } from '../../model/rules/formats';
import type { Json } from '../../model/schema';
import type { Key } from '../indexes';

export type { Key };

/** The key of a field without a value. It is greater than the key of every value, so that absent values sort last. */
export const ABSENT: Key = '\xff'.repeat(9);

/** The key of a list without elements: it is present, but equal to nothing and within no range. It comes right before ABSENT. */
export const EMPTY: Key = `${'\xff'.repeat(8)}\0`;

/** The length of the longest string that has a place in an index, in characters (code points). */
export const MAX_CHARACTERS = 500;

/** Returns the key of a value; undefined for a value of another type, which counts as absent. An integer has that of the number. */
export function keyOf(value: Json | undefined, type: ScalarType): Key | undefined {
  switch (typeof value) {
    case 'string':
      if (type === 'timestamp') return formats['date-time'](value) ? instantKey(value) : undefined;
      return type === 'string' ? stringKey(value) : undefined;
    case 'number':
      return type === 'number' || (type === 'integer' && Number.isInteger(value))
        ? numberKey(value)
        : undefined;
    case 'boolean':
      return type === 'boolean' ? (value ? '\x01' : '\x00') : undefined;
    default:
      return undefined;
  }
}

/** Returns the keys of a field, at least one: of its value or of the different elements of its list, else ABSENT or EMPTY. */
export function keysOf(value: Json | undefined, type: ScalarType, isList: boolean): Key[] {
  if (!isList) return [keyOf(value, type) ?? ABSENT];
  if (!Array.isArray(value)) return [ABSENT];
  const keys = new Set<Key>();
  for (const element of value) {
    const key = keyOf(element, type);
    if (key !== undefined) keys.add(key);
  }
  return keys.size === 0 ? [EMPTY] : [...keys];
}

/** Returns whether a value, or an element of a list, is a string that is too long for an index. */
export function isTooLong(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some((element) => typeof element === 'string' && isTooLong(element));
  if (typeof value !== 'string' || value.length <= MAX_CHARACTERS) return false;
  return value.length > 2 * MAX_CHARACTERS || [...value].length > MAX_CHARACTERS;
}

/** Returns the bytes of a key. */
export function bytesOf(key: Key): Uint8Array {
  return Buffer.from(key, 'latin1');
}

/** Returns the key with these bytes. */
export function keyFrom(bytes: Uint8Array): Key {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** UTF-8, and for lone surrogates what UTF-8 would be if it had them (WTF-8): its order is that of the code points. */
function stringKey(text: string): Key {
  if (!/[^\0-\x7f]/.test(text)) return text;
  if (!/[\ud800-\udfff]/u.test(text)) return Buffer.from(text, 'utf8').toString('latin1');
  let key = '';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const isLone = code >= 0xd800 && code <= 0xdfff;
    key += isLone
      ? String.fromCharCode(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
      : Buffer.from(character, 'utf8').toString('latin1');
  }
  return key;
}

const number = Buffer.alloc(8);

/** IEEE 754 with the sign flipped, and all other bits of negative numbers. -0 is 0. */
function numberKey(value: number): Key {
  number.writeDoubleBE(value + 0);
  const isNegative = number[0] >= 0x80;
  if (isNegative) for (let index = 0; index < 8; index++) number[index] ^= 0xff;
  else number[0] |= 0x80;
  return number.toString('latin1');
}

const PARTS = /^(\d{4})-(\d\d)-(\d\d).(\d\d):(\d\d):(\d\d)(?:\.(\d*?)0*)?(?:.|([+-])(\d\d):(\d\d))$/;

/** Makes the minutes of every year of RFC 3339 positive, offsets included. */
const MINUTES_BEFORE_1970 = 1_100_000_000;

const instant = Buffer.alloc(6);

/** Minutes, seconds (60 is a leap second) and the digits of the fraction, without zeros at its end. */
function instantKey(text: string): Key {
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] =
    PARTS.exec(text)!;
  const date = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const offset =
    sign === undefined ? 0 : Number(`${sign}1`) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const minutes = MINUTES_BEFORE_1970 + date / 60_000 + Number(hour) * 60 + Number(minute) - offset;
  instant.writeUIntBE(minutes, 0, 5);
  instant[5] = Number(second);
  return instant.toString('latin1') + fraction;
}
