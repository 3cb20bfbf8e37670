import { NAME_INDEX, UID_INDEX } from '../../../../templates/runtime/store/indexing/resource-index';
import type {
  EntriesOfKind,
  IndexedKind,
  IndexProblem,
} from '../../../../templates/runtime/store/indexing/store-indexes';
import { OtherDeclarations, type Store } from '../../../../templates/runtime/store/store';
import type { UnplacedResource } from '../../../../templates/runtime/store/stored-resource';
import { checkIndexes, openStore } from '../open-store';
import type { TestDatabase } from '../store-suite';
import { creation, updateOf } from '../store-writes';
import {
  byName,
  changedPart,
  deletedPart,
  found,
  indexOf,
  newPart,
  PART,
  stringKey,
  SUPPLIER,
  type Values,
} from './parts';

/** A part or supplier that was stored before its kind had indexes. */
const before = (uid: string, values: Values, kind = PART) =>
  creation(uid, { kind, text: JSON.stringify(values) });

function entriesOf({ uid, text }: UnplacedResource): ReturnType<EntriesOfKind['of']> {
  const values = JSON.parse(text) as Values;
  const isLong = (values.sku?.length ?? 0) > 500;
  return { index: indexOf(uid, isLong ? {} : values), tooLong: isLong ? ['spec.sku'] : [] };
}

const kindsOf = (digest: string, of: EntriesOfKind['of'] = entriesOf): IndexedKind[] =>
  [PART, SUPPLIER].map((kind) => ({ kind, entries: { digest, of } }));

