import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import type { Notice } from '../../../../templates/runtime/store/database';
import { PositionGone, type ReadLimit } from '../../../../templates/runtime/store/events/event-log';
import type { Store } from '../../../../templates/runtime/store/store';
import { openStore } from '../open-store';
import { creation, creationWithEvent, KIND } from '../store-writes';
import { describeWithPooler, type Pooler, startPooler } from './pooler';
import { describeWithStandby, type PostgresServer, postgresServer, type Standby } from './postgres-server';

const ALL: ReadLimit = { events: 100, bytes: 1_000_000 };

describeWithStandby('PostgreSQL with a standby', () => {
  describeWithPooler('behind PgBouncer in transaction mode', () => {
    let primary: PostgresServer;
    let standby: Standby;
    let pooler: Pooler;
    let url: string;
    let store: Store;
    const onFailover = jest.fn<void, [Notice['facts']]>();

    // A primary that was replaced and is there again, and a pooler that names the promoted server.
    beforeEach(async () => {
      onFailover.mockClear();
      primary = await postgresServer();
      url = await primary.newDatabase();
      pooler = await startPooler(url);
      store = await openStore(pooler.through(url), { onNotice: ({ facts }) => facts && onFailover(facts) });
      await store.write(creationWithEvent('before'));
      standby = await primary.startStandby();
      await caughtUp();
      await primary.stop('crash');
      await standby.promote();
      await pointTo(standby.url, 2);
      await primary.start();
    });

    afterEach(async () => {
      await store?.close();
      await pooler?.close();
      await standby?.close();
      await primary?.close();
    });

    async function caughtUp(): Promise<void> {
      const client = new Client(standby.instead(url));
      await client.connect();
      while ((await client.query("SELECT FROM resources WHERE uid = 'before'")).rowCount === 0);
      await client.end();
    }

    /** Resolves once the pooler has changed over to a server of this timeline. */
    async function pointTo(server: string, timeline: number): Promise<void> {
      pooler.pointTo(server);
      const text = `SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)::int AS timeline`;
      for (let found = 0; found !== timeline; await setTimeout(20)) {
        const client = new Client(pooler.through(url));
        client.on('error', () => undefined);
        found = await client
          .connect()
          .then(() => client.query<{ timeline: number }>(text))
          .then(({ rows }) => rows[0].timeline)
          .catch(() => 0);
        await client.end().catch(() => undefined);
      }
    }

    test('the first write enters the promoted server, and is made there once', async () => {
      expect(await store.write(creation('after'))).toBe('done');
      expect(onFailover).toHaveBeenCalledTimes(1);
      expect(onFailover).toHaveBeenCalledWith(
        expect.objectContaining({ timeline: 2, before: 1, forgotten: 0 }),
      );
      const client = new Client(standby.instead(url));
      await client.connect();
      const { rows } = await client.query('SELECT uid FROM resources ORDER BY id');
      await client.end();
      expect(rows).toEqual([{ uid: 'before' }, { uid: 'after' }]);
    });

    test('a primary that was replaced is not written, and no longer read after that', async () => {
      await store.write(creation('after'));
      await pointTo(url, 1);
      await expect(store.write(creation('never'))).rejects.toThrow('it was replaced');
      await expect(store.get(KIND, 'before')).rejects.toThrow('it was replaced');
      await expect(store.ready()).rejects.toThrow('it was replaced');
      await pointTo(standby.url, 2);
      expect((await store.get(KIND, 'after'))?.uid).toBe('after');
      expect(await store.write(creation('again'))).toBe('done');
    });

    test('a position that a replaced primary does not have is not gone', async () => {
      await store.write(creationWithEvent('after'));
      const newest = await store.events!.newest();
      await pointTo(url, 1);
      await expect(Promise.resolve(store.events!.read(newest, ALL))).rejects.toThrow('it was replaced');
      await pointTo(standby.url, 2);
      expect(await store.events!.read(newest, ALL)).toEqual([]);
      await expect(Promise.resolve(store.events!.read('1-1', ALL))).rejects.toThrow(PositionGone);
    });
  });
});
