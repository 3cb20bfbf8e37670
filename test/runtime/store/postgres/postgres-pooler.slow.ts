import { Client } from 'pg';
import { OLDEST } from '../../../../templates/runtime/store/events/event-log';
import type { Store } from '../../../../templates/runtime/store/store';
import { openStore } from '../open-store';
import { storeSuite } from '../store-suite';
import { creation, KIND, updateOf } from '../store-writes';
import { describeWithPooler, type Pooler, startPooler } from './pooler';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

let server: PostgresServer;
let pooler: Pooler;

describeWithPostgres('PostgreSQL', () => {
  describeWithPooler('behind PgBouncer in session mode', () => {
    beforeAll(async () => {
      server = await postgresServer();
      pooler = await startPooler(await server.newDatabase(), 'session');
    });

    afterAll(async () => {
      await pooler?.close();
      await server?.close();
    });

    storeSuite(
      'PostgreSQL behind PgBouncer',
      async () => {
        const url = pooler.through(await server.newDatabase());
        return { open: () => openStore(url), drop: async () => undefined };
      },
      true,
    );

    test('a store keeps its prepared statements, and hears of events in other processes', async () => {
      const url = pooler.through(await server.newDatabase());
      const onPooler = jest.fn<void, []>();
      const [store, other] = await Promise.all([
        openStore(url, { onNotice: onPooler }),
        openStore(url, { onNotice: onPooler }),
      ]);
      const direct = new Client(url);
      await direct.connect();
      try {
        // Polling would find the event after an hour.
        await new Promise<void>((resolve) => {
          store.events!.watch(() => {
            const newest = Promise.resolve(store.events!.newest());
            void newest.then((position) => position !== OLDEST && resolve());
          }, 3_600_000);
          const listening = `SELECT FROM pg_stat_activity
            WHERE query LIKE 'LISTEN%' AND state = 'idle' AND datname = current_database()`;
          const write = async (): Promise<void> => {
            while ((await direct.query(listening)).rowCount === 0);
            const event = { id: 'e-1', type: 'io.svc.device.created', text: 'a', kept: null };
            await other.write(creation('a', { event }));
          };
          void write();
        });
        expect(onPooler).not.toHaveBeenCalled();
      } finally {
        await Promise.all([store.close(), other.close(), direct.end()]);
      }
    });
  });

  describeWithPooler('behind PgBouncer in transaction mode', () => {
    beforeAll(async () => {
      server = await postgresServer();
      pooler = await startPooler(await server.newDatabase());
    });

    afterAll(async () => {
      await pooler?.close();
      await server?.close();
    });

    storeSuite(
      'PostgreSQL behind PgBouncer',
      async () => {
        const url = pooler.through(await server.newDatabase());
        return { open: () => openStore(url), drop: async () => undefined };
      },
      true,
    );

    describe('a store', () => {
      let direct: Client;
      let stores: Store[];
      let url: string;

      beforeEach(async () => {
        const database = await server.newDatabase();
        url = pooler.through(database);
        direct = new Client(database);
        await direct.connect();
        const name = new URL(database.replace('@/', '@localhost/')).pathname.slice(1);
        await direct.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
        stores = [];
      });

      afterEach(async () => {
        await Promise.all(stores.map((store) => store.close()));
        await direct.end();
      });

      async function open(options = {}): Promise<Store> {
        const store = await openStore(url, options);
        stores.push(store);
        return store;
      }

      test('has every write durable, in whichever session, and leaves the sessions as they were', async () => {
        const [store, other] = [await open(), await open()];
        await direct.query(`CREATE TABLE asked (setting text);
          CREATE FUNCTION ask() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN INSERT INTO asked VALUES (current_setting(''synchronous_commit'')); RETURN NULL; END';
          CREATE TRIGGER ask AFTER INSERT OR UPDATE ON resources FOR EACH ROW EXECUTE FUNCTION ask();
          CREATE TRIGGER ask AFTER UPDATE ON probe FOR EACH ROW EXECUTE FUNCTION ask()`);
        for (let round = 0; round < 10; round++) {
          const writing = [store, other].flatMap((each, number) =>
            ['a', 'b', 'c'].map((uid) => each.write(creation(`${uid}-${round}-${number}`))),
          );
          await Promise.all(writing);
          await store.write(updateOf((await other.get(KIND, `a-${round}-0`))!));
          await other.ready();
        }
        const { rows } = await direct.query(
          'SELECT setting, count(*)::int AS count FROM asked GROUP BY setting',
        );
        expect(rows).toEqual([{ setting: 'on', count: 80 }]);
        const session = new Client(url);
        await session.connect();
        const { rows: left } = await session.query('SHOW synchronous_commit');
        expect(left).toEqual([{ synchronous_commit: 'off' }]);
        await session.end();
      });

      test('notices the pooler once, and goes on without prepared statements', async () => {
        const onPooler = jest.fn<void, []>();
        const several = await Promise.all(Array.from({ length: 4 }, () => open({ onNotice: onPooler })));
        for (let round = 0; round < 20; round++) {
          await Promise.all(
            several.map(async (store, number) => {
              const uid = `dev-${round}-${number}`;
              expect(await store.write(creation(uid))).toBe('done');
              expect((await store.get(KIND, uid))?.uid).toBe(uid);
            }),
          );
        }
        expect(onPooler.mock.calls.length).toBeGreaterThan(0);
        expect(onPooler.mock.calls.length).toBeLessThanOrEqual(several.length);
      });
    });
  });
});
