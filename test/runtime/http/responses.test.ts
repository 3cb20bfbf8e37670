import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeExpired } from '../../../templates/runtime/idempotency';
import type { KeyedResponse } from '../../../templates/runtime/store/keyed-response';
import type { Store, Write } from '../../../templates/runtime/store/store';
import { newPart, PART } from '../store/indexing/parts';
import { openIndexedStore } from '../store/open-store';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../store/postgres/postgres-server';
import { creation, KIND } from '../store/store-writes';

// The responses to creates with a key, on any store, for kinds with indexes and without.

const response = (key: string, more: Partial<KeyedResponse> = {}): KeyedResponse => ({
  key,
  request: 'a request',
  expiresAt: 1_000,
  headers: '{"ETag":"\\"x\\""}',
  text: '{"name":"\\u0000 é 漢 \\ud800"}',
  ...more,
});

const CREATES: [kind: string, create: (uid: string, key?: string) => Write][] = [
  [KIND, (uid, key) => creation(uid, { keyed: key === undefined ? undefined : response(key) })],
  [PART, (uid, key) => newPart(uid, {}, { keyed: key === undefined ? undefined : response(key) })],
];

function suite(title: string, open: () => Promise<Store>, another?: (store: Store) => Promise<Store>): void {
  describe.each(CREATES)(`${title}, %s`, (kind, create) => {
    let store: Store;
    beforeEach(async () => void (store = await open()));
    afterEach(() => store.close());

    const uids = async (): Promise<string[]> =>
      (await store.list(kind, { after: 0, limit: 1_000, selector: [] })).map(({ uid }) => uid);

    test('are stored with their create, once', async () => {
      expect(await store.responses.find('k')).toBeUndefined();
      expect(await store.write(create('par-1', 'k'))).toBe('done');
      expect(await store.responses.find('k')).toEqual(response('k'));
      expect(await store.write(create('par-2', 'k'))).toBe('conflict');
      expect(await store.write(create('par-1', 'other'))).toBe('conflict');
      expect(await store.responses.find('other')).toBeUndefined();
      const results = await Promise.all(
        ['a', 'a', 'b', undefined, 'k'].map((key, n) => store.write(create(`par-x${n}`, key))),
      );
      expect(results).toEqual(['done', 'conflict', 'done', 'done', 'conflict']);
      expect((await uids()).toSorted()).toEqual(['par-1', 'par-x0', 'par-x2', 'par-x3']);
    });

    test('a taken key comes before a clash of entries', async () => {
      const named = (uid: string, key: string): Write =>
        newPart(uid, { name: 'bolt' }, { keyed: response(key) });
      expect(await store.write(named('par-1', 'k'))).toBe('done');
      expect(await store.write(named('par-2', 'k'))).toBe('conflict');
      expect(await store.write(named('par-2', 'l'))).toMatchObject({ taken: ['metadata.name'] });
      expect(await store.responses.find('l')).toBeUndefined();
    });

    test('expire a few at a time, and only when their time is over', async () => {
      const writes = Array.from({ length: 620 }, (_, n) => {
        const write = create(`par-${n}`) as Extract<Write, { action: 'create' }>;
        return store.write({ ...write, keyed: response(`key-${n}`, { expiresAt: n }) });
      });
      await Promise.all(writes);
      expect(await store.responses.expired(9, 4)).toEqual(['key-0', 'key-1', 'key-2', 'key-3']);
      await store.responses.remove(['key-0', 'key-10', 'none'], 9);
      expect(await store.responses.expired(11, 99)).toHaveLength(11);
      expect(await store.responses.find('key-10')).toBeDefined();
      const ending = new AbortController();
      const removing = removeExpired(store.responses, () => 609, undefined as never, ending.signal, 1);
      while ((await store.responses.expired(609, 1)).length > 0) await new Promise(setImmediate);
      ending.abort();
      await removing;
      expect(await store.responses.expired(1_000, 99)).toHaveLength(10);
      expect(await uids()).toHaveLength(620);
    });

    (another === undefined ? test.skip : test)('two stores take each key once', async () => {
      const other = await another!(store);
      const keys = Array.from({ length: 50 }, (_, n) => `key-${n}`);
      const take = (from: Store, name: string) =>
        Promise.all(keys.map((key, n) => from.write(create(`${name}-${n}`, key))));
      const [one, two] = await Promise.all([take(store, 'one'), take(other, 'two')]);
      expect(keys.map((_, n) => [one[n], two[n]].toSorted())).toEqual(keys.map(() => ['conflict', 'done']));
      expect(await uids()).toHaveLength(50);
      await other.close();
    });
  });
}

suite('SQLite in memory', () => openIndexedStore('sqlite::memory:'));

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'svcgen-responses-'))));
afterAll(() => rmSync(folder, { recursive: true }));

for (const writerThread of [false, true]) {
  let file = 0;
  const url = (): string => `sqlite:${folder}/${String(writerThread)}-${file}.db`;
  const open = (): Promise<Store> => {
    file += 1;
    return openIndexedStore(url(), { writerThread });
  };
  suite(`SQLite in a file${writerThread ? ', in a thread' : ''}`, open, () =>
    openIndexedStore(url(), { writerThread }),
  );
}

describeWithPostgres('PostgreSQL', () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server?.close());

  const open = async (): Promise<Store> => {
    url = await server.newSchema();
    return openIndexedStore(url);
  };
  suite('PostgreSQL', open, () => openIndexedStore(url));
});
