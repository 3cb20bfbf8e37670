import { Client } from 'pg';
import { openIndexedStore, openStore } from '../open-store';
import { creation, creationWithEvent, KIND } from '../store-writes';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

const EVERYTHING = 'CREATE PUBLICATION everything FOR ALL TABLES';

/** The tables of which PostgreSQL could not say which row was updated or deleted. */
const WITHOUT_IDENTITY = `SELECT relname FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
  AND relreplident <> 'f' AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary)`;

/** The tables of the release whose tables had no identity. */
const FORMER = `ALTER TABLE svcgen_schema REPLICA IDENTITY DEFAULT; ALTER TABLE event_mark REPLICA IDENTITY DEFAULT;
  ALTER TABLE probe REPLICA IDENTITY DEFAULT; UPDATE svcgen_schema SET version = 8`;

/** Lets all numbers begin anew, as on the subscriber of a publication. Another server has another number. */
const RESET = `SELECT setval(pg_get_serial_sequence(table_name, column_name), 1, false) FROM information_schema.columns
  WHERE table_schema = 'public' AND is_identity = 'YES';
  UPDATE timelines SET system = 'another'`;

const NONE = { fields: [], unique: [], references: [] };

/** Entries of an index that no other resource has. */
const ENTRIES = (uid: string) => ({ ...NONE, fields: [{ index: `spec.${uid}`, key: uid }] });

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

  test('a copy of it, whose rows are there and whose numbers begin anew', async () => {
    const url = await server.newDatabase();
    const kind = { kind: KIND, entries: { digest: '1', of: () => ({ index: NONE, tooLong: [] }) } };
    const indexed = async (uid: string): Promise<void> => {
      const store = await openIndexedStore(url);
      await store.indexes!.rebuild([kind]);
      const [index, version] = [ENTRIES(uid), uid];
      const event = { id: uid, type: 'io.svc.device.created', text: uid, kept: null };
      expect(await store.write(creation(uid, { index, version, event }))).toBe('done');
      expect(await store.write(creation(uid, { kind: `${KIND}-${uid}`, uid: `other-${uid}` }))).toBe('done');
      const letter = { consumer: 'c', attempts: 1, error: '', kind: KIND, text: uid, kept: null };
      await store.events!.bury({ ...letter, position: uid }, 10);
      expect(await store.events!.deadLetters(0, 10)).toContainEqual(expect.objectContaining({ text: uid }));
      await store.close();
    };
    for (const uid of ['dev-1', 'dev-2', 'dev-3']) await indexed(uid);
    await run(url, RESET);
    await indexed('dev-4');
  });
});
