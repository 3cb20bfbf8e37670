import { Client } from 'pg';
import { lockInSchema } from '../../../../templates/runtime/store/postgres/schema/locks';
import { openIndexedStore } from '../open-store';
import { creation, KIND } from '../store-writes';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

/** The advisory locks under which the schema is brought up to date, and entries are made. */
const LOCKS = [0x73766367, 0x73766368];

const NONE = { fields: [], unique: [], references: [] };
const KINDS = [{ kind: KIND, entries: { digest: '1', of: () => ({ index: NONE, tooLong: [] }) } }];

const WAITING = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;

describeWithPostgres('while a service starts', () => {
  let server: PostgresServer;
  let url: string;
  let starting: Client;
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  beforeEach(async () => {
    url = await server.newSchema();
    starting = new Client(url);
    await starting.connect();
  });

  afterEach(() => starting.end());

  async function start(at: string): Promise<void> {
    const store = await openIndexedStore(at);
    expect(await store.indexes!.rebuild(KINDS)).toEqual([]);
    expect(await store.write(creation('dev-1'))).toBe('done');
    await store.close();
  }

  test.each(LOCKS)('one in another schema of the database does not wait for it: %d', async (lock) => {
    await starting.query(`BEGIN; ${lockInSchema(lock)}`);
    await start(await server.newSchema());
  });

  test.each([
    ['the same release', lockInSchema],
    ['a former release', (lock: number) => `SELECT pg_advisory_xact_lock(${lock})`],
  ])('one in the same schema waits for %s', async (_release, sql) => {
    for (const lock of LOCKS) {
      await starting.query(`BEGIN; ${sql(lock)}`);
      let isStarted = false;
      const started = start(url).then(() => (isStarted = true));
      while ((await starting.query(WAITING)).rowCount === 0) expect(isStarted).toBe(false);
      await starting.query('COMMIT');
      await started;
      await starting.query(`TRUNCATE resources; UPDATE index_states SET digest = ''`);
    }
  });
});
