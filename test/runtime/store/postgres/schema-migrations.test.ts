import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';
import type { Resource } from '../../../../templates/runtime/model/resource';
import type { Store } from '../../../../templates/runtime/store/store';
import { create, send } from '../../support/client';
import { startService, type TestService } from '../../support/harness';
import { testProject } from '../../support/projects';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

// A newer release migrates the schema of a PostgreSQL database while a process of an older one writes: first it expands what
// there is, so that the older one may go on, and contracts it in a later release.

/** Opens a store as a release would that has one migration more. */
async function openNewer(
  url: string,
  migration: { sql: string; isExpansion?: true },
  limits: { busyTimeoutMs?: number } = {},
): Promise<Store> {
  let newer: Store | undefined;
  await jest.isolateModulesAsync(async () => {
    const { MIGRATIONS } = await import('../../../../templates/runtime/store/postgres/schema/migrations');
    (MIGRATIONS as object[]).push(migration);
    const { openStore } = await import('../open-store');
    // Here, since it loads modules as well.
    newer = await openStore(url, limits);
  });
  return newer!;
}

const DEVICE = { name: 'a', location: 'b' };
const EXPANSION = 'ALTER TABLE resources ADD COLUMN later text; CREATE TABLE later (id bigint PRIMARY KEY)';
const CONTRACTION = 'DROP TABLE probe; CREATE TABLE probe (written bigint NOT NULL)';

describeWithPostgres('a migration of the schema', () => {
  let server: PostgresServer;
  let url: string;
  let older: TestService;
  const open: { close(): Promise<void> }[] = [];
  beforeAll(async () => (server = await postgresServer()));
  afterAll(() => server.close());
  beforeEach(async () => {
    url = await server.newSchema();
    older = await start();
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });

  async function start(): Promise<TestService> {
    const service = await startService(testProject(), { environment: { DATABASE_URL: url } });
    open.push(service);
    return service;
  }

  /** Writes with eight clients while `action` runs, and some time longer; returns the uids and the statuses of the responses. */
  async function writeDuring(action: () => Promise<void>): Promise<{ uids: string[]; statuses: number[] }> {
    const uids: string[] = [];
    const statuses: number[] = [];
    let ends = false;
    const write = async (): Promise<void> => {
      while (!ends) {
        const headers = { 'Content-Type': 'application/json' };
        const { status, text } = await send(older.port, 'POST', '/devices', {
          headers,
          body: { spec: DEVICE },
        });
        statuses.push(status);
        if (status === 201) uids.push((JSON.parse(text) as Resource).metadata.uid);
      }
    };
    const writers = Array.from({ length: 8 }, write);
    const until = async (count: number): Promise<void> => {
      while (statuses.length < count) await setImmediate();
    };
    await until(50);
    await action();
    await until(statuses.length + 50);
    ends = true;
    await Promise.all(writers);
    return { uids, statuses };
  }

  async function storedUids(store: Store): Promise<string[]> {
    const rows = await store.list('example.svc.dev/Device', { after: 0, limit: 100_000, selector: [] });
    return rows.map(({ uid }) => uid);
  }

  /** Returns whether the table of the newer release is there. */
  async function hasLater(): Promise<boolean> {
    const client = new Client(url);
    await client.connect();
    const { rows } = await client.query<{ later: string | null }>(
      "SELECT to_regclass('later')::text AS later",
    );
    await client.end();
    return rows[0].later !== null;
  }

  test('that expands it: the older process goes on, and may start again', async () => {
    let newer: Store | undefined;
    const { uids, statuses } = await writeDuring(async () => {
      newer = await openNewer(url, { sql: EXPANSION, isExpansion: true });
      open.push(newer);
    });
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(await hasLater()).toBe(true);
    expect((await storedUids(newer!)).toSorted()).toEqual(uids.toSorted());
    const again = await start();
    await create(again.port, '/devices', DEVICE);
    expect(await storedUids(newer!)).toHaveLength(uids.length + 1);
  });

  test('that contracts it: the older process refuses writes, and does not start again', async () => {
    let newer: Store | undefined;
    const { uids, statuses } = await writeDuring(async () => {
      newer = await openNewer(url, { sql: CONTRACTION });
      open.push(newer);
    });
    expect(new Set(statuses)).toEqual(new Set([201, 503]));
    expect(statuses.at(-1)).toBe(503);
    expect((await storedUids(newer!)).toSorted()).toEqual(uids.toSorted());
    await expect(start()).rejects.toThrow('newer version of this service');
  });

  test('that a backup keeps waiting: the older process goes on, and it is made later', async () => {
    const backup = new Client(url);
    await backup.connect();
    await backup.query('BEGIN; SELECT count(*) FROM resources');
    const migration = { sql: EXPANSION, isExpansion: true } as const;
    const { statuses } = await writeDuring(async () => {
      const newer = openNewer(url, migration, { busyTimeoutMs: 1_000 });
      await expect(newer).rejects.toThrow(
        'other transactions hold locks of its tables, such as those of a backup',
      );
    });
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(await send(older.port, 'GET', '/devices')).toMatchObject({ status: 200 });
    expect(await hasLater()).toBe(false);

    const opening = openNewer(url, migration, { busyTimeoutMs: 3_600_000 });
    await create(older.port, '/devices', DEVICE);
    await backup.query('COMMIT');
    open.push(await opening);
    expect(await hasLater()).toBe(true);
    await backup.end();
  });

  test('that fails leaves the database as it was', async () => {
    await expect(openNewer(url, { sql: `${EXPANSION}; SELECT 1 / 0` })).rejects.toThrow();
    await create(older.port, '/devices', DEVICE);
    expect(await hasLater()).toBe(false);
  });
});
