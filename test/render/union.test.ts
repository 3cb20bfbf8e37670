import { union } from '../../src/render/text/union';

const long = (length: number): string => 'x'.repeat(length);

test.each([
  ['on one line', ['a', 'b'], 'type A = a | b;'],
  ['on the next line', [long(50), long(50)], `type A =\n  ${long(50)} | ${long(50)};`],
  ['on a line for each type', [long(80), long(80)], `type A =\n  | ${long(80)}\n  | ${long(80)};`],
  ['of nothing', [], 'type A = never;'],
])('a union %s', (_, types, want) => expect(union('type A =', types)).toBe(want));

test('a union of nothing behind a long name', () => {
  expect(union(`type ${long(100)} =`, [])).toBe(`type ${long(100)} =\n  never;`);
});
