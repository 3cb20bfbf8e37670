import type { Json } from '../runtime/model/schema';

const DIGITS = '0123456789';
const LETTERS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** A string with as many digits varies in these alone. */
const ENOUGH_DIGITS = 3;

/**
 * Returns the nth variant of a value: an integer that is larger by n, or a string whose digits, or letters where it has few
 * digits, count up from the right. The variants of a string repeat once all are used.
 */
export function variant(value: Json, n: number): Json {
  if (typeof value === 'number') return value + n;
  if (typeof value !== 'string') return value;
  const digits = [...value].filter((character) => DIGITS.includes(character)).length;
  const rings = digits >= ENOUGH_DIGITS ? [DIGITS] : [DIGITS, ...LETTERS];
  let rest = n;
  const counted = [...value].reverse().map((character) => {
    const ring = rings.find((each) => each.includes(character));
    if (ring === undefined) return character;
    const at = ring.indexOf(character) + (rest % ring.length);
    rest = Math.floor(rest / ring.length) + Math.floor(at / ring.length);
    return ring[at % ring.length];
  });
  return counted.reverse().join('');
}
