import fc from 'fast-check';
import { applyPatch as applyByLibrary, compare } from 'fast-json-patch';
import specTests from 'json-patch-test-suite/spec_tests.json';
import tests from 'json-patch-test-suite/tests.json';
import { applyPatch, parsePatch } from '../../templates/runtime/patch/apply-patch';
import type { Json, JsonObject } from '../../templates/runtime/schema';
import { outcome } from './outcome';

const patch = (document: Json, operations: Json): Json | number =>
  outcome(() => applyPatch('application/json-patch+json', document, operations));

interface Vector {
  comment?: string;
  doc: Json;
  patch: Json;
  expected?: Json;
  error?: string;
  disabled?: boolean;
}

/** Two operations of the same name in one object: JSON.parse has kept one of them, nothing is left to refuse. */
const NOT_JSON = ['duplicate ops', 'A.13 Invalid JSON Patch Document'];

describe('json-patch-test-suite', () => {
  const vectors = ([...specTests, ...tests] as Vector[]).filter(
    ({ comment = '' }) => !NOT_JSON.includes(comment),
  );
  it.each(
    vectors.map((vector, index) => [`${index}: ${vector.comment ?? JSON.stringify(vector.patch)}`, vector]),
  )('%s', (_name, { doc, patch: operations, expected, error }) => {
    const result = patch(doc as Json, operations);
    if (error === undefined) expect(result).toEqual(expected ?? doc);
    else expect([400, 422]).toContain(result);
  });
});

