import {
  NAME_INDEX,
  type Refused,
  UID_INDEX,
} from '../../../../templates/runtime/store/indexing/resource-index';
import type { Store, WriteResult } from '../../../../templates/runtime/store/store';
import type { TestDatabase } from '../store-suite';
import { ALL_SNAPSHOTS, creation } from '../store-writes';
import { byName, changedPart, deletedPart, found, newPart, PART, stringKey, SUPPLIER } from './parts';

const taken = (...indexes: string[]): Refused => ({ taken: indexes, missing: [], isReferred: false });
const missing = (...positions: number[]): Refused => ({ taken: [], missing: positions, isReferred: false });
const REFERRED: Refused = { taken: [], missing: [], isReferred: true };

/** Unique entries and references, on any store. */
export function writeSuite(title: string, makeDatabase: () => Promise<TestDatabase>): void {
  describe(`${title}: writes with indexes`, () => {
    let database: TestDatabase;
    let store: Store;
    const supplier = { kind: SUPPLIER };

    beforeEach(async () => {
      database = await makeDatabase();
      store = await database.open();
    });

    afterEach(async () => {
      await store.close();
      await database.drop();
    });

    async function uids(kind = PART): Promise<string[]> {
      const rows = await store.list(kind, { after: 0, limit: 1000, selector: [] });
      return rows.map(({ uid }) => uid);
    }

    async function referrersOf(uid: string, kind = PART): Promise<string[]> {
      const { id } = await found(store, uid, kind);
      return (await store.indexes!.referrers([id], 100)).map((row) => `${row.uid} ${row.field} ${row.index}`);
    }

    describe('unique entries', () => {
      test('are taken once, and free again after a change and a deletion', async () => {
        expect(await store.write(newPart('par-1', { name: 'bolt', sku: 'a' }))).toBe('done');
        expect(await store.write(newPart('par-2', { name: 'bolt' }))).toEqual(taken(NAME_INDEX));
        expect(await store.write(newPart('par-2', { name: 'bolt', sku: 'a' }))).toEqual(
          taken(NAME_INDEX, 'spec.sku'),
        );
        expect(await uids()).toEqual(['par-1']);
        expect(await store.write(changedPart(await found(store, 'par-1'), { name: 'nut', sku: 'a' }))).toBe(
          'done',
        );
        expect(await store.write(newPart('par-2', { name: 'bolt' }))).toBe('done');
        expect([await byName(store, 'nut'), await byName(store, 'bolt'), await byName(store, 'x')]).toEqual([
          'par-1',
          'par-2',
          undefined,
        ]);
        expect(await store.write(changedPart(await found(store, 'par-2'), { name: 'nut' }))).toEqual(
          taken(NAME_INDEX),
        );
        expect((await found(store, 'par-2')).revision).toBe(1);
        expect(await store.write(deletedPart(await found(store, 'par-1')))).toBe('done');
        expect(await store.write(changedPart(await found(store, 'par-2'), { name: 'nut', sku: 'a' }))).toBe(
          'done',
        );
        expect(await byName(store, 'nut')).toBe('par-2');
      });

      test('are compared as bytes, and within their kind', async () => {
        const names = ['a', 'A', 'a\0', '\ud800', '\udfff', '\ufffd', 'ä', 'a\u0308', ' a', ''];
        const results = await Promise.all(names.map((name, n) => store.write(newPart(`par-${n}`, { name }))));
        expect(results).toEqual(names.map(() => 'done'));
        for (const [n, name] of names.entries()) expect(await byName(store, name)).toBe(`par-${n}`);
        expect(await store.write(newPart('sup-1', { name: 'a' }, supplier))).toBe('done');
        expect(await byName(store, 'a', SUPPLIER)).toBe('sup-1');
        expect(await byName(store, 'a', 'example.svc.dev/Unknown')).toBeUndefined();
      });

      test('that stay are no clash, and a write of an older revision is a conflict', async () => {
        await store.write(newPart('par-1', { name: 'bolt' }));
        await store.write(newPart('par-2', { name: 'nut' }));
        const old = await found(store, 'par-2');
        expect(await store.write(changedPart(old, { name: 'nut', price: 1 }))).toBe('done');
        expect(await store.write(changedPart(old, { name: 'bolt' }))).toBe('conflict');
        expect(await store.write(newPart('par-1', { name: 'other' }))).toBe('conflict');
        expect(await byName(store, 'other')).toBeUndefined();
      });

      test('a clash refuses its own write only', async () => {
        await store.write(newPart('par-0', { name: 'taken' }));
        const names = ['a', 'taken', 'b', 'a', 'c', 'b', 'taken', 'd'];
        const writes = names.map((name, n) => newPart(`par-x${n}`, { name }));
        const plain = creation('dev-1');
        const results = await Promise.all([...writes, plain].map((write) => store.write(write)));
        const want: WriteResult[] = ['done', taken(NAME_INDEX), 'done', taken(NAME_INDEX)];
        expect(results).toEqual([...want, 'done', taken(NAME_INDEX), taken(NAME_INDEX), 'done', 'done']);
        expect((await uids()).toSorted()).toEqual(['par-0', 'par-x0', 'par-x2', 'par-x4', 'par-x7']);
      });

      test('can be exchanged within one transaction', async () => {
        await store.write(newPart('par-1', { name: 'a' }));
        await store.write(newPart('par-2', { name: 'b' }));
        const [one, two] = [await found(store, 'par-1'), await found(store, 'par-2')];
        const results = await Promise.all([
          store.write(changedPart(one, { name: 'c' })),
          store.write(newPart('par-3', { name: 'a' })),
          store.write(changedPart(two, { name: 'd' })),
        ]);
        expect([results[0], results[2]]).toEqual(['done', 'done']);
        // In one transaction the name is free, or it is not seen to be.
        expect(['done', taken(NAME_INDEX)]).toContainEqual(results[1]);
      });
    });

    describe('references', () => {
      test('need a target that is there, by uid or by name, in scope', async () => {
        const labels = { tenant: 'acme' };
        await store.write(newPart('sup-1', { name: 'acme' }, { ...supplier, labels }));
        expect(await store.write(newPart('par-1', { supplier: 'sup-1' }))).toBe('done');
        expect(await store.write(newPart('par-2', { supplier: 'acme' }))).toBe('done');
        expect(await store.write(newPart('par-3', { supplier: 'sup-2' }))).toEqual(missing(0));
        expect(await store.write(newPart('par-3', { supplier: 'acm', related: ['par-1', 'x'] }))).toEqual(
          missing(0, 2),
        );
        expect(await store.write(newPart('par-3', { supplier: 'acme' }, { scope: { tenant: 'acme' } }))).toBe(
          'done',
        );
        expect(
          await store.write(newPart('par-4', { supplier: 'acme' }, { scope: { tenant: 'other' } })),
        ).toEqual(missing(0));
        expect(await referrersOf('sup-1', SUPPLIER)).toEqual([
          `par-1 spec.supplier ${UID_INDEX}`,
          `par-2 spec.supplier ${NAME_INDEX}`,
          `par-3 spec.supplier ${NAME_INDEX}`,
        ]);
      });

      test('of one field to several resources are found as one', async () => {
        const related = ['par-1', 'par-2', 'par-3'];
        for (const uid of related) await store.write(newPart(uid));
        await store.write(newPart('par-4', { related: [...related, 'par-4'] }));
        const ids = await Promise.all(related.map(async (uid) => (await found(store, uid)).id));
        const referrers = await store.indexes!.referrers(ids, 100);
        expect(referrers.map((row) => `${row.uid} ${row.field} ${row.index}`)).toEqual([
          `par-4 spec.related ${UID_INDEX}`,
        ]);
      });

      test('keep their target: it is neither deleted nor renamed where it is referred to by name', async () => {
        await store.write(newPart('sup-1', { name: 'acme' }, supplier));
        await store.write(newPart('sup-2', { name: 'umbrella' }, supplier));
        await store.write(newPart('par-1', { supplier: 'acme', related: ['par-1'] }));
        await store.write(newPart('par-2', { supplier: 'sup-2' }));
        const [one, two] = [await found(store, 'sup-1', SUPPLIER), await found(store, 'sup-2', SUPPLIER)];
        expect(await store.write(deletedPart(one, SUPPLIER))).toEqual(REFERRED);
        expect(await store.write(deletedPart(two, SUPPLIER))).toEqual(REFERRED);
        expect(await store.write(changedPart(one, { name: 'new' }, supplier))).toEqual(REFERRED);
        expect(await store.write(changedPart(two, { name: 'new' }, supplier))).toBe('done');
        expect(await store.write(deletedPart({ ...one, revision: 9 }, SUPPLIER))).toBe('conflict');
        expect(await store.write(changedPart({ ...one, revision: 9 }, { name: 'y' }, supplier))).toBe(
          'conflict',
        );
        expect(await store.write(changedPart(await found(store, 'par-1'), {}))).toBe('done');
        expect(await store.write(deletedPart(one, SUPPLIER))).toBe('done');
        expect(await store.write(deletedPart(await found(store, 'par-2')))).toBe('done');
        expect(await store.write(deletedPart(await found(store, 'sup-2', SUPPLIER), SUPPLIER))).toBe('done');
        expect(await uids(SUPPLIER)).toEqual([]);
      });

      test('to itself: by its uid or its new name, not by an old one', async () => {
        expect(await store.write(newPart('par-1', { related: ['par-1'] }))).toBe('done');
        expect(await store.write(newPart('par-2', { name: 'a', related: ['a'] }))).toBe('done');
        expect(await referrersOf('par-2')).toEqual([]);
        const stored = await found(store, 'par-2');
        expect(await store.write(changedPart(stored, { name: 'b', related: ['a'] }))).toEqual(missing(0));
        expect(await store.write(changedPart(stored, { name: 'b', related: ['b', 'par-2'] }))).toBe('done');
        expect(await store.write(deletedPart(await found(store, 'par-2')))).toBe('done');
        expect(await store.write(deletedPart(await found(store, 'par-1')))).toBe('done');
      });

      test('the same target twice, in two fields and by uid and name', async () => {
        await store.write(newPart('par-1', { name: 'a' }));
        expect(await store.write(newPart('par-2', { related: ['a', 'par-1', 'a'] }))).toBe('done');
        expect((await referrersOf('par-1')).toSorted()).toEqual([
          `par-2 spec.related ${NAME_INDEX}`,
          `par-2 spec.related ${UID_INDEX}`,
        ]);
        expect(await store.write(changedPart(await found(store, 'par-2'), { related: ['par-1'] }))).toBe(
          'done',
        );
        expect(await store.write(changedPart(await found(store, 'par-1'), { name: 'b' }))).toBe('done');
      });
    });

    describe('several writes at once', () => {
      beforeEach(async () => {
        await store.write(newPart('par-1', { name: 'a', tags: ['x'] }, { labels: { l: '1' } }));
        await store.write(newPart('par-2', { name: 'b', related: ['a', 'par-3'].slice(0, 1) }));
        await store.write(newPart('par-3', { name: 'c', related: ['par-2', 'par-1'] }));
        await store.write(changedPart(await found(store, 'par-1'), { name: 'a', related: ['par-3'] }));
      });

      const get = async (...names: string[]) => Promise.all(names.map((uid) => found(store, uid)));

      test('a cycle is deleted as a whole, in any order', async () => {
        const [one, two, three] = await get('par-1', 'par-2', 'par-3');
        expect(await store.write(deletedPart(one))).toEqual(REFERRED);
        const writes = [two, one, three].map((row) => deletedPart(row));
        expect(await store.write({ action: 'all', writes })).toBe('done');
        expect(await uids()).toEqual([]);
        expect(await byName(store, 'a')).toBeUndefined();
        expect(await store.write(newPart('par-9', { name: 'a' }))).toBe('done');
      });

      test('what refers to a deleted resource is deleted or cleared with it, or nothing is', async () => {
        const [one, two, three] = await get('par-1', 'par-2', 'par-3');
        const deletion = deletedPart(one);
        const clear = changedPart(two, { name: 'b' });
        expect(await store.write({ action: 'all', writes: [deletion, clear] })).toEqual(REFERRED);
        expect(await get('par-1', 'par-2', 'par-3')).toEqual([one, two, three]);
        expect(await referrersOf('par-1')).toHaveLength(2);
        const half = changedPart(three, { name: 'c', related: ['par-2'] });
        expect(await store.write({ action: 'all', writes: [clear, half, deletion] })).toBe('done');
        expect(await uids()).toEqual(['par-2', 'par-3']);
        expect(await referrersOf('par-2')).toEqual([`par-3 spec.related ${UID_INDEX}`]);
      });

      test('rows that were read again and again are read anew', async () => {
        const read = () => Promise.all(['par-1', 'par-2', 'par-3'].map((uid) => store.get(PART, uid)));
        for (let n = 0; n < 4; n++) await read();
        const [one, two, three] = await get('par-1', 'par-2', 'par-3');
        const clear = changedPart(two, { name: 'b' });
        const writing = store.write({
          action: 'all',
          writes: [deletedPart(one), clear, deletedPart(three)],
        });
        await read();
        expect(await writing).toBe('done');
        for (let n = 0; n < 3; n++) {
          expect(await read()).toEqual([
            undefined,
            { ...two, revision: 2, text: clear.text, etag: clear.etag },
            undefined,
          ]);
        }
      });

      test('one conflict, and nothing is written; its neighbours in the batch are', async () => {
        const [one, two, three] = await get('par-1', 'par-2', 'par-3');
        const writes = [deletedPart(one), deletedPart(two), deletedPart({ ...three, revision: 7 })];
        const results = await Promise.all([
          store.write(newPart('par-8')),
          store.write({ action: 'all', writes }),
          store.write(newPart('par-9', { related: ['par-1'] })),
        ]);
        expect(results).toEqual(['done', 'conflict', 'done']);
        expect(await uids()).toEqual(['par-1', 'par-2', 'par-3', 'par-8', 'par-9']);
        expect(await store.snapshots!.list(PART, 'par-1', ALL_SNAPSHOTS)).toEqual([]);
      });

      test('what refers to something deleted by the same writes is refused', async () => {
        const [, two] = await get('par-1', 'par-2');
        const [three] = await get('par-3');
        const writes = [deletedPart(two), changedPart(three, { name: 'c', related: ['par-2'] })];
        expect(await store.write({ action: 'all', writes })).toEqual(missing(0));
        expect(await get('par-2', 'par-3')).toEqual([two, three]);
      });
    });

    test('a taken entry is found by others too, and rows of one query come in its order', async () => {
      await store.write(newPart('par-1', { name: 'a', sku: 's' }));
      await store.write(newPart('par-2', { name: 'b' }));
      const rows = await store.indexes!.findAll(PART, [
        { index: NAME_INDEX, key: stringKey('b') },
        { index: 'spec.sku', key: stringKey('x') },
        { index: 'spec.sku', key: stringKey('s') },
        { index: UID_INDEX, key: stringKey('par-1') },
        { index: 'spec.none', key: stringKey('s') },
      ]);
      expect(rows.map((row) => row?.uid)).toEqual(['par-2', undefined, 'par-1', 'par-1', undefined]);
      expect(rows[0]).toEqual(await found(store, 'par-2'));
      expect(await store.indexes!.findAll(PART, [])).toEqual([]);
    });
  });
}
