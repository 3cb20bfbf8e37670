import fc from 'fast-check';
import { isObject, type Json, type JsonObject } from '../../../templates/runtime/model/schema';
import { outcome } from '../support/outcome';
import { applyPatch } from './apply-patch';
import { APPENDIX_A } from './patch-tables';

const patch = (document: Json, body: Json): Json | number =>
  outcome(() => applyPatch('application/merge-patch+json', document, body));

describe('RFC 7396, appendix A', () => {
  it.each(APPENDIX_A)('%j with %j is %j', (document, body, want) => {
    // Patches that are no objects are malformed here.
    expect(patch(document, body)).toEqual(isObject(body) ? want : 400);
  });
});

describe('beyond the appendix', () => {
  it.each<[string, Json, Json, Json]>([
    ['nulls in lists stay', {}, { a: [null, { b: null }] }, { a: [null, { b: null }] }],
    ['removing what is absent', { a: 1 }, { b: null }, { a: 1 }],
    ['an object over a string', { a: 'x' }, { a: { b: { c: null, d: 1 } } }, { a: { b: { d: 1 } } }],
    [
      'names of Object.prototype',
      {},
      { constructor: { prototype: { x: 1 } }, toString: 'x' },
      { constructor: { prototype: { x: 1 } }, toString: 'x' },
    ],
    ['removing an inherited name', {}, { valueOf: null }, {}],
    ['a number', {}, 1, 400],
    ['__proto__', {}, JSON.parse('{"__proto__":{"polluted":1}}'), 400],
    ['__proto__ deeper', { a: {} }, JSON.parse('{"a":{"__proto__":{"polluted":1}}}'), 400],
  ])('%s', (_name, document, body, want) => {
    expect(patch(document, body)).toEqual(want);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('keeps the order of members', () => {
    expect(JSON.stringify(patch({ c: 1, a: 1, b: 1 }, { a: 2, d: 2 }))).toBe('{"c":1,"a":2,"b":1,"d":2}');
  });

  it('refuses an outcome beyond the limits', () => {
    const limits = { operations: 1, bytes: 20, depth: 2 };
    const bounded = (document: Json, body: Json) =>
      outcome(() => applyPatch('application/merge-patch+json', document, body, limits));
    expect(bounded({ a: 'x'.repeat(6) }, { b: 1 })).toEqual({ a: 'xxxxxx', b: 1 });
    expect(bounded({ a: 'x'.repeat(7) }, { b: 1 })).toBe(413);
    expect(bounded({}, { a: { b: 1 } })).toEqual({ a: { b: 1 } });
    expect(bounded({}, { a: { b: {} } })).toBe(400);
  });
});

describe('laws', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'constructor', 'toString');
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>(null, true, 1, 'x'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
  const object = fc.dictionary(key, json, { maxKeys: 4, noNullPrototype: true });

  it('applying twice is applying once, and nothing given is changed', () => {
    fc.assert(
      fc.property(object, object, (document, body) => {
        const text = JSON.stringify([document, body]);
        const once = patch(document, body);
        expect(patch(once, body)).toEqual(once);
        expect(JSON.stringify([document, body])).toBe(text);
      }),
    );
  });

  it('the empty patch changes nothing; each member is set, merged or removed', () => {
    fc.assert(
      fc.property(object, object, (document, body) => {
        expect(patch(document, {})).toEqual(document);
        const merged = patch(document, body) as JsonObject;
        for (const name of Object.keys(body)) {
          if (body[name] === null) expect(Object.hasOwn(merged, name)).toBe(false);
          else if (typeof body[name] !== 'object') expect(merged[name]).toBe(body[name]);
        }
        for (const name of Object.keys(document)) {
          if (!Object.hasOwn(body, name)) expect(merged[name]).toEqual(document[name]);
        }
      }),
    );
  });
});
