import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store, Write, WriteResult } from '../../../../templates/runtime/store/store';
import { rowsOf } from '../database-rows';
import { writeSuite } from '../indexing/write-suite';
import { openIndexedStore } from '../open-store';
import { storeSuite, type TestDatabase } from '../store-suite';
import { creation, KIND } from '../store-writes';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

// Before each write of the suites, unless others are under way, the store judges it: the result is that of the write, and
// no row has changed by then.

let [judged, alike] = [0, 0];

function judging(store: Store, url: string): Store {
  let [underWay, begun] = [0, 0];
  const write = async (asked: Write, since?: number): Promise<WriteResult> => {
    underWay += 1;
    const number = (begun += 1);
    try {
      await Promise.resolve();
      if (underWay > 1) return await store.write(asked, since);
      const before = await rowsOf(url);
      const result = await store.judge(asked);
      const after = await rowsOf(url);
      if (begun > number) return await store.write(asked, since);
      expect(after).toEqual(before);
      const written = await store.write(asked, since);
      judged += 1;
      expect(result).toEqual(written);
      alike += 1;
      return written;
    } finally {
      underWay -= 1;
    }
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === 'write') return write;
      if (name === 'close') return () => Promise.resolve().then(() => store.close());
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const inFile = (writerThread: boolean) => async (): Promise<TestDatabase> => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-judge-'));
  const url = `sqlite:${folder}/service.db`;
  return {
    open: async () => judging(await openIndexedStore(url, { writerThread }), url),
    drop: async () => rmSync(folder, { recursive: true }),
  };
};

function suites(title: string, makeDatabase: () => Promise<TestDatabase>): void {
  writeSuite(title, makeDatabase);

  test(`${title}: nothing is recorded of a kind that is not stored`, async () => {
    const database = await makeDatabase();
    const store = await database.open();
    expect(await store.judge(creation('dev-1'))).toBe('done');
    expect(await store.list(KIND, { after: 0, limit: 1, selector: [] })).toEqual([]);
    expect(await store.versions.all()).toEqual([]);
    await store.close();
    await database.drop();
  });
}

afterAll(() => {
  expect(judged).toBeGreaterThan(100);
  expect(alike).toBe(judged);
});

storeSuite('SQLite, judged', inFile(false), false);
suites('SQLite, judged', inFile(false));
suites('SQLite, judged in a thread', inFile(true));

describeWithPostgres('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server?.close());

  const inSchema = async (): Promise<TestDatabase> => {
    const url = await server.newSchema();
    return { open: async () => judging(await openIndexedStore(url), url), drop: async () => undefined };
  };
  storeSuite('PostgreSQL, judged', inSchema, false);
  suites('PostgreSQL, judged', inSchema);
});
