import { Client } from 'pg';
import { openStore } from '../open-store';
import { creationWithEvent } from '../store-writes';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

const EVERYTHING = 'CREATE PUBLICATION everything FOR ALL TABLES';

/** The tables of which PostgreSQL could not say which row was updated or deleted. */
const WITHOUT_IDENTITY = `SELECT relname FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
  AND relreplident <> 'f' AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)`;

/** The tables of the release whose tables had no identity. */
const FORMER = `ALTER TABLE svcgen_schema REPLICA IDENTITY DEFAULT; ALTER TABLE event_mark REPLICA IDENTITY DEFAULT;
  ALTER TABLE probe REPLICA IDENTITY DEFAULT; UPDATE svcgen_schema SET version = 8`;

describeWithPostgres('a database whose tables are all published', () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  async function run(url: string, sql: string): Promise<unknown[]> {
    const client = new Client(url);
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rows;
  }

  /** Runs every statement that changes a table without a key. */
  async function use(url: string): Promise<void> {
    const store = await openStore(url);
    await store.ready();
    await store.write(creationWithEvent('dev-1'));
    await store.events!.prune({ events: 0, days: 7 }, 10);
    await store.close();
  }

  test('by a publication before the first start', async () => {
    const url = await server.newDatabase();
    await run(url, EVERYTHING);
    await use(url);
    expect(await run(url, WITHOUT_IDENTITY)).toEqual([]);
  });

  test('while a former release had it', async () => {
    const url = await server.newDatabase();
    await (await openStore(url)).close();
    await run(url, FORMER);
    await run(url, EVERYTHING);
    await use(url);
  });
});
