import fc from 'fast-check';
import type { Json, JsonObject } from '../../../templates/runtime/model/schema';
import { parsePatch } from '../../../templates/runtime/patch/apply-patch';
import { outcome } from '../support/outcome';
import { applyPatch, PATCH_LIMITS } from './apply-patch';
import { SHORTHAND } from './patch-tables';

const patch = (document: Json, body: Json): Json | number =>
  outcome(() => applyPatch('application/shorthand-patch+json', document, body));

describe('shorthand patches', () => {
  it.each(SHORTHAND)('%s', (_name, document, body, want) => {
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
    expect(outcome(() => parsePatch('application/shorthand-patch+json', { 'a..b': 1 }, PATCH_LIMITS))).toBe(
      400,
    );
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
