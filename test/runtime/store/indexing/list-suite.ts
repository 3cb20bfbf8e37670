import fc from 'fast-check';
import {
  type Labels,
  matches,
  type Requirement,
} from '../../../../templates/runtime/model/selectors/selector';
import { ABSENT, type Key, keyOf, keysOf } from '../../../../templates/runtime/store/indexing/key';
import { type FieldRequirement, meets } from '../../../../templates/runtime/store/indexing/requirement';
import type { ListQuery, Sort, Store } from '../../../../templates/runtime/store/store';
import type { TestDatabase } from '../store-suite';
import { changedPart, deletedPart, found, indexOf, newPart, PART, SUPPLIER, type Values } from './parts';

interface Row {
  uid: string;
  values: Values;
  labels: Labels;
}

const PRICES = [0, -0, 1, 1.5, 2, -3, 1e300];
const SKUS = ['', 'a', 'b', 'ä', '\0', '\ud800', '\uffff', '🚀'];
const TAGS = ['x', 'y', 'z', ''];

const values: fc.Arbitrary<Values> = fc.record(
  {
    price: fc.constantFrom(...PRICES),
    tags: fc.array(fc.constantFrom(...TAGS), { maxLength: 4 }),
  },
  { requiredKeys: [] },
);

const labels: fc.Arbitrary<Labels> = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2'));

const priceKey = fc.constantFrom(...PRICES, 0.5).map((price) => keyOf(price, 'number')!);
const textKey = fc.constantFrom(...SKUS, ...TAGS).map((text) => keyOf(text, 'string')!);

const requirement: fc.Arbitrary<FieldRequirement> = fc
  .constantFrom(
    { index: 'spec.price', key: priceKey },
    { index: 'spec.tags', key: textKey },
    { index: 'spec.sku', key: textKey },
    { index: 'metadata.name', key: fc.constantFrom('n1', 'n2', 'n7') },
  )
  .chain(({ index, key }) => {
    const bound = fc.option(fc.record({ key, isIncluded: fc.boolean() }), { nil: undefined });
    return fc.oneof(
      fc.record({
        index: fc.constant(index),
        operator: fc.constantFrom('in' as const, 'notin' as const),
        keys: fc.array(key, { maxLength: 3 }),
      }),
      fc.record({
        index: fc.constant(index),
        operator: fc.constant('range' as const),
        from: bound,
        to: bound,
      }),
      fc.record({
        index: fc.constant(index),
        operator: fc.constantFrom('present' as const, 'absent' as const),
      }),
    );
  });

const labelRequirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    operator: fc.constantFrom('in' as const, 'notin' as const),
    values: fc.subarray(['1', '2', '3'], { minLength: 1 }),
  }),
  fc.record({
    key: fc.constantFrom('a', 'b'),
    operator: fc.constantFrom('exists' as const, 'absent' as const),
    values: fc.constant<string[]>([]),
  }),
);

const sort: fc.Arbitrary<Sort | undefined> = fc.option(
  fc.record({
    index: fc.constantFrom('spec.price', 'spec.sku', 'metadata.name', undefined),
    descending: fc.boolean(),
    newestFirst: fc.boolean(),
  }),
  { nil: undefined },
);

function keysIn({ uid, values: all }: Row, index: string): Key[] {
  return indexOf(uid, all).fields.flatMap((entry) => (entry.index === index ? [entry.key] : []));
}

/** Filters and sorts rows, which are in order of creation, as a store must. */
function expected(rows: readonly Row[], { fields = [], selector, sort: order }: ListQuery): string[] {
  const chosen = rows
    .map((row, place) => ({ row, place, key: order?.index ? keysIn(row, order.index)[0] : '' }))
    .filter(({ row }) => matches(row.labels, selector))
    .filter(({ row }) => fields.every((each) => meets(keysIn(row, each.index), each)));
  const byKey = ({ key: a }: { key: Key }, { key: b }: { key: Key }): number => (a < b ? -1 : a > b ? 1 : 0);
  const [keys, ties] = [
    order?.descending ? -1 : 1,
    (order?.index ? order.newestFirst : order?.descending) ? -1 : 1,
  ];
  return chosen.sort((a, b) => keys * byKey(a, b) || ties * (a.place - b.place)).map(({ row }) => row.uid);
}

/** Reads a list page by page, of so many items each; `between` runs after each page. */
async function pages(
  store: Store,
  query: Omit<ListQuery, 'after' | 'limit'>,
  limit: number,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const uids: string[] = [];
  for (let position: Pick<ListQuery, 'after' | 'afterKey'> = { after: 0 }; ;) {
    const page = await store.list(PART, { ...query, ...position, limit });
    expect(page.length).toBeLessThanOrEqual(limit);
    uids.push(...page.map(({ uid }) => uid));
    if (page.length < limit) return uids;
    const { id, sortKey } = page.at(-1)!;
    position = { after: id, afterKey: sortKey };
    await between();
  }
}

