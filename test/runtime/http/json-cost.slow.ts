import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jsonCost } from '../../../templates/runtime/http/request/json-body';
import type { Json } from '../../../templates/runtime/model/schema';
import { copyJson } from '../../../templates/runtime/patch/json-value';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const LENGTH = 1_000_000;

/** An array of about 1 MB whose elements are made by a function. */
function arrayOf(element: (index: number) => string): string {
  const elements: string[] = [];
  for (let length = 0; length < LENGTH; length += elements.at(-1)!.length + 1)
    elements.push(element(elements.length));
  return `[${elements.join(',')}]`;
}

const key = (index: number): string => `"${index.toString(36)}"`;

const SHAPES: [name: string, text: string][] = [
  ['empty arrays', arrayOf(() => '[]')],
  ['empty objects', arrayOf(() => '{}')],
  ['arrays of one', arrayOf(() => '[0]')],
  ['nested arrays', arrayOf(() => '[[[[[[[[]]]]]]]]')],
  ['arrays of a fraction', arrayOf(() => '[1.5]')],
  ['objects with the same key', arrayOf(() => '{"a":1}')],
  ['objects with an index as key', arrayOf(() => '{"1":1}')],
  ['objects with a key of their own each', arrayOf((index) => `{${key(index)}:[]}`)],
  ['objects of objects with a key of their own each', arrayOf((index) => `{${key(index)}:{}}`)],
  ['numbers', arrayOf(() => '1')],
  ['fractions', arrayOf(() => '1.5')],
  ['short strings', arrayOf(key)],
  ['strings outside of Latin 1', arrayOf(() => '"€"')],
  ['one object', `{${Array.from({ length: 90_000 }, (_, index) => `${key(index)}:1`).join(',')}}`],
  ['one long string', `"${'x'.repeat(LENGTH)}"`],
  ['one long string outside of Latin 1', `"${'€'.repeat(LENGTH)}"`],
];

test.each(SHAPES)('the memory of %s is not underestimated', (_name, text) => {
  const held: Json[] = [];
  const measure = (make: () => Json): number => {
    collect();
    const before = process.memoryUsage().heapUsed;
    held.push(make());
    collect();
    return process.memoryUsage().heapUsed - before;
  };
  const parsed = measure(() => JSON.parse(text) as Json);
  const copied = measure(() => copyJson(held[0]));
  // A little is the test's own.
  expect(Math.max(parsed, copied)).toBeLessThan(jsonCost(text) + 200_000);
});

test('the memory of an ordinary document is overestimated tenfold at most', () => {
  const text = arrayOf((index) =>
    JSON.stringify({ name: `device ${index}`, location: 'somewhere else', on: true }),
  );
  expect(jsonCost(text)).toBeLessThan(15 * text.length);
});
