import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { CopyTarget } from '../../../../templates/runtime/store/copy/target';
import { PATIENTLY } from '../../../../templates/runtime/store/postgres/servers/durable';
import { openIndexedStore } from '../open-store';
import { creation, KIND } from '../store-writes';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

const INDEX = 'spec.n';

/** The advisory lock under which entries are made anew. */
const MAKING = 0x73766368;

/** The advisory lock under which a timeline is noted. */
const NOTING = 0x73766369;

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

  test('a start that sends nothing more for a minute loses its locks', async () => {
    const client = new Client(url);
    await client.connect();
    await client.query(`BEGIN; ${PATIENTLY}`);
    const { rows } = await client.query(
      `SELECT current_setting('idle_in_transaction_session_timeout') AS after`,
    );
    expect(rows).toEqual([{ after: '1min' }]);
    await client.end();
  });

  describe('that limit statements and transactions: a process waits longer', () => {
    /** Runs `action` with limits of the database while somebody else holds what it waits for, and returns its result. */
    async function limited<T>(lock: string, action: () => Promise<T>): Promise<T> {
      const other = new Client(url);
      await other.connect();
      await other.query(`BEGIN; ${lock}`);
      await server.run(`ALTER DATABASE ${name} SET statement_timeout = '200ms'`);
      await server.run(`ALTER DATABASE ${name} SET lock_timeout = '50ms'`);
      await server.run(`DO $$ BEGIN IF current_setting('transaction_timeout', true) IS NOT NULL
        THEN ALTER DATABASE ${name} SET transaction_timeout = '200ms'; END IF; END $$`);
      const acting = action();
      const ended = other.query('SELECT pg_sleep(0.6); COMMIT').then(() => other.end());
      try {
        return await acting;
      } finally {
        await ended;
      }
    }

    test('while another makes entries', async () => {
      await (await openIndexedStore(url)).close();
      const problems = await limited(`SELECT pg_advisory_xact_lock(${MAKING})`, async () => {
        const later = await openIndexedStore(url);
        return later.indexes!.rebuild(kinds('1')).finally(() => later.close());
      });
      expect(problems).toEqual([]);
    });

    test('while another notes the timeline', async () => {
      const store = await limited(`SELECT pg_advisory_xact_lock(${NOTING})`, () => openIndexedStore(url));
      expect(await store.write(creation('dev-1'))).toBe('done');
      await store.close();
    });

    test('while another holds a table that it copies to', async () => {
      await (await openIndexedStore(url)).close();
      const timeouts = { connectTimeoutMs: 60_000, responseTimeoutMs: 60_000 };
      const target = await limited('LOCK TABLE kinds IN ROW EXCLUSIVE MODE', () =>
        CopyTarget.open(url, timeouts, 60_000),
      );
      await target.close();
    });
  });
});
