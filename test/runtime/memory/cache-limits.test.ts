import { represent } from '../../../templates/runtime/api/reads/representation';
import { BoundedCache } from '../../../templates/runtime/memory/bounded-cache';
import { cacheShares } from '../../../templates/runtime/memory/cache-shares';
import { etagOf } from '../../../templates/runtime/model/etag';
import { SETTINGS } from '../../../templates/runtime/settings/settings';
import { limitConversions } from '../../../templates/runtime/versions/representation';
import { pair } from '../../conversion/harness';
import { Served, write } from '../../conversion/moving';
import { creation, KIND } from '../store/store-writes';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

const DEFAULT = SETTINGS.CACHE_CHARACTERS.fallback;

let service: TestService | undefined;
afterEach(() => service?.close());
afterAll(() => limitConversions(cacheShares({ CACHE_CHARACTERS: DEFAULT }).versions));

test.each([0, 1, 1_000, DEFAULT])('all caches together take no more than %s', (all) => {
  const shares = Object.values(cacheShares({ CACHE_CHARACTERS: all })) as number[];
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(all);
});

test('a cache that gets a smaller limit evicts its oldest entries', () => {
  const cache = new BoundedCache<string>(10_000);
  for (const key of ['a', 'b', 'c']) cache.set(key, key, 100);
  cache.resize(250);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 'b', 'c']);
  cache.set('d', 'd', 2);
  expect(['b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['b', 'c', 'd']);
  cache.set('e', 'e', 3);
  expect(cache.get('e')).toBeUndefined();
});

test('a cache keeps what was set last, and no former value of a key', () => {
  const cache = new BoundedCache<number>(10_000);
  for (const key of ['a', 'b', 'a']) cache.set(key, 1, 100);
  cache.resize(100);
  expect(['a', 'b'].map((key) => cache.get(key))).toEqual([1, undefined]);
  cache.set('a', 2, 101);
  expect(cache.get('a')).toBeUndefined();
});

/** Returns whether two reads of a row in another version give the same object. */
function isRemembered(): boolean {
  const rules = '- rename: { hub: spec.a, spoke: spec.b }';
  const served = new Served(pair({ hub: 'spec: { a: string }', spoke: 'spec: { b: string }', rules }), {});
  const { row } = write(served, undefined, 'v1', { a: 'x' })!;
  const stored = { ...row, uid: 'thi-limits', revision: 1, etag: etagOf(row.text) };
  return represent(served.kind, stored, 'v1beta1') === represent(served.kind, stored, 'v1beta1');
}

test.each([
  ['0', false],
  [String(DEFAULT), true],
])('a service with CACHE_CHARACTERS=%s: other versions are cached: %s', async (CACHE_CHARACTERS, want) => {
  service = await startService(testProject(), { environment: { CACHE_CHARACTERS } });
  expect(isRemembered()).toBe(want);
  const { store } = service.service;
  await store.write(creation('dev-1'));
  const rows = Array.from({ length: 3 }, () => store.get(KIND, 'dev-1'));
  expect(rows[1] === rows[2]).toBe(want);
});
