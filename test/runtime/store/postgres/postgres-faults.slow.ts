import { once } from 'node:events';
import { connect, createServer, type Server, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { PostgresConnections } from '../../../../templates/runtime/store/postgres/statements/connections';
import { StoreBusy } from '../../../../templates/runtime/store/retry-busy';
import {
  type Store,
  type StoredResource,
  StoreRefused,
  StoreUnavailable,
  type Write,
} from '../../../../templates/runtime/store/store';
import { begin, create, JSON_TYPE } from '../../support/client';
import { startProcess } from '../../support/service-process';
import { changedPart, deletedPart, found, newPart, PART } from '../indexing/parts';
import { openIndexedStore, openStore } from '../open-store';
import { ALL_SNAPSHOTS, creation, deletionOf, KIND, snapshot, updateOf } from '../store-writes';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

const ALL = { after: 0, limit: 100_000, selector: [] };

let server: PostgresServer;
let url: string;
let client: Client;
const stores: Store[] = [];

describeWithPostgres('faults of PostgreSQL', () => {
  beforeAll(async () => {
    server = await postgresServer();
  });

  afterAll(() => server?.close());

  beforeEach(async () => {
    url = await server.newSchema();
    client = new Client(url);
    client.on('error', () => undefined);
    await client.connect();
  });

  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await client.end();
  });

  async function open(options = {}, to = url): Promise<Store> {
    const store = await openStore(to, options);
    stores.push(store);
    return store;
  }

  const uids = async (store: Store): Promise<string[]> => (await store.list(KIND, ALL)).map(({ uid }) => uid);

  describe('a database that is refused, and stays as it is', () => {
    const tables = async (): Promise<unknown[]> =>
      (await client.query('SELECT tablename FROM pg_tables WHERE schemaname = current_schema ORDER BY 1'))
        .rows;

    test.each([
      ['of another application', 'CREATE TABLE events (id text)', /another application \(events\)/],
      [
        'of a newer service',
        'CREATE TABLE svcgen_schema AS SELECT 1000 AS version, 1000 AS writers',
        /newer version.*1000/s,
      ],
      [
        'without the schema that is named',
        `DO $$ BEGIN EXECUTE 'DROP SCHEMA ' || current_schema; END $$`,
        /no schema/,
      ],
    ])('%s', async (_, sql, message) => {
      await client.query(sql);
      const before = await tables();
      const refusal = openStore(url);
      await expect(refusal).rejects.toBeInstanceOf(StoreRefused);
      await expect(refusal).rejects.toThrow(message);
      expect(await tables()).toEqual(before);
    });

    test.each([
      ['no server', 'postgres://user:secret@127.0.0.1:1/db'],
      ['no such host', 'postgres://user:secret@host.invalid/db'],
    ])('%s: unavailable, without telling the password', async (_, elsewhere) => {
      const failure = openStore(elsewhere);
      await expect(failure).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(failure).rejects.not.toThrow(/secret/);
    });
  });

  test('commits are durable, whatever the database is set to', async () => {
    await client.query(
      `DO $$ BEGIN EXECUTE 'ALTER ROLE ' || current_user || ' SET synchronous_commit = off'; END $$`,
    );
    try {
      await (await open()).write(creation('dev-1'));
      const session = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'svcgen'`;
      expect((await client.query<{ count: number }>(session)).rows[0].count).toBeGreaterThan(0);
    } finally {
      await client.query(
        `DO $$ BEGIN EXECUTE 'ALTER ROLE ' || current_user || ' RESET synchronous_commit'; END $$`,
      );
    }
  });

  describe('connections that the server ends', () => {
    const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'svcgen' AND pid <> pg_backend_pid()`;

    test('are made anew: reads do not fail, writes go on', async () => {
      const store = await open();
      await store.write(creation('dev-0'));
      for (let n = 1; n <= 5; n++) {
        const reads = Array.from({ length: 20 }, () => store.get(KIND, 'dev-0'));
        await client.query(terminate);
        for (const read of await Promise.all(reads)) expect(read).toBeDefined();
        expect(await store.get(KIND, 'dev-0')).toBeDefined();
        const write = creation(`dev-${n}`);
        const result = await store.write(write).catch(() => store.write(write));
        expect(['done', 'conflict']).toContain(result);
      }
      expect(await uids(store)).toEqual(['dev-0', 'dev-1', 'dev-2', 'dev-3', 'dev-4', 'dev-5']);
    });

    test('while many write: what was acknowledged is there, what failed and was not unknown is not', async () => {
      const store = await open();
      const done: string[] = [];
      const failed: string[] = [];
      let running = true;
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; running; n++) {
          const uid = `dev-${writer}-${n}`;
          try {
            if ((await store.write(creation(uid))) === 'done') done.push(uid);
          } catch (error) {
            expect(error).toBeInstanceOf(StoreUnavailable);
            if (!(error as StoreUnavailable).outcomeUnknown) failed.push(uid);
          }
        }
      });
      for (let n = 0; n < 10 || done.length <= 50; n++) {
        const before = done.length;
        await setTimeout(30);
        while (done.length === before) await setTimeout(1);
        await client.query(terminate);
      }
      running = false;
      await Promise.all(writers);
      const present = new Set(await uids(store));
      expect(done.filter((uid) => !present.has(uid))).toEqual([]);
      expect(failed.filter((uid) => present.has(uid))).toEqual([]);
    });
  });

  describe('a server that is down', () => {
    test.each(['restart', 'crash'] as const)(
      '%s: unavailable meanwhile, and back without a restart of ours',
      async (how) => {
        const store = await open();
        await store.write(creation('dev-1'));
        if (!(await server.stop(how))) return console.warn('skipped: the server is not ours to stop');
        await expect(store.get(KIND, 'dev-1')).rejects.toBeInstanceOf(StoreUnavailable);
        // A connection whose end has not arrived yet still takes a write, whose outcome is unknown then.
        let failure: unknown;
        do {
          failure = await store.write(creation('dev-2')).catch((error: unknown) => error);
          expect(failure).toBeInstanceOf(StoreUnavailable);
        } while ((failure as StoreUnavailable).outcomeUnknown);
        await expect(store.ready()).rejects.toBeInstanceOf(StoreUnavailable);
        await server.start();
        await store.ready();
        expect(await store.write(creation('dev-3'))).toBe('done');
        expect(await uids(store)).toEqual(['dev-1', 'dev-3']);
      },
    );
  });

  describe('a server that does not respond', () => {
    let proxy: Proxy;

    beforeEach(async () => {
      proxy = await startProxy(url);
    });

    afterEach(() => proxy.close());

    test('a write whose response is lost: the outcome is unknown', async () => {
      const store = await open({}, proxy.url);
      await store.write(creation('dev-1'));
      proxy.hold();
      const write = store.write(creation('dev-2'));
      const direct = await open();
      while ((await direct.get(KIND, 'dev-2')) === undefined) await setTimeout(5);
      proxy.cut();
      await expect(write).rejects.toMatchObject({ name: 'StoreUnavailable', outcomeUnknown: true });
      expect(await store.write(creation('dev-2'))).toBe('conflict');
    });

    test('since the network lost the end of a write: it ends that transaction, which others would wait for', async () => {
      // Hosted servers have a limit of a day.
      const to = new URL(proxy.url);
      const { searchParams } = to;
      searchParams.set('options', `${searchParams.get('options')} -c idle_in_transaction_session_timeout=1d`);
      const store = await open({ responseTimeoutMs: 2_000 }, to.href);
      await store.write(creation('dev-1'));
      proxy.loseFrom('COMMIT\0');
      await expect(store.write(creation('dev-2'))).rejects.toMatchObject({ outcomeUnknown: true });
      const direct = await open();
      const event = { id: 'e', type: 't', text: '{}', kept: null };
      expect(await direct.write(creation('dev-2', { event }))).toBe('done');
      while ((await direct.events!.read('0', { events: 1, bytes: 1 })).length === 0) await setTimeout(5);
    });

    test('while the process is suspended: the system has the whole write, in one piece', async () => {
      const store = await open();
      const pieces: string[] = [];
      const writev = Socket.prototype._writev!;
      const spy = jest.spyOn(Socket.prototype, '_writev');
      spy.mockImplementation(function (this: Socket, chunks, callback) {
        pieces.push(chunks.map(({ chunk }) => String(chunk)).join(''));
        Reflect.apply(writev, this, [chunks, callback]);
      });
      await store.write(creation('dev-1'));
      spy.mockRestore();
      expect(pieces).toContainEqual(expect.stringMatching(/^Q.*BEGIN.*create-.*COMMIT\0$/s));
    });

    test('is given up after a while', async () => {
      const store = await open({ responseTimeoutMs: 2_000, connectTimeoutMs: 2_000 }, proxy.url);
      await store.write(creation('dev-1'));
      proxy.hold();
      await expect(store.get(KIND, 'dev-1')).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(store.write(creation('dev-2'))).rejects.toBeInstanceOf(StoreUnavailable);
      proxy.release();
      expect(await store.get(KIND, 'dev-1')).toBeDefined();
    });

    test('is given up as soon where it falls silent while connections are opened', async () => {
      const responseTimeoutMs = 3_000;
      const store = await open({ responseTimeoutMs, readConnections: 12 }, proxy.url);
      await store.write(creation('dev-1'));
      // A server is asked for the last transactions before a new connection to it is used.
      proxy.holdAt('pg_xact_status');
      const start = performance.now();
      const reads = Array.from({ length: 12 }, () => store.get(KIND, 'dev-1'));
      for (const read of await Promise.allSettled(reads)) expect(read.status).toBe('rejected');
      // One after the other, twelve connections take twelve times as long.
      expect(performance.now() - start).toBeLessThan(6 * responseTimeoutMs);
      proxy.release();
      expect(await store.get(KIND, 'dev-1')).toBeDefined();
    });
  });

  // The server's processes have to be on this machine.
  (process.env['TEST_POSTGRES_URL'] === undefined ? describe : describe.skip)(
    'a server that stands still',
    () => {
      let stopped: number[] = [];

      /** Has every connection of a store open and withoutResponse. */
      async function standStill(): Promise<void> {
        const ours = `SELECT pid FROM pg_stat_activity WHERE application_name = 'svcgen'`;
        stopped = (await client.query<{ pid: number }>(ours)).rows.map(({ pid }) => pid);
        for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      }

      afterEach(() => stopped.forEach((pid) => process.kill(pid, 'SIGCONT')));

      test('does not keep a store from closing', async () => {
        const store = await openStore(url);
        await store.write(creation('dev-1'));
        const listening = new Promise<void>((resolve) => store.events!.watch(resolve, 60_000));
        await store.write(creation('dev-2', { event: { id: 'e', type: 't', text: '{}', kept: null } }));
        await listening;
        await standStill();
        await store.close();
        expect(stopped.length).toBeGreaterThan(2);
      });

      test('does not keep a service from stopping', async () => {
        const service = await startProcess({ DATABASE_URL: url, SHUTDOWN_TIMEOUT_MS: '200' });
        await create(service.port, '/books', { title: 'a', author: 'b' });
        await standStill();
        const body = { spec: { title: 'a', author: 'b' } };
        const { arrived, response } = begin(service.port, 'POST', '/books', { headers: JSON_TYPE, body });
        const broken = expect(response).rejects.toMatchObject({ code: 'ECONNRESET' });
        await arrived;
        service.child.kill('SIGTERM');
        expect(await service.ended).toBe(0);
        await broken;
        const [, begun, ended] = service.log as { msg: string; time: string }[];
        expect([begun.msg, ended.msg]).toEqual(['stopping', 'stopped']);
        // PostgreSQL would have 15 s to respond.
        expect(Date.parse(ended.time) - Date.parse(begun.time)).toBeLessThan(10_000);
      });
    },
  );

  describe('locks of others', () => {
    beforeEach(async () => {
      await (await open()).write(creation('dev-1'));
      await client.query('BEGIN; LOCK TABLE resources IN EXCLUSIVE MODE');
    });

    test('let reads go on, and writes wait until they are released', async () => {
      const store = await open({ busyTimeoutMs: 60_000, responseTimeoutMs: 60_000 });
      let settled = false;
      const write = store.write(creation('dev-2')).finally(() => (settled = true));
      for (let n = 0; n < 20; n++) expect(await store.get(KIND, 'dev-1')).toBeDefined();
      expect(settled).toBe(false);
      await client.query('COMMIT');
      expect(await write).toBe('done');
    });

    test('make writes fail when they are held too long; they are not made later', async () => {
      const store = await open({ busyTimeoutMs: 100 });
      await expect(store.write(creation('dev-2'))).rejects.toMatchObject({
        name: 'StoreBusy',
        outcomeUnknown: false,
      });
      await client.query('COMMIT');
      expect(await store.write(creation('dev-3'))).toBe('done');
      expect(await uids(store)).toEqual(['dev-1', 'dev-3']);
    });
  });

  describe('a row that another transaction has locked', () => {
    let store: Store;
    const row = async (uid: string): Promise<StoredResource> => (await store.get(KIND, uid))!;

    beforeEach(async () => {
      store = await open({ busyTimeoutMs: 3_600_000 });
      await Promise.all(['locked', 'free', 'other'].map((uid) => store.write(creation(uid))));
      await client.query("BEGIN; SELECT FROM resources WHERE uid = 'locked' FOR UPDATE");
    });

    test.each<[string, (row: StoredResource) => Write]>([
      ['an update', updateOf],
      ['a deletion', deletionOf],
    ])('holds up %s of it, and no other write', async (_, writeOf) => {
      let settled = false;
      const waiting = store.write(writeOf(await row('locked'))).finally(() => (settled = true));
      for (let n = 0; n < 20; n++) {
        expect(await store.write(updateOf(await row('free')))).toBe('done');
        expect(await store.write(creation(`dev-${n}`))).toBe('done');
        expect(await store.write(deletionOf(await row(`dev-${n}`)))).toBe('done');
      }
      expect(settled).toBe(false);
      await client.query('COMMIT');
      expect(await waiting).toBe('done');
    });

    test('is written with others of one batch, when it is free', async () => {
      const batch = ['locked', 'free', 'other'].map(async (uid) => store.write(updateOf(await row(uid))));
      expect(await Promise.all(batch.slice(1))).toEqual(['done', 'done']);
      await client.query('COMMIT');
      expect(await batch[0]).toBe('done');
      expect((await row('locked')).revision).toBe(2);
    });

    test('does not deny what its batch has written, where the server is lost after that', async () => {
      const rows = await Promise.all(['locked', 'free'].map(row));
      const look = jest.spyOn(PostgresConnections.prototype, 'read');
      look.mockRejectedValueOnce(new StoreUnavailable('lost'));
      const [locked, free] = rows.map((each) => store.write(updateOf(each)));
      expect(await free).toBe('done');
      look.mockRestore();
      await client.query('COMMIT');
      expect(await locked).toBe('done');
    });

    test('and changed: the write is in conflict', async () => {
      const waiting = store.write(updateOf(await row('locked')));
      expect(await store.write(updateOf(await row('free')))).toBe('done');
      await client.query("UPDATE resources SET revision = revision + 1 WHERE uid = 'locked'; COMMIT");
      expect(await waiting).toBe('conflict');
    });

    test('for too long: the write fails, and is not made later', async () => {
      const impatient = await open({ busyTimeoutMs: 100 });
      const refusal = { name: 'StoreBusy', outcomeUnknown: false };
      await expect(impatient.write(updateOf(await row('locked')))).rejects.toMatchObject(refusal);
      await client.query('COMMIT');
      expect((await row('locked')).revision).toBe(1);
    });

    test('does not keep a store from closing', async () => {
      const closing = await openStore(url, { busyTimeoutMs: 3_600_000 });
      const refusal = expect(closing.write(updateOf(await row('locked')))).rejects.toBeInstanceOf(StoreBusy);
      await closing.close();
      await refusal;
    });
  });

  test('a database that takes no writes: reads go on, writes say why and resume', async () => {
    const store = await open();
    await store.write(creation('dev-1'));
    await client.query(
      `DO $$ BEGIN EXECUTE 'ALTER ROLE ' || current_user || ' SET default_transaction_read_only = on'; END $$`,
    );
    try {
      const stopped = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svcgen'`;
      await client.query(stopped);
      await expect(openStore(url)).rejects.toBeInstanceOf(StoreRefused);
      expect(await store.get(KIND, 'dev-1')).toBeDefined();
      const refusal = { message: expect.stringContaining('read-only') as string, outcomeUnknown: false };
      const attempt = (): Promise<unknown> => store.write(creation('dev-2')).catch((error: unknown) => error);
      let failure = await attempt();
      // The first attempt may find that its connection was ended.
      if (!String(failure).includes('read-only')) failure = await attempt();
      expect(failure).toMatchObject(refusal);
      expect(failure).toBeInstanceOf(StoreUnavailable);
      await expect(store.ready()).rejects.toBeInstanceOf(StoreUnavailable);
    } finally {
      await client.query(
        `SET default_transaction_read_only = off;
       DO $$ BEGIN EXECUTE 'ALTER ROLE ' || current_user || ' RESET default_transaction_read_only'; END $$`,
      );
    }
    expect(await uids(store)).toEqual(['dev-1']);
    for (let attempt = 0; attempt < 3; attempt++) await store.ready().catch(() => undefined);
    expect(await store.write(creation('dev-2'))).toBe('done');
  });

  test('a time-out for statements fails a write that waits longer, and no later one', async () => {
    const role = (change: string): Promise<unknown> =>
      client.query(`DO $$ BEGIN EXECUTE 'ALTER ROLE ' || current_user || ' ${change}'; END $$`);
    const store = await open();
    await store.write(creation('dev-1'));
    // Shorter than the service's own time-out for locks.
    await role('SET statement_timeout = 20');
    try {
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svcgen'`,
      );
      await client.query('BEGIN; LOCK TABLE resources IN EXCLUSIVE MODE');
      const attempt = (): Promise<unknown> => store.write(creation('dev-2')).catch((error: unknown) => error);
      let failure = await attempt();
      // The first attempt may find that its connection was ended.
      if (!String(failure).includes('statement timeout')) failure = await attempt();
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect(failure).toMatchObject({
        message: expect.stringContaining('statement timeout') as string,
        outcomeUnknown: false,
      });
    } finally {
      await client.query('COMMIT');
      await role('RESET statement_timeout');
    }
    const later = await open();
    expect(await uids(later)).toEqual(['dev-1']);
    expect(await later.write(creation('dev-2'))).toBe('done');
  });

  describe('a transaction of which the server cancels', () => {
    const { query } = Client.prototype;
    const CANCEL = 'SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(60)';

    /** Cancels a statement before it has done anything, as an operator or a time-out may. */
    const cancelled = async (write: () => Promise<unknown>, statement = 'BEGIN'): Promise<void> => {
      const spy = jest.spyOn(Client.prototype, 'query').mockImplementation(function (
        this: Client,
        ...[first, ...rest]: unknown[]
      ) {
        const sent = typeof first === 'string' && first.startsWith(statement) ? CANCEL : first;
        return query.apply(this, [sent, ...rest] as never);
      });
      try {
        await expect(write()).rejects.toMatchObject({
          message: expect.stringContaining('user request') as string,
          outcomeUnknown: false,
        });
      } finally {
        spy.mockRestore();
      }
    };

    test('the BEGIN: the write fails, and is not made', async () => {
      const store = await open();
      await store.write(creation('dev-1', { snapshot: snapshot('1') }));
      const stored = (await store.get(KIND, 'dev-1'))!;
      await cancelled(() => store.write(creation('dev-2')));
      await cancelled(() => store.write(updateOf(stored)));
      await cancelled(() => store.write(deletionOf(stored)));
      await cancelled(() => store.snapshots!.delete({ kind: KIND, uid: 'dev-1', versionId: '1' }));
      expect(await store.list(KIND, ALL)).toEqual([stored]);
      expect(await store.snapshots!.list(KIND, 'dev-1', ALL_SNAPSHOTS)).toHaveLength(1);
      expect(await store.write(deletionOf(stored))).toBe('done');
    });

    test('the BEGIN: a write of resources with entries fails, and is not made', async () => {
      const store = await openIndexedStore(url);
      stores.push(store);
      await store.write(newPart('par-1', { name: 'a' }));
      await store.write(newPart('par-2', { name: 'b', related: ['a'] }));
      const [one, two] = [await found(store, 'par-1'), await found(store, 'par-2')];
      const all = { action: 'all' as const, writes: [deletedPart(one), deletedPart(two)] };
      await cancelled(() => store.write(newPart('par-3', { name: 'c' })));
      await cancelled(() => store.write(changedPart(two, { name: 'b' })));
      await cancelled(() => store.write(deletedPart(two)));
      await cancelled(() => store.write(all));
      await cancelled(() => store.judge(all));
      expect(await store.list(PART, ALL)).toEqual([one, two]);
      expect(await store.write(deletedPart(one))).toMatchObject({ isReferred: true });
      expect(await store.write(all)).toBe('done');
    });

    test('the COMMIT: the write fails, and no later one', async () => {
      const store = await open();
      await store.write(creation('dev-1'));
      await cancelled(() => store.write(creation('dev-2')), 'COMMIT');
      for (const uid of ['dev-3', 'dev-4', 'dev-5']) expect(await store.write(creation(uid))).toBe('done');
      expect(await uids(store)).toEqual(['dev-1', 'dev-3', 'dev-4', 'dev-5']);
    });
  });

  describe('several processes', () => {
    test.each(['read committed', 'serializable'])(
      'lose no write with the isolation level %s',
      async (level) => {
        await client.query(
          `DO $$ BEGIN EXECUTE 'ALTER ROLE ' || current_user || ' SET default_transaction_isolation = ''${level}'''; END $$`,
        );
        try {
          const both = [await open(), await open()];
          const names = Array.from({ length: 20 }, (_, n) => `dev-${n}`);
          await Promise.all(names.map((uid) => both[0].write(creation(uid, { text: '0' }))));
          const increment = async (store: Store, uid: string): Promise<void> => {
            for (;;) {
              const current = await store.get(KIND, uid);
              const text = String(Number(current!.text) + 1);
              if ((await store.write(updateOf(current!, { text }))) === 'done') return;
            }
          };
          const orders = both.flatMap((store) =>
            [names, names.toReversed()].map((order) => ({ store, order })),
          );
          await Promise.all(
            orders.map(async ({ store, order }) => {
              for (let n = 0; n < 5; n++) await Promise.all(order.map((uid) => increment(store, uid)));
            }),
          );
          expect((await both[0].list(KIND, ALL)).map(({ text, revision }) => [text, revision])).toEqual(
            names.map(() => ['20', 21]),
          );
        } finally {
          await client.query(
            `DO $$ BEGIN EXECUTE 'ALTER ROLE ' || current_user || ' RESET default_transaction_isolation'; END $$`,
          );
        }
      },
    );

    test('of which one deletes while another updates: one does', async () => {
      const [first, second] = [await open(), await open()];
      for (let n = 0; n < 50; n++) {
        const uid = `dev-${n}`;
        await first.write(creation(uid));
        const current = (await first.get(KIND, uid))!;
        const snapshot = { versionId: '1', version: 'v1', text: '{}', kept: null };
        const results = await Promise.all([
          first.write(deletionOf(current)),
          second.write(updateOf(current, { snapshot })),
        ]);
        expect(results.toSorted()).toEqual(['conflict', 'done']);
        const orphans = 'SELECT FROM snapshots WHERE resource NOT IN (SELECT id FROM resources)';
        expect((await client.query(orphans)).rowCount).toBe(0);
      }
    });
  });
});