/** Lists that are selected and sorted by fields, on any store. */
export function listSuite(title: string, makeDatabase: () => Promise<TestDatabase>, runs: number): void {
  describe(`${title}: lists by fields`, () => {
    let database: TestDatabase;
    let store: Store;

    beforeEach(async () => {
      database = await makeDatabase();
      store = await database.open();
    });

    afterEach(async () => {
      await store.close();
      await database.drop();
    });

    async function fill(rows: readonly Row[]): Promise<void> {
      await store.write(newPart('sup-1', { price: 1, tags: ['x'] }, { kind: SUPPLIER, labels: { a: '1' } }));
      for (const { uid, values: all, labels: set } of rows)
        await store.write(newPart(uid, all, { labels: set }));
    }

    const some = (count: number): Row[] => {
      const all = fc.sample(fc.record({ values, labels }), { numRuns: count, seed: 11 });
      return all.map((row, n) => {
        const sku = n < SKUS.length ? { sku: SKUS[(n * 3) % SKUS.length] } : {};
        return {
          uid: `par-${n}`,
          values: { ...row.values, ...sku, name: `n${(n * 7) % count}` },
          labels: row.labels,
        };
      });
    };

    test('are what meets() and the order of keys say, in pages of any length', async () => {
      const rows = some(60);
      await fill(rows);
      await fc.assert(
        fc.asyncProperty(
          fc.array(requirement, { maxLength: 3 }),
          fc.array(labelRequirement, { maxLength: 2 }),
          sort,
          fc.constantFrom(1, 2, 5, 7, 100),
          async (fields, selector, order, limit) => {
            const query = { fields, selector, sort: order };
            const want = expected(rows, { ...query, after: 0, limit });
            expect(await pages(store, query, limit)).toEqual(want);
          },
        ),
        { numRuns: runs },
      );
    });

    test('follow changes and deletions', async () => {
      const rows = some(20);
      await fill(rows);
      for (const [n, row] of rows.entries()) {
        const stored = await found(store, row.uid);
        if (n % 3 === 0) await store.write(deletedPart(stored));
        if (n % 3 === 1) {
          row.values = { ...row.values, price: n, tags: ['x', `t${n}`] };
          await store.write(changedPart(stored, row.values));
        }
      }
      const left = rows.filter((_, n) => n % 3 !== 0);
      for (const index of ['spec.price', 'metadata.name', 'spec.sku']) {
        const query = { selector: [], sort: { index } };
        expect(await pages(store, query, 4)).toEqual(expected(left, { ...query, after: 0, limit: 4 }));
      }
      const tagged = { index: 'spec.tags', operator: 'in' as const, keys: [keyOf('x', 'string')!] };
      const query = { selector: [], fields: [tagged] };
      expect(await pages(store, query, 4)).toEqual(expected(left, { ...query, after: 0, limit: 4 }));
    });

    test.each([
      { descending: false, newestFirst: false },
      { descending: true, newestFirst: false },
      { descending: false, newestFirst: true },
      { descending: true, newestFirst: true },
    ])('a resource that keeps its key comes once while others change: %j', async (order) => {
      const rows = some(40).map((row, n) => ({ ...row, values: { ...row.values, price: n % 4 } }));
      await fill(rows);
      const isMoving = (uid: string): boolean => Number(uid.slice(4)) % 2 === 1;
      let round = 0;
      const move = async (): Promise<void> => {
        round += 1;
        for (const row of rows.filter(({ uid }) => isMoving(uid)).slice(0, 6)) {
          const stored = await store.get(PART, row.uid);
          if (round % 3 === 0 && stored) await store.write(deletedPart(stored));
          else if (stored) await store.write(changedPart(stored, { ...row.values, price: round % 5 }));
          else await store.write(newPart(row.uid, row.values, { labels: row.labels }));
        }
        const staying = await found(store, 'par-2');
        await store.write(changedPart(staying, { ...rows[2].values, tags: [`round ${round}`] }));
      };
      const seen = await pages(store, { selector: [], sort: { index: 'spec.price', ...order } }, 3, move);
      const left = rows.filter(({ uid }) => !isMoving(uid));
      const query = { selector: [], sort: { index: 'spec.price', ...order }, after: 0, limit: 3 };
      expect(seen.filter((uid) => !isMoving(uid))).toEqual(expected(left, query));
    });

    test('elements of a list that several conditions meet return a resource once', async () => {
      const tags = Array.from({ length: 20 }, (_, n) => `t${n}`);
      await store.write(newPart('par-1', { tags }));
      await store.write(newPart('par-2', { tags: ['t1', 't1', 't2'] }));
      const from = { key: keyOf('t', 'string')!, isIncluded: true };
      const range: FieldRequirement = { index: 'spec.tags', operator: 'range', from };
      const among: FieldRequirement = {
        index: 'spec.tags',
        operator: 'in',
        keys: keysOf(tags, 'string', true),
      };
      for (const fields of [[range], [among], [range, among]]) {
        for (const index of [undefined, 'metadata.name']) {
          expect(await pages(store, { selector: [], fields, sort: { index } }, 1)).toEqual([
            'par-1',
            'par-2',
          ]);
        }
      }
    });

    test('rows of a sorted list carry their keys, and long texts are left out', async () => {
      await store.write(newPart('par-1', { price: 2 }, { text: 'x'.repeat(100) }));
      await store.write(newPart('par-2', {}));
      const query = { after: 0, limit: 9, selector: [], maxText: 50, sort: { index: 'spec.price' } };
      const rows = await store.list(PART, query);
      expect(rows.map(({ sortKey, omitted }) => [sortKey, omitted])).toEqual([
        [keyOf(2, 'number'), 100],
        [ABSENT, undefined],
      ]);
      const [plain] = await store.list(PART, { after: 0, limit: 1, selector: [] });
      expect(plain).not.toHaveProperty('sortKey');
    });
  });
}
