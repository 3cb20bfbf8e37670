import fc from 'fast-check';
import { applyPatch as applyByLibrary, compare } from 'fast-json-patch';
import type { Json, JsonObject } from '../../../templates/runtime/model/schema';
import { parsePatch } from '../../../templates/runtime/patch/apply-patch';
import { outcome } from '../support/outcome';
import { applyPatch, PATCH_LIMITS } from './apply-patch';
import { APPLICABLE, INAPPLICABLE, JSON_PATCH_SUITE, MALFORMED, TARGET } from './patch-tables';

const patch = (document: Json, operations: Json): Json | number =>
  outcome(() => applyPatch('application/json-patch+json', document, operations));

describe('json-patch-test-suite', () => {
  it.each(JSON_PATCH_SUITE)('%s', (_name, { doc, patch: operations, expected, error }) => {
    const result = patch(doc, operations);
    if (error === undefined) expect(result).toEqual(expected ?? doc);
    else expect([400, 422]).toContain(result);
  });
});

describe('malformed patches are 400', () => {
  it.each(MALFORMED)('%s', (_name, operations) => {
    expect(patch({ a: { c: 1 } }, operations)).toBe(400);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('says so while reading, before there is a document', () => {
    expect(
      outcome(() => parsePatch('application/json-patch+json', [{ op: 'remove', path: 'a' }], PATCH_LIMITS)),
    ).toBe(400);
  });
});

describe('operations that cannot be applied are 422', () => {
  it.each(INAPPLICABLE)('%s', (_name, operation) => {
    const text = JSON.stringify(TARGET);
    expect(patch(TARGET, [{ op: 'add', path: '/first', value: true }, operation])).toBe(422);
    expect(JSON.stringify(TARGET)).toBe(text);
  });
});

describe('operations that apply', () => {
  it.each(APPLICABLE)('%s', (_name, document, operations, want) => {
    const text = JSON.stringify([document, operations]);
    expect(patch(document, operations)).toEqual(want);
    expect(JSON.stringify([document, operations])).toBe(text);
  });

  it('apply again to the same effect', () => {
    const operations: Json = [
      { op: 'add', path: '/a', value: [] },
      { op: 'add', path: '/a/-', value: 1 },
    ];
    const apply = parsePatch('application/json-patch+json', operations, PATCH_LIMITS);
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
        const result = patch(from, operations);
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
