import fc from 'fast-check';
import type { ScalarType } from '../../../../templates/runtime/model/kinds/kind-data';
import type { Json } from '../../../../templates/runtime/model/schema';
import {
  ABSENT,
  bytesOf,
  EMPTY,
  isTooLong,
  type Key,
  keyFrom,
  keyOf,
  keysOf,
} from '../../../../templates/runtime/store/indexing/key';
import { type FieldRequirement, meets } from '../../../../templates/runtime/store/indexing/requirement';

const sign = (order: number): number => Math.sign(order) + 0;

/** The order of two keys as JavaScript compares them; the bytes must have the same. */
function order(a: Key | undefined, b: Key | undefined): number {
  if (a === undefined || b === undefined) throw new Error('a value has no key');
  const bytes = sign(Buffer.compare(bytesOf(a), bytesOf(b)));
  expect(a < b ? -1 : a > b ? 1 : 0).toBe(bytes);
  return bytes;
}

function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]].map((text) => text.map((character) => character.codePointAt(0)!));
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    if (left[index] !== right[index]) return left[index] - right[index];
  }
  return left.length - right.length;
}

const character = fc.oneof(
  fc.constantFrom(
    '\0',
    'a',
    'b',
    '\x7f',
    '\x80',
    'ß',
    '\ud7ff',
    '\ud800',
    '\udfff',
    '\ue000',
    '\uffff',
    '🚀',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
/** Joined lone surrogates may become characters: the text is what counts. */
const text = fc.array(character, { maxLength: 4 }).map((all) => all.join(''));

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(
    0,
    -0,
    Number.MIN_VALUE,
    -Number.MIN_VALUE,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    2 ** 53,
    0.1,
  ),
);

/** An instant: a minute, a second of it, its fraction. */
interface Instant {
  minute: number;
  second: number;
  fraction: string;
}

const instant: fc.Arbitrary<Instant> = fc.record({
  // From the second day of the year 0 to the last but one of 9999, so that every offset stays within.
  minute: fc.oneof(fc.integer({ min: -1_036_100_000, max: 4_223_300_000 }), fc.integer({ min: -3, max: 3 })),
  second: fc.integer({ min: 0, max: 59 }),
  fraction: fc.stringMatching(/^[059]{0,4}$/),
});

function written({ minute, second, fraction }: Instant, offset: number, zeros: string): string {
  const local = new Date((minute + offset) * 60_000).toISOString().slice(-24, -8);
  const digits = fraction + zeros;
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${local}:${two(second)}${digits === '' ? '' : `.${digits}`}${offset === 0 && zeros === '' ? 'Z' : zone}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

function byTime(a: Instant, b: Instant): number {
  const fraction = ({ fraction }: Instant): number => Number(`0.${fraction || '0'}`);
  return a.minute - b.minute || a.second - b.second || fraction(a) - fraction(b);
}

describe('the order of keys is that of the values', () => {
  const RUNS = { numRuns: 5_000 };

  test('strings by code point', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(order(keyOf(a, 'string'), keyOf(b, 'string'))).toBe(sign(byCodePoint(a, b)));
      }),
      RUNS,
    );
  });

  test('numbers by value', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(order(keyOf(a, 'number'), keyOf(b, 'number'))).toBe(sign(a < b ? -1 : a > b ? 1 : 0));
      }),
      RUNS,
    );
  });

  test('timestamps as instants, with any offset and any number of digits', () => {
    const offset = fc.integer({ min: -1439, max: 1439 });
    const zeros = fc.constantFrom('', '0', '000');
    fc.assert(
      fc.property(instant, instant, offset, offset, zeros, (a, b, offsetA, offsetB, more) => {
        const keys = [written(a, offsetA, more), written(b, offsetB, '')].map((each) =>
          keyOf(each, 'timestamp'),
        );
        expect(order(keys[0], keys[1])).toBe(sign(byTime(a, b)));
      }),
      RUNS,
    );
  });

  test.each([
    ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00Z', 0],
    ['2026-01-01t00:00:00z', '2026-01-01T00:00:00.000Z', 0],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.999999999Z', 1],
    ['2016-12-31T23:59:60.9Z', '2017-01-01T00:00:00Z', -1],
    ['0000-01-01T00:00:00+23:59', '0000-01-01T00:00:00Z', -1],
    ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59Z', 1],
    ['2026-01-01T00:00:00.12345678901234567890Z', '2026-01-01T00:00:00.12345678901234567891Z', -1],
  ])('%s and %s', (a, b, want) => {
    expect(order(keyOf(a, 'timestamp'), keyOf(b, 'timestamp'))).toBe(want);
  });

  test('false before true', () => {
    expect(order(keyOf(false, 'boolean'), keyOf(true, 'boolean'))).toBe(-1);
  });

  test('EMPTY and then ABSENT come after every value', () => {
    const values: [Json, ScalarType][] = [
      [Number.MAX_VALUE, 'number'],
      ['\u{10ffff}'.repeat(3), 'string'],
      [true, 'boolean'],
      ['9999-12-31T23:59:59-23:59', 'timestamp'],
    ];
    for (const [value, type] of values) expect(order(keyOf(value, type), EMPTY)).toBe(-1);
    expect(order(EMPTY, ABSENT)).toBe(-1);
  });
});

