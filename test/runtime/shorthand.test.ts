import fc from 'fast-check';
import { applyPatch, parsePatch } from '../../templates/runtime/patch/apply-patch';
import type { Json, JsonObject } from '../../templates/runtime/schema';
import { outcome } from './outcome';

const patch = (document: Json, body: Json): Json | number =>
  outcome(() => applyPatch('application/shorthand-patch+json', document, body));

const items = [{ n: 0 }, { n: 1 }, { n: 2 }];

describe('shorthand patches', () => {
  it.each<[string, Json, Json, Json]>([
    ['sets a member', { spec: { a: 1 } }, { 'spec.a': 2 }, { spec: { a: 2 } }],
    ['sets a member of the root', { a: 1 }, { a: 2 }, { a: 2 }],
    ['an empty patch', { a: 1 }, {}, { a: 1 }],
    ['replaces, never merges', { a: { b: 1, c: 2 } }, { a: { b: 3 } }, { a: { b: 3 } }],
    ['keeps nulls within a value', {}, { a: { b: null } }, { a: { b: null } }],
    ['creates parents', {}, { 'a.b.c': 1 }, { a: { b: { c: 1 } } }],
    ['creates an object for a number', {}, { 'a.0': 1 }, { a: { '0': 1 } }],
    [
      'several paths with one parent',
      {},
      { 'a.b': 1, 'a.c': 2, 'a.d.e': 3 },
      { a: { b: 1, c: 2, d: { e: 3 } } },
    ],
    ['removes', { a: 1, b: 2 }, { a: null }, { b: 2 }],
    ['removes deeper', { a: { b: 1, c: 2 } }, { 'a.b': null }, { a: { c: 2 } }],
    ['removes what is absent', { a: {} }, { 'a.b': null, c: null }, { a: {} }],
    ['null below a missing parent', {}, { 'a.b.c': null }, {}],
    [
      'null and a value below a missing parent',
      {},
      { 'a.b': null, 'a.c': 1, 'd.e.f': null },
      { a: { c: 1 } },
    ],
    ['an empty object below a missing parent', {}, { 'a.b': {} }, { a: { b: {} } }],
    ['a present parent is kept, emptied', { a: { b: 1 } }, { 'a.b': null }, { a: {} }],
    [
      'a number is a plain key of an object',
      { a: { '0': 1 } },
      { 'a.0': 2, 'a.01': 3 },
      { a: { '0': 2, '01': 3 } },
    ],
    ['- is a plain key of an object', { a: {} }, { 'a.-': 1 }, { a: { '-': 1 } }],
    ['a prefix of a name is no overlap', {}, { ab: 1, 'a.b': 2 }, { ab: 1, a: { b: 2 } }],
    ['a literal dot', {}, { 'a.b\\.c/d': 1 }, { a: { 'b.c/d': 1 } }],
    ['literal dots at both ends', {}, { '\\.a\\.': 1 }, { '.a.': 1 }],
    ['a literal backslash before a dot', {}, { 'a\\\\.b': 1 }, { 'a\\': { b: 1 } }],
    ['a literal backslash and a literal dot', {}, { 'a\\\\\\.b': 1 }, { 'a\\.b': 1 }],
    ['a backslash alone', {}, { 'a\\b': 1, 'c\\': 2 }, { 'a\\b': 1, 'c\\': 2 }],
    ['spaces and other letters', {}, { ' a . é ': 1 }, { ' a ': { ' é ': 1 } }],
    [
      'names of Object.prototype are data',
      {},
      { 'constructor.prototype.x': 1, toString: 2 },
      { constructor: { prototype: { x: 1 } }, toString: 2 },
    ],
    ['an element', { l: [1, 2] }, { 'l.1': 3 }, { l: [1, 3] }],
    [
      'a member of an element',
      { l: items },
      { 'l.1.n': 5, 'l.1.m': 6 },
      { l: [{ n: 0 }, { n: 5, m: 6 }, { n: 2 }] },
    ],
    ['an element of an element', { l: [[1, 2]] }, { 'l.0.1': 3 }, { l: [[1, 3]] }],
    ['removes an element', { l: [1, 2, 3] }, { 'l.1': null }, { l: [1, 3] }],
    [
      'removes elements by their first indices',
      { l: [1, 2, 3, 4] },
      { 'l.0': null, 'l.1': null, 'l.3': 9 },
      { l: [3, 9] },
    ],
    ['the same in another order', { l: [1, 2, 3, 4] }, { 'l.3': 9, 'l.1': null, 'l.0': null }, { l: [3, 9] }],
    ['a list made by the same patch', {}, { l: [1] }, { l: [1] }],
    // 422: it does not fit the document
    ['an index at the end', { l: [1] }, { 'l.1': 2 }, 422],
    ['an index beyond the end', { l: [1] }, { 'l.5.a': 2 }, 422],
    ['removal beyond the end', { l: [1] }, { 'l.1': null }, 422],
    ['- on a list', { l: [1] }, { 'l.-': 2 }, 422],
    ['a leading zero', { l: [1, 2] }, { 'l.01': 2 }, 422],
    ['no number', { l: [1] }, { 'l.x': 2 }, 422],
    ['length', { l: [1] }, { 'l.length': 0 }, 422],
    ['a parent that is a string', { a: 'x' }, { 'a.b': 1 }, 422],
    ['a parent that is a string, removal', { a: 'x' }, { 'a.b': null }, 422],
    ['a parent that is null', { a: null }, { 'a.b': 1 }, 422],
    ['a parent that is false', { a: { b: false } }, { 'a.b.c.d': 1 }, 422],
    ['an element that is a number', { l: [1] }, { 'l.0.a': 1 }, 422],
    // 400: it fits no document
    ['a list', {}, [], 400],
    ['null', {}, null, 400],
    ['a string', {}, 'a', 400],
    ['an empty key', {}, { '': 1 }, 400],
    ['a leading dot', {}, { '.a': 1 }, 400],
    ['a trailing dot', {}, { 'a.': 1 }, 400],
    ['two dots', {}, { 'a..b': 1 }, 400],
    ['only a dot', {}, { '.': 1 }, 400],
    ['an overlap', {}, { a: {}, 'a.b': 1 }, 400],
    ['an overlap, the other way round', {}, { 'a.b': 1, a: {} }, 400],
    ['an overlap far below', {}, { 'a.b.c.d': 1, 'a.b': null }, 400],
    ['an overlap of removals', { a: {} }, { 'a.b': null, a: null }, 400],
    ['one path in two spellings', {}, { 'a\\\\b': 1, 'a\\b': 2 }, 400],
    ['__proto__', {}, JSON.parse('{"__proto__":1}'), 400],
    ['__proto__ as a parent', {}, { '__proto__.polluted': 1 }, 400],
    ['__proto__ below', {}, { 'a.__proto__': { polluted: 1 } }, 400],
    ['more parts than levels', {}, { [Array(65).fill('a').join('.')]: 1 }, 400],
    ['a path and a value that are too deep together', {}, { [Array(64).fill('a').join('.')]: {} }, 400],
  ])('%s', (_name, document, body, want) => {
    const text = JSON.stringify([document, body]);
    expect(patch(document, body)).toEqual(want);
    expect(JSON.stringify([document, body])).toBe(text);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('goes to the last level', () => {
    const path = Array(64).fill('a').join('.');
    expect(JSON.stringify(patch({}, { [path]: 1 }))).toBe('{"a":'.repeat(64) + '1' + '}'.repeat(64));
  });

  it('reads malformed patches without a document', () => {
    expect(outcome(() => parsePatch('application/shorthand-patch+json', { 'a..b': 1 }))).toBe(400);
  });

  it('takes 100,000 keys, but no more parts than it can afford', () => {
    const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`m.${index}`, 1]));
    expect(Object.keys((patch({}, body) as JsonObject)['m'] as JsonObject)).toHaveLength(100_000);
    expect(patch({}, { ...body, 'm.99999.x': 1 })).toBe(400);
    const deep = Array.from({ length: 4_000 }, (_, index) => [`${index}${'.a'.repeat(63)}`, 1]);
    expect(patch({}, Object.fromEntries(deep))).toBe(413);
  });
});

describe('laws', () => {
  const part = fc.constantFrom('a', 'b', '0', '1', 'constructor');
  const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
  const value = fc.constantFrom<Json>(null, 1, 'x', { a: 1 }, [1, { a: 2 }]);
  const entries = fc.uniqueArray(fc.tuple(path, value), { maxLength: 5, selector: ([key]) => key });
  const document = fc.dictionary(
    part,
    fc.constantFrom<Json>(1, null, {}, { a: { b: 1 } }, [1, 2], [{ a: 1 }, [3]]),
    {
      noNullPrototype: true,
    },
  );

  it('the order of keys does not matter, and nothing given is changed', () => {
    fc.assert(
      fc.property(document, entries, (target, list) => {
        const text = JSON.stringify(target);
        const result = patch(target, Object.fromEntries(list));
        expect(patch(target, Object.fromEntries([...list].reverse()))).toEqual(result);
        expect(JSON.stringify(target)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
