import fc from 'fast-check';
import { type Labels, matches, type Requirement } from '../../../templates/runtime/model/selectors/selector';
import type {
  PlacedSnapshot,
  SnapshotPosition,
} from '../../../templates/runtime/store/migration/other-versions';
import {
  type Store,
  type StoredResource,
  StoreUnavailable,
  type Write,
} from '../../../templates/runtime/store/store';
import { ALL_SNAPSHOTS, creation, deletionOf, KIND, OTHER_KIND, snapshot, updateOf } from './store-writes';

/** A database of its own for one test. */
export interface TestDatabase {
  open(): Promise<Store>;
  drop(): Promise<void>;
}

const ALL = { after: 0, limit: 1000, selector: [] };

async function uidsOf(store: Store, selector: Requirement[], more = {}): Promise<string[]> {
  return (await store.list(KIND, { ...ALL, ...more, selector })).map(({ uid }) => uid);
}

async function found(store: Store, uid: string): Promise<StoredResource> {
  const resource = await store.get(KIND, uid);
  if (resource === undefined) throw new Error(`${uid} is not there`);
  return resource;
}

/** Tests of every store. `lasting` is set where a database can be opened again, and by several at once. */
export function storeSuite(title: string, makeDatabase: () => Promise<TestDatabase>, lasting: boolean): void {
  describe(title, () => {
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

    describe('resources', () => {
      test('preserved fields count as a part of the text, and are left out with it', async () => {
        const [kept, maxText] = ['x'.repeat(1_000), 500];
        const snapshots = [{ ...snapshot('1'), kept }];
        await store.write(creation('dev-1', { kept, snapshot: snapshots[0] }));
        const [row] = await store.list(KIND, { ...ALL, maxText });
        const [taken] = await store.snapshots!.list(KIND, 'dev-1', { after: '', limit: 9, maxText });
        expect(row).toMatchObject({ text: '', kept: null, omitted: 1_015 });
        expect(taken).toMatchObject({ text: '', kept: null, omitted: 1_015 });
        expect((await store.list(KIND, { ...ALL, maxText: 1_015 }))[0]).toMatchObject({ kept });
        expect(await store.snapshots!.list(KIND, 'dev-1', ALL_SNAPSHOTS)).toEqual(snapshots);
      });

      test.each([
        ['plain', '{"a":1}'],
        ['order of members and white space', '{"b": 1,\n "a":[ ]}'],
        ['beyond ASCII', '{"name":"Zürich 東京 🚀"}'],
        ['escaped NUL and lone surrogates', JSON.stringify({ '\0': '\ud800\udc00 \udfff \0' })],
        ['quotes and backslashes', JSON.stringify({ "'": '\\"\';--' })],
        ['a million characters', JSON.stringify('x'.repeat(1_000_000))],
      ])('keeps a text exactly: %s', async (_, text) => {
        await store.write(creation('dev-1', { text, kept: text }));
        expect(await store.get(KIND, 'dev-1')).toEqual({
          id: expect.any(Number),
          uid: 'dev-1',
          revision: 1,
          version: 'v1',
          text,
          etag: '"dev-1"',
          kept: text,
          position: null,
        });
        await store.write(updateOf(await found(store, 'dev-1'), { text }));
        expect((await found(store, 'dev-1')).text).toBe(text);
      });

      test.each(['dev-2', '', 'dev-1\0', 'dev-1\0x', 'dev-1\ud800', "' OR 1=1 --"])(
        'has nothing under %j',
        async (uid) => {
          await store.write(creation('dev-1'));
          expect(await store.get(KIND, uid)).toBeUndefined();
          expect(await store.snapshots!.list(KIND, uid, ALL_SNAPSHOTS)).toEqual([]);
        },
      );

      test('are found under their own kind alone, known or not', async () => {
        await store.write(creation('dev-1'));
        await store.write(creation('boo-1', { kind: OTHER_KIND }));
        expect(await store.get(OTHER_KIND, 'dev-1')).toBeUndefined();
        expect(await store.get('example.svc.dev/Unknown', 'dev-1')).toBeUndefined();
        expect(await store.list('example.svc.dev/Unknown', ALL)).toEqual([]);
        expect(await uidsOf(store, [])).toEqual(['dev-1']);
      });

      test('an update takes everything it names and counts the revision', async () => {
        await store.write(creation('dev-1'));
        const before = await found(store, 'dev-1');
        expect(await store.write(updateOf(before, { version: 'v2', kept: '{}' }))).toBe('done');
        expect(await found(store, 'dev-1')).toEqual({
          ...before,
          revision: 2,
          version: 'v2',
          text: '{"updated":true}',
          etag: '"new"',
          kept: '{}',
        });
      });

      test('a deletion takes the resource, its labels and its snapshots', async () => {
        await store.write(creation('dev-1', { labels: { a: 'b' }, snapshot: snapshot('1') }));
        expect(await store.write(deletionOf(await found(store, 'dev-1')))).toBe('done');
        expect(await store.get(KIND, 'dev-1')).toBeUndefined();
        expect(await uidsOf(store, [{ key: 'a', operator: 'exists', values: [] }])).toEqual([]);
        expect(await store.snapshots!.list(KIND, 'dev-1', ALL_SNAPSHOTS)).toEqual([]);
        await store.write(creation('dev-1'));
        expect(await store.snapshots!.list(KIND, 'dev-1', ALL_SNAPSHOTS)).toEqual([]);
      });
    });

    describe('a conflict changes nothing', () => {
      const conflicts: [string, (current: StoredResource) => Write][] = [
        [
          'create with a taken uid',
          () => creation('dev-1', { text: '"other"', labels: { x: 'y' }, snapshot: snapshot('9') }),
        ],
        ['create with a uid that another kind has', () => creation('dev-1', { kind: OTHER_KIND })],
        [
          'update of an older revision',
          (current) => updateOf({ ...current, revision: 0 }, { labels: {}, snapshot: snapshot('9') }),
        ],
        ['update of a revision to come', (current) => updateOf({ ...current, revision: 2 })],
        ['update under another uid', (current) => updateOf({ ...current, uid: 'dev-2' })],
        ['update under another kind', (current) => updateOf(current, { kind: OTHER_KIND })],
        ['update of what is gone', (current) => updateOf({ ...current, id: current.id + 1 })],
        ['delete of an older revision', (current) => deletionOf({ ...current, revision: 0 })],
        ['delete of what is gone', (current) => deletionOf({ ...current, id: current.id + 1 })],
      ];
      test.each(conflicts)('%s', async (_, write) => {
        await store.write(creation('dev-1', { labels: { a: 'b' }, snapshot: snapshot('1') }));
        const before = await found(store, 'dev-1');
        expect(await store.write(write(before))).toBe('conflict');
        expect(await store.list(KIND, ALL)).toEqual([before]);
        expect(await store.list(OTHER_KIND, ALL)).toEqual([]);
        expect(await uidsOf(store, [{ key: 'a', operator: 'in', values: ['b'] }])).toEqual(['dev-1']);
        expect(await uidsOf(store, [{ key: 'x', operator: 'exists', values: [] }])).toEqual([]);
        expect(await store.snapshots!.list(KIND, 'dev-1', ALL_SNAPSHOTS)).toEqual([snapshot('1')]);
      });
    });

    describe('writes that arrive together', () => {
      test('each get their own result', async () => {
        await store.write(creation('dev-1'));
        const current = await found(store, 'dev-1');
        const results = await Promise.all([
          store.write(creation('dev-2', { snapshot: snapshot('1') })),
          store.write(creation('dev-2', { text: '"late"' })),
          store.write(updateOf(current, { text: '"first"' })),
          store.write(updateOf(current, { text: '"second"' })),
          store.write(creation('dev-3')),
        ]);
        expect(results).toEqual(['done', 'conflict', 'done', 'conflict', 'done']);
        expect(await store.list(KIND, ALL)).toMatchObject([
          { uid: 'dev-1', revision: 2, text: '"first"' },
          { uid: 'dev-2', revision: 1, text: '{"uid":"dev-2"}' },
          { uid: 'dev-3' },
        ]);
      });

      test('of which one can apply: one does', async () => {
        await store.write(creation('dev-1', { snapshot: snapshot('1') }));
        const current = await found(store, 'dev-1');
        const writes = [
          updateOf(current, { snapshot: snapshot('2') }),
          deletionOf(current),
          updateOf(current, { snapshot: snapshot('3') }),
        ];
        const results = await Promise.all(writes.map((write) => store.write(write)));
        expect(results.toSorted()).toEqual(['conflict', 'conflict', 'done']);
        const expected = [['1', '2'], [], ['1', '3']][results.indexOf('done')];
        const snapshots = await store.snapshots!.list(KIND, 'dev-1', ALL_SNAPSHOTS);
        expect(snapshots.map(({ versionId }) => versionId)).toEqual(expected);
      });

      test('do not suffer from one that cannot be written', async () => {
        const broken = creation('dev-2', { etag: null as unknown as string });
        const results = await Promise.allSettled(
          [creation('dev-1'), broken, creation('dev-3')].map((write) => store.write(write)),
        );
        expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect(await uidsOf(store, [])).toEqual(['dev-1', 'dev-3']);
      });

      test('lose no increment', async () => {
        await store.write(creation('dev-1', { text: '0' }));
        const increment = async (): Promise<void> => {
          for (;;) {
            const current = await found(store, 'dev-1');
            const write = updateOf(current, { text: String(Number(current.text) + 1) });
            if ((await store.write(write)) === 'done') return;
          }
        };
        await Promise.all(
          Array.from({ length: 16 }, async () => {
            for (let i = 0; i < 10; i++) await increment();
          }),
        );
        expect(await found(store, 'dev-1')).toMatchObject({ text: '160', revision: 161 });
      });

      test('are all there, in the order in which they were made', async () => {
        const uids = Array.from({ length: 2500 }, (_, index) => `dev-${index}`);
        await Promise.all(
          uids.map((uid) => store.write(creation(uid, { labels: { even: String(uid.endsWith('2')) } }))),
        );
        expect(await uidsOf(store, [], { limit: 3000 })).toEqual(uids);
      });
    });

    describe('the position of a resource', () => {
      const event = (id: string) => ({
        id,
        type: 'io.svc.device.updated',
        text: `{"id":"${id}"}`,
        kept: null,
      });
      const positions = async (): Promise<unknown[]> =>
        (await store.list(KIND, ALL)).map(({ uid, position }) => [uid, position]);
      const logged = async (): Promise<string[][]> =>
        (await store.events!.read('0', { events: 100, bytes: 10_000 })).map(({ uid, position }) => [
          uid,
          position,
        ]);

      test('is that of the event of its last write', async () => {
        await Promise.all(['a', 'b', 'c'].map((uid) => store.write(creation(uid, { event: event(uid) }))));
        expect(await positions()).toEqual(await logged());
        await store.write(updateOf(await found(store, 'b'), { event: event('b2') }));
        const [, newest] = (await logged()).at(-1)!;
        // Read often enough to be cached, and written from there.
        for (let time = 0; time < 3; time++) expect((await found(store, 'b')).position).toBe(newest);
        await store.write(updateOf(await found(store, 'b'), { event: event('b3') }));
        expect((await found(store, 'b')).position).toBe((await logged()).at(-1)![1]);
        expect(await positions()).toContainEqual(['b', (await found(store, 'b')).position]);
      });

      test('is none after a write without an event', async () => {
        await store.write(creation('a', { event: event('a') }));
        await store.write(updateOf(await found(store, 'a')));
        expect(await positions()).toEqual([['a', null]]);
      });

      test('stays when only the way changes in which it is stored', async () => {
        await store.write(creation('a', { event: event('a') }));
        const { position } = await found(store, 'a');
        await found(store, 'a');
        await store.write(updateOf(await found(store, 'a'), { isRewrite: true }));
        expect(await found(store, 'a')).toMatchObject({ position, revision: 2 });
        expect(await logged()).toEqual([['a', position]]);
      });

      test('grows with every write, and a refused one takes none', async () => {
        await store.write(creation('a', { event: event('a') }));
        const stale = await found(store, 'a');
        for (let count = 0; count < 20; count++) {
          const before = await found(store, 'a');
          const results = await Promise.all([
            store.write(updateOf(before, { event: event(`${count}`) })),
            store.write(updateOf(stale, { event: event(`stale ${count}`) })),
            store.judge(updateOf(before, { event: event(`judged ${count}`) })),
          ]);
          expect(results[0]).toBe('done');
          const [last] = (await found(store, 'a')).position!.split('-').map(Number).slice(-1);
          expect(last).toBeGreaterThan(Number(before.position!.split('-').at(-1)));
          expect((await found(store, 'a')).position).toBe((await logged()).at(-1)![1]);
        }
      });
    });

    describe('lists', () => {
      const uids = ['dev-1', 'dev-2', 'dev-3', 'dev-4', 'dev-5'];

      beforeEach(async () => {
        for (const uid of uids)
          await store.write(
            creation(uid, { labels: { all: 'yes', odd: String(Number(uid.at(-1)) % 2 === 1) } }),
          );
      });

      const selectors: [string, Requirement[]][] = [
        ['all', []],
        ['a label', [{ key: 'all', operator: 'in', values: ['yes'] }]],
        ['a key', [{ key: 'all', operator: 'exists', values: [] }]],
        ['values', [{ key: 'odd', operator: 'in', values: ['true', 'false', 'maybe'] }]],
        ['an absent key', [{ key: 'none', operator: 'absent', values: [] }]],
      ];
      test.each(selectors)('come in pages: %s', async (_, selector) => {
        const seen: string[] = [];
        for (let after = 0; ;) {
          const page = await store.list(KIND, { after, limit: 2, selector });
          seen.push(...page.map(({ uid }) => uid));
          if (page.length < 2) break;
          after = page[1].id;
        }
        expect(seen).toEqual(uids);
      });

      test('show what exists throughout exactly once while others come and go', async () => {
        const first = await store.list(KIND, { after: 0, limit: 2, selector: [] });
        await store.write(deletionOf(first[1]));
        await store.write(deletionOf(await found(store, 'dev-5')));
        await store.write(creation('dev-6'));
        await store.write(updateOf(await found(store, 'dev-3')));
        expect(await uidsOf(store, [], { after: first[1].id })).toEqual(['dev-3', 'dev-4', 'dev-6']);
      });

      test('never use an id again', async () => {
        const last = await found(store, 'dev-5');
        await store.write(deletionOf(last));
        await store.write(creation('dev-5'));
        expect((await found(store, 'dev-5')).id).toBeGreaterThan(last.id);
      });
    });

    describe('labels', () => {
      test('stay with an update that has none, and are replaced by those of one that has', async () => {
        await store.write(creation('dev-1', { labels: { a: '1', b: '2' } }));
        await store.write(updateOf(await found(store, 'dev-1')));
        expect(await uidsOf(store, [{ key: 'a', operator: 'in', values: ['1'] }])).toEqual(['dev-1']);
        await store.write(updateOf(await found(store, 'dev-1'), { labels: { b: '3', c: '4' } }));
        const present = async (key: string, value: string): Promise<boolean> =>
          (await uidsOf(store, [{ key, operator: 'in', values: [value] }])).length === 1;
        expect(
          await Promise.all([present('a', '1'), present('b', '2'), present('b', '3'), present('c', '4')]),
        ).toEqual([false, false, true, true]);
      });

      // Keys and values that drivers cut, refuse or confuse with one another.
      const hostile = [
        'a',
        'b',
        'A',
        '',
        '\0',
        '\0a',
        'a\0b',
        '\ud800',
        '\udfff',
        '\ud83d\ude80',
        'ü',
        'u\u0308',
        '"',
        '\\',
        '\\u0000',
        '%',
        '_',
        "'",
        '__proto__',
        'constructor',
      ];
      const text = fc.constantFrom(...hostile);
      const labels = fc
        .array(fc.tuple(text, text), { maxLength: 4 })
        .map((entries): Labels => Object.fromEntries(entries));
      const requirement = fc.oneof(
        fc.record({
          key: text,
          operator: fc.constantFrom('in' as const, 'notin' as const),
          values: fc.array(text, { maxLength: 3 }),
        }),
        fc.record({
          key: text,
          operator: fc.constantFrom('exists' as const, 'absent' as const),
          values: fc.constant<string[]>([]),
        }),
      );

      test('are selected as matches() does', async () => {
        const sets = fc.sample(labels, { numRuns: 60, seed: 7 });
        await Promise.all(sets.map((set, index) => store.write(creation(`dev-${index}`, { labels: set }))));
        await store.write(creation('boo-1', { kind: OTHER_KIND, labels: { a: 'a' } }));
        await fc.assert(
          fc.asyncProperty(fc.array(requirement, { maxLength: 4 }), fc.nat(20), async (selector, after) => {
            const want = sets.flatMap((set, index) => (matches(set, selector) ? [`dev-${index}`] : []));
            expect(await uidsOf(store, selector)).toEqual(want);
            const rest = (await store.list(KIND, { ...ALL, selector, after })).map(({ id }) => id);
            expect(rest.every((id) => id > after)).toBe(true);
          }),
          { numRuns: 300 },
        );
      });
    });

    describe('snapshots', () => {
      const list = async (): Promise<string[]> =>
        (await store.snapshots!.list(KIND, 'dev-1', ALL_SNAPSHOTS)).map(({ versionId }) => versionId);

      test('come oldest first, one by one, exactly, and under their own uid alone', async () => {
        const text = JSON.stringify({ '\0': '\ud800' });
        await store.write(creation('dev-1', { snapshot: { ...snapshot('2', text), kept: '{"k":1}' } }));
        await store.write(updateOf(await found(store, 'dev-1'), { snapshot: snapshot('3') }));
        await store.write(creation('dev-2', { snapshot: snapshot('1') }));
        expect(await store.snapshots!.list(KIND, 'dev-1', ALL_SNAPSHOTS)).toEqual([
          { versionId: '2', version: 'v1', text, kept: '{"k":1}' },
          snapshot('3'),
        ]);
        const get = (kind: string, uid: string, versionId: string) =>
          store.snapshots!.find({ kind, uid, versionId });
        expect(await get(KIND, 'dev-1', '3')).toEqual(snapshot('3'));
        expect(await get(KIND, 'dev-1', '1')).toBeUndefined();
        expect(await get(KIND, 'dev-1', '3\0')).toBeUndefined();
        expect(await get(OTHER_KIND, 'dev-1', '3')).toBeUndefined();
      });

      test('come in pages', async () => {
        await store.write(creation('dev-1', { snapshot: snapshot('1') }));
        for (const id of ['2', '3', '4']) {
          await store.write(updateOf(await found(store, 'dev-1'), { snapshot: snapshot(id) }));
        }
        const page = async (after: string, limit: number, newestFirst = false): Promise<string[]> => {
          const found = await store.snapshots!.list(KIND, 'dev-1', { after, limit, newestFirst });
          return found.map(({ versionId }) => versionId);
        };
        expect(await page('', 2)).toEqual(['1', '2']);
        expect(await page('2', 2)).toEqual(['3', '4']);
        expect(await page('25', 9)).toEqual(['3', '4']);
        expect(await page('4', 2)).toEqual([]);
        expect(await page('', 3, true)).toEqual(['4', '3', '2']);
        expect(await page('3', 9, true)).toEqual(['2', '1']);
        expect(await page('1', 9, true)).toEqual([]);
      });

      test('beyond those to keep are dropped, oldest first', async () => {
        await store.write(creation('dev-1', { snapshot: snapshot('1'), keepSnapshots: 2 }));
        for (const id of ['2', '3', '4']) {
          await store.write(
            updateOf(await found(store, 'dev-1'), { snapshot: snapshot(id), keepSnapshots: 2 }),
          );
        }
        expect(await list()).toEqual(['3', '4']);
        await store.write(updateOf(await found(store, 'dev-1'), { snapshot: snapshot('5') }));
        expect(await list()).toEqual(['3', '4', '5']);
      });

      test('are deleted once', async () => {
        await store.write(creation('dev-1', { snapshot: snapshot('1') }));
        const key = { kind: KIND, uid: 'dev-1', versionId: '1' };
        expect(await store.snapshots!.delete({ ...key, uid: 'dev-2' })).toBe(false);
        expect(await store.snapshots!.delete({ ...key, versionId: '1\0' })).toBe(false);
        expect(await store.snapshots!.delete({ ...key, kind: OTHER_KIND })).toBe(false);
        expect(await store.snapshots!.delete(key)).toBe(true);
        expect(await store.snapshots!.delete(key)).toBe(false);
        expect(await list()).toEqual([]);
      });
    });

    test('tells the versions that something is stored in', async () => {
      expect(await store.versions.all()).toEqual([]);
      await store.write(creation('dev-1', { snapshot: snapshot('1') }));
      await store.write(creation('boo-1', { kind: OTHER_KIND, version: 'v2' }));
      await store.write(updateOf(await found(store, 'dev-1'), { version: 'v3' }));
      const [book, device] = [
        { kind: OTHER_KIND, version: 'v2' },
        { kind: KIND, version: 'v3' },
      ];
      expect(await store.versions.all()).toEqual([book, { kind: KIND, version: 'v1' }, device]);
      await store.snapshots!.delete({ kind: KIND, uid: 'dev-1', versionId: '1' });
      expect(await store.versions.all()).toEqual([book, device]);
      const recorded = await store.versions.recorded();
      expect(recorded).toHaveLength(3);
      expect(recorded).toEqual(expect.arrayContaining([book, { kind: KIND, version: 'v1' }, device]));
      expect(await store.versions.count(device)).toEqual({ resources: 1, snapshots: 0 });
      expect(await store.versions.count({ kind: KIND, version: 'v1' })).toEqual({
        resources: 0,
        snapshots: 0,
      });
      expect(await store.versions.count({ kind: 'none', version: 'v1' })).toEqual({
        resources: 0,
        snapshots: 0,
      });
    });

    test('finds what is stored in other versions, page by page, and rewrites snapshots', async () => {
      for (const [uid, version] of [
        ['dev-1', 'v1'],
        ['dev-2', 'v2'],
        ['dev-3', 'v3'],
      ]) {
        const two = [snapshot('1'), snapshot('2')];
        await store.write(creation(uid, { version, snapshot: { ...two[0], version } }));
        await store.write(updateOf(await found(store, uid), { version, snapshot: { ...two[1], version } }));
      }
      await store.write(creation('boo-1', { kind: OTHER_KIND, version: 'v9' }));
      const other = { kind: KIND, version: 'v2', limit: 1 };
      const [first] = await store.others!.resources({ ...other, after: 0 });
      const [second] = await store.others!.resources({ ...other, after: first.id });
      const placed = [first, second].map((row) => ({ ...row, position: null }));
      expect(placed).toEqual([await found(store, 'dev-1'), await found(store, 'dev-3')]);
      expect(await store.others!.resources({ ...other, after: second.id })).toEqual([]);

      const seen: PlacedSnapshot[] = [];
      for (let after: SnapshotPosition = { resource: 0, versionId: '' }; ; after = seen.at(-1)!) {
        const page = await store.others!.snapshots({ ...other, after });
        if (page.length === 0) break;
        seen.push(...page);
      }
      expect(seen.map(({ resource, versionId, version }) => [resource, versionId, version])).toEqual([
        [first.id, '1', 'v1'],
        [first.id, '2', 'v1'],
        [second.id, '1', 'v3'],
        [second.id, '2', 'v3'],
      ]);
      const rewritten = { ...seen[1], version: 'v2', text: '{"new":true}', kept: '{}' };
      expect(await store.others!.rewriteSnapshot(KIND, 'v1', rewritten)).toBe(true);
      expect(await store.others!.rewriteSnapshot(KIND, 'v1', rewritten)).toBe(false);
      const { resource: _, ...want } = rewritten;
      expect(await store.snapshots!.find({ kind: KIND, uid: 'dev-1', versionId: '2' })).toEqual(want);
      const left = await store.others!.snapshots({
        ...other,
        after: { resource: 0, versionId: '' },
        limit: 9,
      });
      expect(left).toEqual([seen[0], seen[2], seen[3]]);
    });

    test('finds few large ones at a time', async () => {
      const text = 'x'.repeat(400_000);
      for (const uid of ['dev-1', 'dev-2', 'dev-3', 'dev-4'])
        await store.write(creation(uid, { text, snapshot: snapshot('1', text) }));
      const other = { kind: KIND, version: 'v2', limit: 9 };
      expect(await store.others!.resources({ ...other, after: 0 })).toHaveLength(3);
      const after = { resource: 0, versionId: '' };
      expect(await store.others!.snapshots({ ...other, after })).toHaveLength(3);
    });

    test('is ready until it is closed; closing finishes what was begun', async () => {
      await store.ready();
      const pending = [store.write(creation('dev-1')), store.write(creation('dev-2'))];
      const closing = store.close();
      expect(await Promise.all(pending)).toEqual(['done', 'done']);
      await closing;
      const calls: (() => unknown)[] = [
        () => store.get(KIND, 'dev-1'),
        () => store.list(KIND, ALL),
        () => store.snapshots!.list(KIND, 'dev-1', ALL_SNAPSHOTS),
        () => store.snapshots!.find({ kind: KIND, uid: 'dev-1', versionId: '1' }),
        () => store.write(creation('dev-3')),
        () => store.snapshots!.delete({ kind: KIND, uid: 'dev-1', versionId: '1' }),
        () => store.ready(),
      ];
      for (const call of calls) await expect((async () => call())()).rejects.toBeInstanceOf(StoreUnavailable);
      await store.close();
    });

    if (!lasting) return;
    describe('a database that lasts', () => {
      test('has everything when it is opened again', async () => {
        const write = creation('dev-1', { labels: { 'a\0': '\ud800' }, snapshot: snapshot('1') });
        await store.write(write);
        await store.close();
        store = await database.open();
        expect(await store.get(KIND, 'dev-1')).toMatchObject({ text: write.text, revision: 1 });
        expect(await uidsOf(store, [{ key: 'a\0', operator: 'in', values: ['\ud800'] }])).toEqual(['dev-1']);
        expect(await store.snapshots!.list(KIND, 'dev-1', ALL_SNAPSHOTS)).toEqual([snapshot('1')]);
      });

      test('never uses an id again, not even after a restart', async () => {
        await store.write(creation('dev-1'));
        const gone = await found(store, 'dev-1');
        await store.write(deletionOf(gone));
        await store.close();
        store = await database.open();
        await store.write(creation('dev-1'));
        expect((await found(store, 'dev-1')).id).toBeGreaterThan(gone.id);
      });

      test('serves several at once as one', async () => {
        const second = await database.open();
        try {
          expect(await second.list(KIND, ALL)).toEqual([]);
          await store.write(creation('dev-1', { labels: { a: 'b' } }));
          const current = await second.get(KIND, 'dev-1');
          expect(await second.list(KIND, ALL)).toEqual([current]);
          const results = await Promise.all([store, second].map((each) => each.write(updateOf(current!))));
          expect(results.toSorted()).toEqual(['conflict', 'done']);
          const creations = await Promise.all(
            [store, second].map((each) => each.write(creation('boo-1', { kind: OTHER_KIND }))),
          );
          expect(creations.toSorted()).toEqual(['conflict', 'done']);
        } finally {
          await second.close();
        }
      });

      test('is made once when several open it at the same time', async () => {
        await store.close();
        await database.drop();
        database = await makeDatabase();
        const stores = await Promise.all([1, 2, 3, 4].map(() => database.open()));
        [store] = stores;
        const results = await Promise.all(stores.map((each) => each.write(creation('dev-1'))));
        expect(results.toSorted()).toEqual(['conflict', 'conflict', 'conflict', 'done']);
        await Promise.all(stores.map((each) => each.close()));
      });
    });
  });
}