test.each<[Json | undefined, ScalarType]>([
  [undefined, 'string'],
  [null, 'string'],
  [1, 'string'],
  ['1', 'number'],
  [true, 'number'],
  [1, 'boolean'],
  ['yesterday', 'timestamp'],
  ['2026-02-30T00:00:00Z', 'timestamp'],
  [{}, 'string'],
  [['a'], 'string'],
])('%j is no %s', (value, type) => {
  expect(keyOf(value, type)).toBeUndefined();
  expect(keysOf(value, type, false)).toEqual([ABSENT]);
});

test('a list has a key for each different element of its type', () => {
  expect(keysOf(['b', 'a', 'b', 1, null], 'string', true)).toEqual(['b', 'a']);
  expect(keysOf([0, -0], 'number', true)).toHaveLength(1);
  expect(keysOf([], 'string', true)).toEqual([EMPTY]);
  expect(keysOf([1], 'string', true)).toEqual([EMPTY]);
  expect(keysOf(undefined, 'string', true)).toEqual([ABSENT]);
  expect(keysOf('a', 'string', true)).toEqual([ABSENT]);
});

test('500 characters are not too long, 501 are', () => {
  expect(isTooLong('x'.repeat(500))).toBe(false);
  expect(isTooLong('x'.repeat(501))).toBe(true);
  expect(isTooLong('🚀'.repeat(500))).toBe(false);
  expect(isTooLong('🚀'.repeat(500) + 'x')).toBe(true);
  expect(isTooLong(['a', 'x'.repeat(501)])).toBe(true);
  expect(isTooLong(['a', 1, null])).toBe(false);
  expect(isTooLong(undefined)).toBe(false);
});

test('bytes and keys are each other', () => {
  const key = keyOf('Zürich \ud800', 'string')!;
  expect(keyFrom(bytesOf(key))).toBe(key);
  expect(Buffer.from(bytesOf(keyOf('Zürich', 'string')!)).toString('utf8')).toBe('Zürich');
});

describe('meets()', () => {
  const bound = (value: number, isIncluded: boolean) => ({ key: keyOf(value, 'number')!, isIncluded });
  const keys = (...values: number[]): Key[] => keysOf(values, 'number', true);
  const requirements: [string, Omit<FieldRequirement, 'index'>, boolean[]][] = [
    ['= 1', { operator: 'in', keys: keys(1) }, [true, true, false, false, false]],
    ['!= 1', { operator: 'notin', keys: keys(1) }, [false, false, true, true, true]],
    ['> 1', { operator: 'range', from: bound(1, false) }, [false, true, true, false, false]],
    ['>= 1', { operator: 'range', from: bound(1, true) }, [true, true, true, false, false]],
    ['< 2', { operator: 'range', to: bound(2, false) }, [true, true, false, false, false]],
    ['<= 2', { operator: 'range', to: bound(2, true) }, [true, true, true, false, false]],
    ['present', { operator: 'present' }, [true, true, true, true, false]],
    ['absent', { operator: 'absent' }, [false, false, false, false, true]],
  ] as [string, FieldRequirement, boolean[]][];
  test.each(requirements)('%s', (_, requirement, want) => {
    const resources = [[1], [1, 2], [2]].map((values) => keys(...values));
    const all = [...resources, [EMPTY], [ABSENT]];
    expect(all.map((each) => meets(each, { index: 'x', ...requirement } as FieldRequirement))).toEqual(want);
  });
});
