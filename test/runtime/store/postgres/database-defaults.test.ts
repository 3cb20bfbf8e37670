import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { openIndexedStore } from '../open-store';
import { creation, KIND } from '../store-writes';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

const INDEX = 'spec.n';

/** The advisory lock under which entries are made anew. */
const MAKING = 0x73766368;

const WAITING = `SELECT FROM pg_locks
  WHERE relation = 'resources'::regclass AND mode = 'ShareRowExclusiveLock' AND NOT granted`;

const kinds = (digest: string) => [
  {
    kind: KIND,
    entries: {
      digest,
      of: () => ({
        index: { fields: [{ index: INDEX, key: 'a' }], unique: [], references: [] },
        tooLong: [],
      }),
    },
  },
];

describeWithPostgres('a database with defaults of its own', () => {
  let server: PostgresServer;
  let url: string;
  let name: string;

  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  beforeEach(async () => {
    url = await server.newDatabase();
    name = /\/(\w+)(?:\?|$)/.exec(url)![1];
    await server.run(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
  });

  test('several processes start together', async () => {
    const stores = await Promise.all([0, 1, 2].map(() => openIndexedStore(url)));
    const problems = await Promise.all(stores.map((store) => store.indexes!.rebuild(kinds('1'))));
    expect(problems).toEqual([[], [], []]);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('entries are made of what others write meanwhile', async () => {
    const [older, newer] = [await openIndexedStore(url), await openIndexedStore(url)];
    const vacuum = new Client(url);
    await vacuum.connect();
    await vacuum.query(
      'BEGIN ISOLATION LEVEL READ COMMITTED; LOCK TABLE resources IN SHARE UPDATE EXCLUSIVE MODE',
    );
    const made = newer.indexes!.rebuild(kinds('2'));
    while ((await vacuum.query(WAITING)).rowCount === 0) await setTimeout(5);
    expect(await older.write(creation('dev-1'))).toBe('done');
    await vacuum.query('COMMIT');
    await vacuum.end();
    expect(await made).toEqual([]);
    const fields = [{ index: INDEX, operator: 'in' as const, keys: ['a'] }];
    const listed = await newer.list(KIND, { after: 0, limit: 100, selector: [], fields });
    expect(listed.map(({ uid }) => uid)).toEqual(['dev-1']);
    await older.close();
    await newer.close();
  });

  test('a process waits longer than statements may take while another makes entries', async () => {
    const store = await openIndexedStore(url);
    await store.close();
    await server.run(`ALTER DATABASE ${name} SET statement_timeout = '200ms'`);
    await server.run(`ALTER DATABASE ${name} SET lock_timeout = '50ms'`);
    const other = new Client(url);
    await other.connect();
    await other.query(`SET statement_timeout = 0; BEGIN; SELECT pg_advisory_xact_lock(${MAKING})`);
    const later = await openIndexedStore(url);
    const made = later.indexes!.rebuild(kinds('1'));
    const ended = other.query('SELECT pg_sleep(0.6); COMMIT').then(() => other.end());
    expect(await made).toEqual([]);
    await ended;
    await later.close();
  });
});
