import { type Labels, matches, parseSelector } from '../../../../templates/runtime/model/selectors/selector';
import { type Key, keyOf } from '../../../../templates/runtime/store/indexing/key';
import { type FieldRequirement, meets } from '../../../../templates/runtime/store/indexing/requirement';
import type { ListQuery, Sort, Store } from '../../../../templates/runtime/store/store';
import type { TestDatabase } from '../store-suite';
import { indexOf, newPart, PART, type Values } from './parts';

const number = (value: number): Key => keyOf(value, 'number')!;
const text = (value: string): Key => keyOf(value, 'string')!;

const SELECTIONS: [title: string, fields: FieldRequirement[], labels: string][] = [
  ['all', [], ''],
  ['one price of four', [{ index: 'spec.price', operator: 'in', keys: [number(2)] }], ''],
  ['two prices of four', [{ index: 'spec.price', operator: 'in', keys: [number(1), number(3)] }], ''],
  ['other prices', [{ index: 'spec.price', operator: 'notin', keys: [number(1)] }], ''],
  [
    'a range of prices and a rare tag',
    [
      { index: 'spec.price', operator: 'range', from: { key: number(1), isIncluded: true } },
      { index: 'spec.tags', operator: 'in', keys: [text('rare')] },
    ],
    '',
  ],
  [
    'few names',
    [{ index: 'metadata.name', operator: 'range', to: { key: text('n01'), isIncluded: false } }],
    '',
  ],
  [
    'a price and a label, both of many',
    [{ index: 'spec.price', operator: 'in', keys: [number(0)] }],
    'mod in (0,1)',
  ],
  ['a range and a label, both of many', [{ index: 'spec.price', operator: 'present' }], 'mod!=1'],
  ['a rare label', [{ index: 'spec.price', operator: 'present' }], 'rare'],
  ['nothing', [{ index: 'spec.price', operator: 'in', keys: [number(9)] }], 'mod=1'],
  ['no price', [{ index: 'spec.price', operator: 'absent' }], 'mod=1'],
];

const SORTS: (Sort | undefined)[] = [
  undefined,
  { descending: true },
  ...['spec.price', 'metadata.name'].flatMap((index) =>
    [false, true].flatMap((descending) =>
      [false, true].map((newestFirst) => ({ index, descending, newestFirst })),
    ),
  ),
];

interface Row {
  uid: string;
  labels: Labels;
  keys: { [index: string]: Key[] };
}

/** Lists of so many resources that a search is not made at once, on any store. */
export function longListSuite(title: string, makeDatabase: () => Promise<TestDatabase>, count: number): void {
  describe(`${title}: lists by fields among ${count} resources`, () => {
    const rows: Row[] = [];
    let database: TestDatabase;
    let store: Store;

    beforeAll(async () => {
      database = await makeDatabase();
      store = await database.open();
      const writes = Array.from({ length: count }, (_, n) => {
        const uid = `par-${n}`;
        const price = n % 5 === 4 ? undefined : n % 5;
        const tags = n % 500 === 0 ? ['rare', 'x'] : ['x'];
        const values: Values = { name: `n${String((n * 7919) % count).padStart(5, '0')}`, tags, price };
        const labels: Labels = { mod: String(n % 3), ...(n % 700 === 0 && { rare: '' }) };
        const keys: { [index: string]: Key[] } = {};
        for (const { index, key } of indexOf(uid, values).fields) (keys[index] ??= []).push(key);
        rows.push({ uid, labels, keys });
        return newPart(uid, values, { labels });
      });
      // In order: batches of one statement each number them in the order of their arrival.
      for (let start = 0; start < count; start += 500)
        await Promise.all(writes.slice(start, start + 500).map((write) => store.write(write)));
    });

    afterAll(async () => {
      await store.close();
      await database.drop();
    });

    function expected(fields: FieldRequirement[], labels: string, sort: Sort = {}): string[] {
      const selector = parseSelector(labels);
      const { index, descending } = sort;
      const ties = (index === undefined ? descending : sort.newestFirst) ? -1 : 1;
      const keyOfRow = ({ keys }: Row): Key => (index === undefined ? '' : keys[index][0]);
      return rows
        .map((row, place) => ({ row, place, key: keyOfRow(row) }))
        .filter(({ row }) => matches(row.labels, selector))
        .filter(({ row }) => fields.every((each) => meets(row.keys[each.index], each)))
        .sort((a, b) => {
          if (a.key === b.key) return ties * (a.place - b.place);
          return a.key < b.key === (descending ?? false) ? 1 : -1;
        })
        .map(({ row }) => row.uid);
    }

    describe.each(SELECTIONS)('%s', (_, fields, labels) => {
      test.each(SORTS)('%j', async (sort) => {
        const query: ListQuery = { after: 0, limit: count, fields, selector: parseSelector(labels), sort };
        const want = expected(fields, labels, sort);
        const whole = await store.list(PART, query);
        expect(whole.map(({ uid }) => uid)).toEqual(want);
        const from = want.length >> 1;
        if (from === 0) return;
        const { id, sortKey } = whole[from - 1];
        const page = await store.list(PART, { ...query, after: id, afterKey: sortKey, limit: 50 });
        expect(page.map(({ uid }) => uid)).toEqual(want.slice(from, from + 50));
      });
    });
  });
}
