import { join } from '../../../templates/runtime/conversion/lenses/joining';
import { durationText, parseDuration } from '../../../templates/runtime/conversion/values/durations';
import { scaling } from '../../../templates/runtime/conversion/values/scaling';
import { partners } from '../../../templates/runtime/model/fields/partners';
import type { Json, JsonObject } from '../../../templates/runtime/model/schema';
import type { Failures } from '../../../templates/runtime/model/versions/spoke-converter';

test.each<[string, number | undefined]>([
  ['1h30m', 5400],
  ['90m', 5400],
  ['1.5h', 5400],
  ['5400s', 5400],
  ['1h0m0s', 3600],
  ['250ms', 0.25],
  ['1s500ms', 1.5],
  ['10us', 0.00001],
  ['10µs', 0.00001],
  ['3ns', 3e-9],
  ['-5s', -5],
  ['+5s', 5],
  ['0', 0],
  ['0s', 0],
  ['-0s', 0],
  ['', undefined],
  ['-', undefined],
  ['5', undefined],
  ['1d', undefined],
  ['1h 30m', undefined],
  ['h', undefined],
  ['1.h', undefined],
  ['1e3s', undefined],
  [`${'9'.repeat(400)}s`, undefined],
])('the duration %j', (text, want) => expect(parseDuration(text)).toBe(want));

test.each<[number, string]>([
  [0, '0s'],
  [1, '1s'],
  [60, '1m'],
  [3600, '1h'],
  [5400, '1h30m'],
  [3661, '1h1m1s'],
  [0.5, '0.5s'],
  [90.25, '1m30.25s'],
  [-5400, '-1h30m'],
  [360000, '100h'],
  [1e-9, '0.000000001s'],
])('%d seconds as text', (seconds, want) => {
  expect(durationText(seconds)).toBe(want);
  expect(parseDuration(want)).toBe(seconds);
});

test.each<[string, Json[], Json[], string | undefined, number[]]>([
  ['the same', [1, 2], [1, 2], undefined, [0, 1]],
  ['one removed', [1, 3], [1, 2, 3], undefined, [0, 2]],
  ['one inserted', [1, 9, 2], [1, 2], undefined, [0, -1, 1]],
  ['one changed', [1, 9, 3], [1, 2, 3], undefined, [0, 1, 2]],
  ['turned round', [3, 2, 1], [1, 2, 3], undefined, [2, 1, 0]],
  ['twins', [1, 1], [1, 1], undefined, [0, 1]],
  ['one twin less', [2, 1], [1, 1, 2], undefined, [2, 1]],
  ['objects, members in another order', [{ b: 1, a: 2 }], [{ x: 1 }, { a: 2, b: 1 }], undefined, [1]],
  ['by key', [{ k: 'b' }, { k: 'c' }], [{ k: 'a' }, { k: 'b' }], 'k', [1, -1]],
  ['a key that is text and one that is a number', [{ k: '1' }], [{ k: 1 }], 'k', [-1]],
  ['a repeated key', [{ k: 'a' }, { k: 'a' }], [{ k: 'a' }], 'k', [0, -1]],
  ['without a key among keys', [{ x: 1 }, { k: 'a' }], [{ k: 'a' }, { x: 1 }], 'k', [1, 0]],
])('partners: %s', (_, now, before, key, want) => expect(partners(now, before, key)).toEqual(want));

test('partners of long lists are found soon', () => {
  const before = Array.from({ length: 50_000 }, (_, i) => ({ i }));
  const now = before.toReversed();
  expect(partners(now, before, undefined)).toEqual(before.map((_, i) => 49_999 - i));
});

test.each<[number, 'integer' | 'number', Json, Json]>([
  [1000, 'integer', 1.5, 1500],
  [1000, 'integer', 0.0004, 0],
  [0.001, 'number', 1500, 1.5],
  [100, 'number', 4.35, 435],
  [3, 'integer', 1.1, 3],
  [-1, 'integer', 0, 0],
  [0.5, 'integer', 2_000_000_000_000_013, 1_000_000_000_000_007],
])('scale by %d to %s: %j', (factor, hub, spoke, want) => {
  expect(scaling(factor, { hub, spoke: 'number' }).put(spoke, undefined, '', { found: [] }).hub).toBe(want);
});

test('scale: a number that is too large is refused, one that is read is not', () => {
  const failures: Failures = { found: [] };
  const lens = scaling(1e300, { hub: 'number', spoke: 'number' });
  lens.put(1e300, undefined, '/spec/n', failures);
  expect(failures.found).toEqual([{ pointer: '/spec/n', rule: 'scale', detail: 'the number is too large' }]);
  expect(scaling(1e-300, { hub: 'number', spoke: 'number' }).get(-1e300, undefined)).toBe(-Number.MAX_VALUE);
  for (const hub of [1e17, Number.MAX_VALUE])
    expect(scaling(0.1, { hub: 'number', spoke: 'integer' }).get(hub, undefined)).toBe(
      Number.MAX_SAFE_INTEGER,
    );
});

test.each<[string, JsonObject]>([
  ['Ada Lovelace', { first: 'Ada', last: 'Lovelace' }],
  ['Ada King Lovelace', { first: 'Ada', last: 'King Lovelace' }],
  ['Ada', { first: 'Ada' }],
  ['Ada ', { first: 'Ada', last: '' }],
  ['', { first: '' }],
])('join: %j', (full, parts) => {
  expect(join(['first', 'last'], 'full', ' ').rule.toHub({ full }, {})).toEqual(parts);
  expect(join(['first', 'last'], 'full', ' ').rule.get(parts, undefined)).toEqual({ full });
  expect(join('full', ['first', 'last'], ' ').rule.get({ full }, undefined)).toEqual(parts);
});