describe('malformed patches are 400', () => {
  it.each<[string, Json]>([
    ['an object', {}],
    ['null', null],
    ['a string', 'remove'],
    ['an operation that is null', [null]],
    ['an operation that is a list', [['add', '/a', 1]]],
    ['no op', [{ path: '/a' }]],
    ['an unknown op', [{ op: 'increment', path: '/a' }]],
    ['a name of Object.prototype as op', [{ op: 'constructor', path: '/a' }]],
    ['an op that is a list', [{ op: ['add'], path: '/a', value: 1 }]],
    ['no path', [{ op: 'remove' }]],
    ['a path that is a number', [{ op: 'remove', path: 0 }]],
    ['a path without a slash', [{ op: 'remove', path: 'a' }]],
    ['a URI fragment', [{ op: 'remove', path: '#/a' }]],
    ['a tilde alone', [{ op: 'remove', path: '/a~' }]],
    ['an unknown escape', [{ op: 'remove', path: '/a~2b' }]],
    ['no value: add', [{ op: 'add', path: '/b' }]],
    ['no value: replace', [{ op: 'replace', path: '/a' }]],
    ['no value: test', [{ op: 'test', path: '/a' }]],
    ['no from: move', [{ op: 'move', path: '/b' }]],
    ['no from: copy', [{ op: 'copy', path: '/b' }]],
    ['a malformed from', [{ op: 'copy', path: '/b', from: 'a' }]],
    ['a malformed operation after one that fails', [{ op: 'remove', path: '/none' }, { op: 'x' }]],
    ['__proto__ at the end of a path', [{ op: 'add', path: '/__proto__', value: {} }]],
    ['__proto__ within a path', [{ op: 'add', path: '/a/__proto__/polluted', value: 1 }]],
    ['__proto__ in from', [{ op: 'copy', path: '/b', from: '/__proto__' }]],
    ['__proto__ in a value', [{ op: 'add', path: '/b', value: JSON.parse('{"__proto__":{"polluted":1}}') }]],
  ])('%s', (_name, operations) => {
    expect(patch({ a: { c: 1 } }, operations)).toBe(400);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('says so while reading, before there is a document', () => {
    expect(outcome(() => parsePatch('application/json-patch+json', [{ op: 'remove', path: 'a' }]))).toBe(400);
  });
});

describe('operations that cannot be applied are 422', () => {
  const document: JsonObject = { a: { b: 1 }, list: [1, 2, 3], text: 'abc', none: null };
  it.each<[string, JsonObject]>([
    ['leading zero', { op: 'replace', path: '/list/01', value: 0 }],
    ['leading zero, add', { op: 'add', path: '/list/00', value: 0 }],
    ['no number', { op: 'remove', path: '/list/x' }],
    ['empty index', { op: 'add', path: '/list/', value: 0 }],
    ['negative', { op: 'remove', path: '/list/-1' }],
    ['exponent', { op: 'test', path: '/list/1e0', value: 2 }],
    ['hexadecimal', { op: 'test', path: '/list/0x1', value: 2 }],
    ['space', { op: 'test', path: '/list/ 1', value: 2 }],
    ['beyond 2^32', { op: 'test', path: '/list/4294967297', value: 2 }],
    ['beyond 2^53', { op: 'test', path: '/list/99999999999999999999', value: 2 }],
    ['length of the list', { op: 'test', path: '/list/length', value: 3 }],
    ['a method of the list', { op: 'copy', path: '/c', from: '/list/push' }],
    ['beyond the end, add', { op: 'add', path: '/list/4', value: 0 }],
    ['beyond the end, replace', { op: 'replace', path: '/list/3', value: 0 }],
    ['removing -', { op: 'remove', path: '/list/-' }],
    ['replacing -', { op: 'replace', path: '/list/-', value: 0 }],
    ['testing -', { op: 'test', path: '/list/-', value: 3 }],
    ['copying from -', { op: 'copy', path: '/c', from: '/list/-' }],
    ['- within a path', { op: 'add', path: '/list/-/x', value: 0 }],
    ['missing parent', { op: 'add', path: '/x/y', value: 0 }],
    ['missing member, remove', { op: 'remove', path: '/x' }],
    ['missing member, replace', { op: 'replace', path: '/x', value: 0 }],
    ['missing member, test', { op: 'test', path: '/x', value: null }],
    ['missing member, move', { op: 'move', path: '/y', from: '/x' }],
    ['missing member, move to itself', { op: 'move', path: '/x', from: '/x' }],
    ['inherited member, test', { op: 'test', path: '/constructor/name', value: 'Object' }],
    ['inherited member, remove', { op: 'remove', path: '/toString' }],
    ['inherited member, parent', { op: 'add', path: '/constructor/prototype/polluted', value: 1 }],
    ['into a string', { op: 'add', path: '/text/x', value: 1 }],
    ['character of a string', { op: 'test', path: '/text/0', value: 'a' }],
    ['into null', { op: 'add', path: '/none/x', value: 1 }],
    ['move into itself', { op: 'move', path: '/a/b', from: '/a' }],
    ['move the root into itself', { op: 'move', path: '/a', from: '' }],
    ['move within a list beyond its new end', { op: 'move', path: '/list/3', from: '/list/0' }],
    ['failed test', { op: 'test', path: '/a', value: { b: 2 } }],
    ['test of a string with a number', { op: 'test', path: '/a/b', value: '1' }],
    ['test of a list with an object', { op: 'test', path: '/list', value: { 0: 1, 1: 2, 2: 3 } }],
    ['test with one member more', { op: 'test', path: '/a', value: { b: 1, c: 1 } }],
    ['test with one member less', { op: 'test', path: '/a', value: {} }],
  ])('%s', (_name, operation) => {
    expect(patch(document, [{ op: 'add', path: '/first', value: true }, operation])).toBe(422);
    expect(document).toEqual({ a: { b: 1 }, list: [1, 2, 3], text: 'abc', none: null });
  });
});

describe('operations that apply', () => {
  it.each<[string, Json, Json, Json]>([
    ['the whole document', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
    ['removing the whole document', { a: 1 }, [{ op: 'remove', path: '' }], null],
    [
      'after the root is gone',
      { a: 1 },
      [
        { op: 'remove', path: '' },
        { op: 'add', path: '', value: {} },
      ],
      {},
    ],
    ['testing the whole document', { a: 1 }, [{ op: 'test', path: '', value: { a: 1 } }], { a: 1 }],
    ['copying a part to the root', { a: { b: 1 } }, [{ op: 'copy', path: '', from: '/a' }], { b: 1 }],
    ['moving a part to the root', { a: { b: 1 } }, [{ op: 'move', path: '', from: '/a' }], { b: 1 }],
    ['moving the root to itself', { a: 1 }, [{ op: 'move', path: '', from: '' }], { a: 1 }],
    [
      'copying the root below itself',
      { a: 1 },
      [{ op: 'copy', path: '/b', from: '' }],
      { a: 1, b: { a: 1 } },
    ],
    [
      'constructor as data',
      {},
      [
        { op: 'add', path: '/constructor', value: {} },
        { op: 'add', path: '/constructor/prototype', value: 1 },
      ],
      { constructor: { prototype: 1 } },
    ],
    [
      'hasOwnProperty as data',
      { a: { hasOwnProperty: 1 } },
      [{ op: 'test', path: '/a', value: { hasOwnProperty: 1 } }],
      { a: { hasOwnProperty: 1 } },
    ],
    ['numbers by value', { a: 0 }, [{ op: 'test', path: '/a', value: -0 }], { a: 0 }],
    ['a key of a number', { a: {} }, [{ op: 'add', path: '/a/01', value: 1 }], { a: { '01': 1 } }],
    ['- as a key', { a: {} }, [{ op: 'add', path: '/a/-', value: 1 }], { a: { '-': 1 } }],
    ['move to the end of its list', [1, 2, 3], [{ op: 'move', path: '/-', from: '/0' }], [2, 3, 1]],
    ['move to an index of what is left', [1, 2, 3], [{ op: 'move', path: '/2', from: '/0' }], [2, 3, 1]],
    ['move into what follows in the list', [1, {}], [{ op: 'move', path: '/0/a', from: '/0' }], 422],
    ['move over what is there', { a: 1, b: { c: 2 } }, [{ op: 'move', path: '/b', from: '/a' }], { b: 1 }],
    ['move to a longer name', { a: 1 }, [{ op: 'move', path: '/ab', from: '/a' }], { ab: 1 }],
    [
      'a value changed later',
      {},
      [
        { op: 'add', path: '/a', value: {} },
        { op: 'add', path: '/a/b', value: 1 },
      ],
      { a: { b: 1 } },
    ],
    [
      'a copy changed later',
      { a: [] },
      [
        { op: 'copy', path: '/b', from: '/a' },
        { op: 'add', path: '/b/-', value: 1 },
      ],
      { a: [], b: [1] },
    ],
  ])('%s', (_name, document, operations, want) => {
    const text = JSON.stringify([document, operations]);
    expect(patch(document, operations)).toEqual(want);
    expect(JSON.stringify([document, operations])).toBe(text);
  });

  it('apply again to the same effect', () => {
    const operations: Json = [
      { op: 'add', path: '/a', value: [] },
      { op: 'add', path: '/a/-', value: 1 },
    ];
    const { apply } = parsePatch('application/json-patch+json', operations);
    expect([apply({}), apply({})]).toEqual([{ a: [1] }, { a: [1] }]);
  });
});

describe('limits', () => {
  const copies = (count: number): Json => [
    { op: 'add', path: '/a', value: ['x'.repeat(40)] },
    ...Array.from({ length: count }, () => ({ op: 'copy', path: '/a/-', from: '/a' })),
  ];

  it('takes 1,000 operations and not one more, well-formed or not', () => {
    const tests: Json[] = Array.from({ length: 1_000 }, () => ({ op: 'test', path: '', value: {} }));
    expect(patch({}, tests)).toEqual({});
    expect(patch({}, [...tests, { op: 'nonsense' }])).toBe(413);
  });

  it('stops a copy bomb before it grows', () => {
    expect(JSON.stringify(copies(20)).length).toBeLessThan(900);
    expect(patch({}, copies(20))).toBe(413);
    expect(patch({ spec: {} }, copies(999))).toBe(413);
  });

  it('counts copies that are removed again', () => {
    const document = { a: 'x'.repeat(100_000) };
    const pair: Json[] = [
      { op: 'copy', path: '/b', from: '/a' },
      { op: 'remove', path: '/b' },
    ];
    expect(patch(document, Array(20).fill(pair).flat())).toEqual(document);
    expect(patch(document, Array(50).fill(pair).flat())).toBe(413);
  });

  it('measures the outcome in bytes of UTF-8, to the byte', () => {
    const limits = { operations: 10, bytes: 1_000, depth: 64 };
    const grow = (text: string) =>
      outcome(() =>
        applyPatch('application/json-patch+json', {}, [{ op: 'add', path: '/a', value: text }], limits),
      );
    expect(grow('é'.repeat(496))).toEqual({ a: 'é'.repeat(496) });
    expect(grow('é'.repeat(496) + 'x')).toBe(413);
  });

  it('refuses an outcome that is too deep, however it came to be', () => {
    const deep = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json;
    const add = (levels: number): Json => [{ op: 'add', path: '/a', value: deep(levels) }];
    expect(patch({}, add(63))).toEqual({ a: deep(63) });
    expect(patch({}, add(64))).toBe(400);
    const below = { op: 'copy', path: `/a${'/0'.repeat(30)}/-`, from: '/a' };
    expect(patch({}, [{ op: 'add', path: '/a', value: deep(31) }, below])).toEqual({ a: deep(62) });
    expect(patch({}, [{ op: 'add', path: '/a', value: deep(40) }, ...Array<Json>(900).fill(below)])).toBe(
      400,
    );
    const chained = Array.from({ length: 499 }, (_, index): Json[] => [
      { op: 'add', path: `/${index + 1}`, value: deep(62) },
      { op: 'move', path: `/${index + 1}${'/0'.repeat(61)}/-`, from: `/${index}` },
    ]);
    expect(patch({ 0: [] }, chained.flat())).toBe(400);
  });
});

describe('long lists', () => {
  const list = (length: number): Json[] => Array.from({ length }, (_, index) => ({ n: index }));

  it('are changed at the head a thousand times', () => {
    const removed = patch(list(100_000), Array<Json>(1_000).fill({ op: 'remove', path: '/0' })) as Json[];
    expect([removed.length, removed[0]]).toEqual([99_000, { n: 1_000 }]);
    const added = patch(
      list(100_000),
      Array<Json>(1_000).fill({ op: 'add', path: '/0', value: 1 }),
    ) as Json[];
    expect([added.length, added[999], added[1_000]]).toEqual([101_000, 1, { n: 0 }]);
  });

  it('are read, copied, compared and moved while they are changed', () => {
    const long = list(5_000);
    const operations: Json = [
      { op: 'remove', path: '/l/600' },
      { op: 'test', path: '/l/600/n', value: 601 },
      { op: 'add', path: '/l/600/below', value: [] },
      { op: 'replace', path: '/l/4998', value: 'last' },
      { op: 'add', path: '/l/-', value: 'more' },
      { op: 'add', path: '/l/5000', value: 'most' },
      { op: 'copy', path: '/copy', from: '/l' },
      { op: 'move', path: '/moved', from: '/l' },
      { op: 'remove', path: '/moved/0' },
      { op: 'test', path: '/copy/0', value: { n: 0 } },
      { op: 'move', path: '/moved/0', from: '/moved/4999' },
    ];
    const rest = [
      ...long.slice(0, 600),
      { n: 601, below: [] },
      ...long.slice(602, 4_999),
      'last',
      'more',
      'most',
    ];
    const moved = ['most', ...rest.slice(1, -1)];
    expect(patch({ l: long }, operations)).toEqual({ copy: rest, moved });
    expect(patch({ l: long }, [...operations, { op: 'test', path: '/moved', value: moved }])).toEqual({
      copy: rest,
      moved,
    });
    expect(
      patch({ l: long }, [
        { op: 'remove', path: '/l/0' },
        { op: 'remove', path: '/l/4999' },
      ]),
    ).toBe(422);
    expect(
      patch({ l: long }, [
        { op: 'remove', path: '/l/0' },
        { op: 'add', path: '/l/5000', value: 1 },
      ]),
    ).toBe(422);
  });

  it('agree with arrays on any sequence of changes', () => {
    const change = fc.record({
      op: fc.constantFrom('add', 'remove', 'replace'),
      at: fc.oneof(
        fc.integer({ min: 0, max: 5_200 }),
        fc.constantFrom(0, 511, 512, 513, 4_095, 4_999, 5_000),
      ),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const want: Json[] = Array.from({ length: 5_000 }, (_, index) => index);
        const operations: Json[] = [];
        changes.forEach(({ op, at }, index) => {
          const end = op === 'add' ? want.length : want.length - 1;
          if (at > end) return;
          operations.push(op === 'remove' ? { op, path: `/${at}` } : { op, path: `/${at}`, value: -index });
          if (op === 'remove') want.splice(at, 1);
          else want.splice(at, op === 'add' ? 0 : 1, -index);
        });
        const document: Json = Array.from({ length: 5_000 }, (_, index) => index);
        expect(patch(document, operations)).toEqual(want);
      }),
      { numRuns: 30 },
    );
  });

  it('hide no nesting', () => {
    const chain = JSON.parse('['.repeat(60) + ']'.repeat(60)) as Json;
    const deeper = Array.from({ length: 300 }, (): Json[] => [
      { op: 'add', path: '/0', value: chain },
      { op: 'move', path: `/0${'/0'.repeat(59)}/-`, from: '/1' },
    ]);
    expect(patch(list(5_000), deeper.flat())).toBe(400);
    expect(patch(list(5_000), [...deeper.flat(), { op: 'copy', path: '/-', from: '/0' }])).toBe(400);
  });
});

describe('laws', () => {
  const key = fc.constantFrom('a', 'b', '0', '', 'a/b', 'm~n', 'constructor', 'prototype', 'é');
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom<Json>(null, true, 0, 1, 'x', ''),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
  const document = fc.dictionary(key, json, { maxKeys: 4, noNullPrototype: true });
  const pointer = fc
    .array(fc.constantFrom('a', 'b', '0', '1', '-', '', 'a~1b', 'm~0n', 'constructor'), { maxLength: 3 })
    .map((parts) => parts.map((part) => `/${part}`).join(''));
  const operation = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value: json }),
    fc.record({ op: fc.constantFrom('move', 'copy'), path: pointer, from: pointer }),
    fc.record({ op: fc.constant('remove'), path: pointer }),
  );

  it('agrees with fast-json-patch on every difference it finds', () => {
    fc.assert(
      fc.property(document, document, (from, to) => {
        expect(patch(from, compare(from, to) as unknown as Json)).toEqual(to);
      }),
    );
  });

  it('agrees with fast-json-patch whenever it accepts, changes no input, and leaves Object.prototype alone', () => {
    const prototype = Object.getOwnPropertyNames(Object.prototype);
    fc.assert(
      fc.property(document, fc.array(operation, { maxLength: 5 }), (from, operations) => {
        const text = JSON.stringify([from, operations]);
        const result = patch(from, operations as Json);
        expect(JSON.stringify([from, operations])).toBe(text);
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
        if (typeof result === 'number') return;
        const copy = structuredClone(from) as JsonObject;
        const other = applyByLibrary(copy, structuredClone(operations) as never, false, true, false);
        expect(result).toEqual(other.newDocument);
      }),
      { numRuns: 500 },
    );
  });
});