/** Indexes of stored data, on any store. */
export function stateSuite(
  title: string,
  makeDatabase: () => Promise<TestDatabase & { url?: string }>,
  emptyUrl?: () => Promise<string>,
): void {
  describe(`${title}: indexes of stored data`, () => {
    let database: TestDatabase & { url?: string };
    let store: Store;

    beforeEach(async () => {
      database = await makeDatabase();
      store = await database.open();
    });

    afterEach(async () => {
      await store.close();
      await database.drop();
    });

    async function names(): Promise<string[]> {
      const query = { after: 0, limit: 1000, selector: [], sort: { index: NAME_INDEX } };
      return (await store.list(PART, query)).map(({ uid }) => uid);
    }

    const rebuild = (kinds: readonly IndexedKind[]): Promise<IndexProblem[]> => store.indexes!.rebuild(kinds);

    /** Returns the problems. Nobody can open a database in memory to check it: its entries are made. */
    const check = (kinds: readonly IndexedKind[]): Promise<IndexProblem[]> =>
      database.url === undefined ? rebuild(kinds) : checkIndexes(database.url, kinds);

    test('are made once, again under other rules, and removed without any', async () => {
      // Cycles between the kinds, of several pages.
      await store.write(before('sup-1', { name: 'acme', related: ['par-0'] }, SUPPLIER));
      for (let n = 0; n < 300; n++) {
        await store.write(before(`par-${n}`, { name: `n${n}`, supplier: 'acme', related: [`par-${n}`] }));
      }
      expect(await names()).toEqual([]);
      const done: string[] = [];
      const progress = (kind: string, count: number, all: number): void =>
        void (count === all && done.push(`${kind} ${count}`));
      expect(await store.indexes!.rebuild(kindsOf('1'), progress)).toEqual([]);
      expect(done).toEqual([`${PART} 300`, `${SUPPLIER} 1`]);
      expect(await names()).toHaveLength(300);
      expect(await byName(store, 'n7')).toBe('par-7');
      expect(await store.write(newPart('par-x', { name: 'n7' }))).toMatchObject({ taken: [NAME_INDEX] });
      expect(await store.write(deletedPart(await found(store, 'sup-1', SUPPLIER), SUPPLIER))).toMatchObject({
        isReferred: true,
      });
      expect(await store.indexes!.rebuild(kindsOf('1', () => fail('made again')))).toEqual([]);

      const renamed = kindsOf('2', (row) => ({ index: indexOf(row.uid, {}), tooLong: [] }));
      expect(await store.indexes!.rebuild(renamed)).toEqual([]);
      expect([await byName(store, 'n7'), await byName(store, 'par-7')]).toEqual([undefined, 'par-7']);
      expect(await store.write(deletedPart(await found(store, 'sup-1', SUPPLIER), SUPPLIER))).toBe('done');

      expect(await store.indexes!.rebuild([{ kind: PART }, { kind: SUPPLIER }])).toEqual([]);
      expect(await names()).toEqual([]);
      expect(await byName(store, 'par-7')).toBeUndefined();
    });

    test('are made of few large resources at a time', async () => {
      for (let n = 0; n < 10; n++)
        await store.write(before(`par-${n}`, { name: `n${n}`, note: 'x'.repeat(400_000) } as Values));
      const done: number[] = [];
      expect(await store.indexes!.rebuild(kindsOf('1'), (_, count) => done.push(count))).toEqual([]);
      expect(done).toEqual([3, 6, 9, 10]);
      expect(await names()).toHaveLength(10);
    });

    test('of a kind that is gone restrict as long as their targets have entries, and come back with it', async () => {
      await store.write(before('sup-1', { name: 'acme' }, SUPPLIER));
      await store.write(before('par-1', { supplier: 'acme' }));
      const [parts, suppliers] = kindsOf('1');
      expect(await store.indexes!.rebuild([parts, suppliers])).toEqual([]);
      const isReferred = async (): Promise<unknown> => {
        const written = deletedPart(await found(store, 'sup-1', SUPPLIER), SUPPLIER);
        return (await store.judge(written)) !== 'done';
      };
      const [, others] = kindsOf('2');
      expect(await store.indexes!.rebuild([others])).toEqual([]);
      expect(await isReferred()).toBe(true);
      const notReferable = kindsOf('3', (row) => {
        const { index, tooLong } = entriesOf(row);
        return { index: { ...index, unique: [] }, tooLong };
      })[1];
      expect(await store.indexes!.rebuild([notReferable])).toEqual([]);
      expect(await isReferred()).toBe(false);
      expect(await store.indexes!.rebuild([parts, suppliers])).toEqual([]);
      expect(await isReferred()).toBe(true);
    });

    test('a kind whose targets are unchanged keeps them, and one that is referred to is made anew', async () => {
      await store.write(newPart('sup-1', { name: 'acme' }, { kind: SUPPLIER }));
      await store.write(newPart('par-1', { supplier: 'acme' }));
      expect(await store.indexes!.rebuild(kindsOf('1'))).toEqual([]);
      for (const digest of ['2', '3']) {
        const kinds = kindsOf('1');
        kinds[Number(digest) - 2].entries!.digest = digest;
        expect(await store.indexes!.rebuild(kinds)).toEqual([]);
        expect(await store.indexes!.referrers([(await found(store, 'sup-1', SUPPLIER)).id], 9)).toHaveLength(
          1,
        );
      }
    });

    describe('what breaks a rule', () => {
      const problem = (uid: string, rule: string, index: string, more = {}) => ({
        kind: PART,
        uid,
        rule,
        index,
        ...more,
      });

      beforeEach(async () => {
        await store.write(before('par-1', { name: 'a', sku: 's' }));
        await store.write(before('par-2', { name: 'a' }));
        await store.write(before('par-3', { name: 'b', related: ['par-9', 'a'], supplier: 'sup-1' }));
        await store.write(before('par-4', { name: 'par-1', sku: 'x'.repeat(501) }));
      });

      const want = [
        problem('par-2', 'unique', NAME_INDEX, { key: stringKey('a'), other: 'par-1' }),
        problem('par-3', 'ref', 'spec.related', { key: stringKey('par-9') }),
        problem('par-3', 'ref', 'spec.supplier', { key: stringKey('sup-1') }),
        problem('par-4', 'max=500', 'spec.sku'),
      ];
      const sorted = <T extends { uid: string; index: string }>(problems: readonly T[]): T[] =>
        problems.toSorted((a, b) => (`${a.uid} ${a.index}` < `${b.uid} ${b.index}` ? -1 : 1));

      test('is reported beforehand and at start, and nothing is written', async () => {
        for (const report of [check, rebuild, check]) {
          expect(sorted(await report(kindsOf('1')))).toEqual(want);
          expect(await names()).toEqual([]);
          expect(await byName(store, 'a')).toBeUndefined();
        }
        for (const uid of ['par-2', 'par-3', 'par-4']) {
          const { id, revision } = await found(store, uid);
          await store.write({ action: 'delete', kind: PART, id, uid, revision });
        }
        expect(await rebuild(kindsOf('1'))).toEqual([]);
        expect(await check(kindsOf('1'))).toEqual([]);
        expect(await byName(store, 'a')).toBe('par-1');
      });

      test('a name that is the uid of another resource', async () => {
        const named = kindsOf('1', ({ uid, text }) => {
          const { name } = JSON.parse(text) as Values;
          return { index: indexOf(uid, { name: name === 'a' ? uid : name }), tooLong: [] };
        });
        const index = { index: NAME_INDEX };
        // The name of par-1 is its uid, which is the name of par-4, too.
        expect(sorted(await check(named)).map(({ uid, rule, other }) => [uid, rule, other])).toEqual([
          ['par-4', 'unique', 'par-1'],
        ]);
        const distinct = kindsOf('1', ({ uid, text }) => {
          const { name } = JSON.parse(text) as Values;
          return { index: indexOf(uid, { name: name === 'a' ? `${uid}.x` : name }), tooLong: [] };
        });
        expect(await check(distinct)).toEqual([
          { kind: PART, uid: 'par-4', rule: 'name', ...index, other: 'par-1' },
        ]);
      });

      test('up to a hundred times', async () => {
        for (let n = 0; n < 130; n++) await store.write(before(`par-z${n}`, { name: 'a' }));
        expect(await check(kindsOf('1'))).toHaveLength(100);
      });
    });

    if (emptyUrl === undefined) return;
    test('are checked without opening the store, in use or not, and where there is none', async () => {
      const url = urlOf(database);
      expect(await checkIndexes(await emptyUrl(), kindsOf('1'))).toEqual([]);
      await store.write(before('par-1', { name: 'a' }));
      await store.write(before('par-2', { name: 'a' }));
      const want = [expect.objectContaining({ uid: 'par-2', rule: 'unique', other: 'par-1' }) as unknown];
      expect(await checkIndexes(url, kindsOf('1'))).toEqual(want);
      await store.close();
      expect(await checkIndexes(url, kindsOf('1'))).toEqual(want);
      store = await database.open();
      expect(await names()).toEqual([]);
    });

    test('are made again after a service without indexes has written', async () => {
      await store.write(newPart('par-1', { name: 'a', sku: 'one' }));
      await store.write(newPart('par-2', { name: 'b', related: ['par-1'] }));
      await store.write(newPart('par-3', { name: 'c', related: ['par-3'] }));
      expect(await store.indexes!.rebuild(kindsOf('1'))).toEqual([]);
      await store.close();
      store = await openStore(urlOf(database));
      expect(store.indexes).toBeUndefined();
      // Entries that are left refuse nothing: neither the target of a reference nor a unique value that is free again.
      for (const uid of ['par-1', 'par-3']) {
        const { id, revision } = await found(store, uid);
        expect(await store.write({ action: 'delete', kind: PART, id, uid, revision })).toBe('done');
      }
      const changed = await found(store, 'par-2');
      const text = JSON.stringify({ name: 'a', sku: 'one' });
      expect(await store.write(updateOf(changed, { kind: PART, text }))).toBe('done');
      expect(await store.write(before('par-4', { name: 'c', related: ['par-2'] }))).toBe('done');
      await store.close();
      store = await database.open();
      // A kind that has lost its declarations meanwhile loses its entries, too.
      expect(
        await store.indexes!.rebuild(
          kindsOf('1').map((each) => (each.kind === PART ? each : { kind: each.kind })),
        ),
      ).toEqual([]);
      expect(await names()).toEqual(['par-2', 'par-4']);
      expect(await check(kindsOf('1'))).toEqual([]);
      expect(await store.write(deletedPart(await found(store, 'par-2')))).toMatchObject({ isReferred: true });
    });

    test('of resources that a service without indexes has deleted restrict nothing, though their kind is gone', async () => {
      await store.write(newPart('sup-1', { name: 'acme' }, { kind: SUPPLIER }));
      await store.write(newPart('par-1', { supplier: 'acme' }));
      await store.write(newPart('sup-2', { name: 'idle' }, { kind: SUPPLIER }));
      await store.write(newPart('par-2', { supplier: 'idle' }));
      const [parts, suppliers] = kindsOf('1');
      expect(await store.indexes!.rebuild([parts, suppliers])).toEqual([]);
      await store.close();
      store = await openStore(urlOf(database));
      const { id, revision } = await found(store, 'par-1');
      const deletion = { action: 'delete', kind: PART, id, uid: 'par-1', revision } as const;
      expect(await store.write(deletion)).toBe('done');
      await store.close();
      store = await database.open();
      expect(await store.indexes!.rebuild([suppliers])).toEqual([]);
      const results = ['sup-1', 'sup-2'].map(async (uid) =>
        store.write(deletedPart(await found(store, uid, SUPPLIER), SUPPLIER)),
      );
      expect(await Promise.all(results)).toEqual(['done', expect.objectContaining({ isReferred: true })]);
    });

    test('are of one release: others are refused their writes, and learn no result of them', async () => {
      await store.write(newPart('par-1', { name: 'a' }));
      const older = await database.open();
      const withoutIndexes = await openStore(urlOf(database));
      try {
        expect(await older.indexes!.rebuild(kindsOf('1'))).toEqual([]);
        const [parts, suppliers] = kindsOf('2');
        expect(
          await store.indexes!.rebuild([parts, { ...suppliers, entries: kindsOf('1')[1].entries }]),
        ).toEqual([]);
        const row = await found(store, 'par-1');
        const { id, uid, revision } = row;
        const writes = [newPart('par-2', { name: 'b' }), changedPart(row, { name: 'c' }), deletedPart(row)];
        const plain = [before('par-2', {}), { action: 'delete', kind: PART, id, uid, revision } as const];
        for (const write of [...writes, { action: 'all', writes } as const]) {
          await expect(older.write(write)).rejects.toThrow(OtherDeclarations);
          await expect(older.judge(write)).rejects.toThrow(OtherDeclarations);
        }
        for (const write of plain) {
          await expect(withoutIndexes.write(write)).rejects.toThrow(OtherDeclarations);
          await expect(withoutIndexes.judge(write)).rejects.toThrow(OtherDeclarations);
        }
        expect(await older.judge(newPart('sup-1', {}, { kind: SUPPLIER }))).toBe('done');
        expect(await store.judge(writes[0])).toBe('done');
      } finally {
        await older.close();
        await withoutIndexes.close();
      }
    });

    test('are made once by several that start together', async () => {
      for (let n = 0; n < 100; n++) await store.write(before(`par-${n}`, { name: `n${n}` }));
      const others = await Promise.all([1, 2].map(() => database.open()));
      let made = 0;
      const counting = kindsOf('1', (row) => {
        made += 1;
        return entriesOf(row);
      });
      const problems = await Promise.all([store, ...others].map((each) => each.indexes!.rebuild(counting)));
      expect(problems).toEqual([[], [], []]);
      expect(made).toBe(100);
      expect(
        await others[0].indexes!.findAll(PART, [{ index: UID_INDEX, key: stringKey('par-7') }]),
      ).toHaveLength(1);
      await Promise.all(others.map((each) => each.close()));
    });
  });
}

function urlOf({ url }: { url?: string }): string {
  if (url === undefined) throw new Error('the database has no URL');
  return url;
}

function fail(message: string): never {
  throw new Error(message);
}