/** Stands between a store and the server, and can withhold what the server says. */
interface Proxy {
  url: string;
  hold(): void;
  /** Holds the responses of each connection from a query on that has the text. */
  holdAt(text: string): void;
  /** Loses what each connection sends from a string on, and that it is closed: its server hears no more of it. */
  loseFrom(text: string): void;
  release(): void;
  /** Ends all connections; new ones are let through. */
  cut(): void;
  close(): void;
}

async function startProxy(target: string): Promise<Proxy> {
  const { searchParams, hostname, port } = new URL(target.replace('@/', '@localhost/'));
  const host = searchParams.get('host') ?? hostname;
  const upstream = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.5432` }
    : { host, port: Number(port || 5432) };
  const sockets = new Set<Socket>();
  let held = false;
  let heldAt: string | undefined;
  let lostFrom: string | undefined;
  const proxy: Server = createServer((near) => {
    const far = connect(upstream as { path: string });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => [near, far].forEach((each) => each.destroy()));
    }
    near.on('data', (sent) => {
      const end = lostFrom === undefined ? -1 : sent.indexOf(lostFrom);
      far.write(end < 0 ? sent : sent.subarray(0, end));
      if (end >= 0) near.removeAllListeners().on('error', () => undefined);
    });
    far.pipe(near);
    if (held) far.unpipe(near);
    near.on('data', (sent) => {
      if (heldAt !== undefined && sent.includes(heldAt)) far.unpipe(near);
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port: nearPort } = proxy.address() as { port: number };
  const near = new URL(target.replace('@/', '@localhost/'));
  near.searchParams.delete('host');
  near.host = `127.0.0.1:${nearPort}`;
  const halves = (): Socket[] => [...sockets].filter((_, index) => index % 2 === 1);
  const nears = (): Socket[] => [...sockets].filter((_, index) => index % 2 === 0);
  return {
    url: near.href,
    hold() {
      held = true;
      halves().forEach((far, index) => far.unpipe(nears()[index]));
    },
    holdAt: (text) => void (heldAt = text),
    loseFrom: (text) => void (lostFrom = text),
    release() {
      held = false;
      heldAt = undefined;
      for (const socket of sockets) socket.destroy();
    },
    cut() {
      held = false;
      for (const socket of sockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
