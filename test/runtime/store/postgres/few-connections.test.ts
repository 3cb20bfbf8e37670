import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import type { Notice } from '../../../../templates/runtime/store/database';
import { PostgresListener } from '../../../../templates/runtime/store/postgres/events/listener';
import { PostgresServers } from '../../../../templates/runtime/store/postgres/servers/servers';
import type { Store } from '../../../../templates/runtime/store/store';
import { until } from '../../events/devices';
import { openStore } from '../open-store';
import { creation, KIND } from '../store-writes';
import {
  describeWithPostgres,
  describeWithStandby,
  type PostgresServer,
  postgresServer,
} from './postgres-server';

// A server that others use as well may have no connection left when a service needs more than it has.

const USER = `few_${process.pid}`;

describeWithPostgres('a user whose connections are limited', () => {
  let server: PostgresServer;
  let url: string;
  let store: Store | undefined;
  const onNotice = jest.fn<void, [Notice]>();

  beforeAll(async () => {
    server = await postgresServer();
    await server.run(`CREATE ROLE ${USER} LOGIN PASSWORD '${USER}'`);
    url = await server.newDatabase();
    await server.run(`ALTER DATABASE ${/\/(\w+)(?:\?|$)/.exec(url)![1]} OWNER TO ${USER}`);
  });

  beforeEach(() => void onNotice.mockClear());

  afterEach(async () => {
    await store?.close();
    await server.run(`ALTER ROLE ${USER} CONNECTION LIMIT -1`);
  });

  afterAll(async () => {
    const client = new Client(url);
    await client.connect();
    await client.query(
      `DROP OWNED BY ${USER} CASCADE; ALTER DATABASE ${client.database} OWNER TO CURRENT_USER`,
    );
    await client.end();
    await server.run(`DROP ROLE ${USER}`);
    await server.close();
  });

  const asUser = (from: string): string => from.replace(/\/\/([^@/]*)@/, `//${USER}:${USER}@`);

  /** Uses one connection for reads and one for writes, then takes all others away and uses them at once. */
  async function use(from: string, uid: string): Promise<void> {
    store = await openStore(asUser(from), { onNotice });
    await store.write(creation(uid));
    await store.get(KIND, uid);
    await server.run(`ALTER ROLE ${USER} CONNECTION LIMIT 0`);
    const many = Array.from({ length: 20 }, (_, n) => n);
    const reads = many.map(() => store!.get(KIND, uid));
    const writes = many.map((n) => store!.write(creation(`${uid}-${n}`)));
    const keyed = many.map((n) => store!.responses.find(`${uid} ${n}`));
    expect((await Promise.all(reads)).map((found) => found?.uid)).toEqual(many.map(() => uid));
    expect(await Promise.all(writes)).toEqual(many.map(() => 'done'));
    await Promise.all(keyed);
    for (const n of many) await store.write(creation(`${uid}-later-${n}`));
    expect(onNotice.mock.calls).toEqual([
      [expect.objectContaining({ level: 'warn', text: expect.stringContaining('no connection left') })],
    ]);
  }

  test('goes on with those that it has', () => use(url, 'dev-1'));

  describeWithStandby('and who has several servers', () => {
    test('goes on with those that it has', async () => {
      const standby = await server.startStandby();
      await use(standby.together(url), 'dev-2').finally(() => standby.close());
    });
  });

  test('is not asked for a connection for notifications all the time', async () => {
    await server.run(`ALTER ROLE ${USER} CONNECTION LIMIT 0`);
    const connect = jest.spyOn(PostgresServers.prototype, 'connect');
    const servers = new PostgresServers(asUser(url), {
      connectTimeoutMs: 60_000,
      responseTimeoutMs: 60_000,
    });
    const listener = new PostgresListener(servers, () => undefined);
    listener.listen(1);
    await setTimeout(500);
    expect(connect).toHaveBeenCalledTimes(1);
    await server.run(`ALTER ROLE ${USER} CONNECTION LIMIT -1`);
    await until(() => connect.mock.calls.length === 2);
    await listener.close();
    connect.mockRestore();
  });

  test('has no store where there is no connection at all', async () => {
    store = await openStore(asUser(url));
    await server.run(`ALTER ROLE ${USER} CONNECTION LIMIT 0`);
    await expect(store.get(KIND, 'dev-1')).rejects.toThrow(`too many connections for role "${USER}"`);
    await server.run(`ALTER ROLE ${USER} CONNECTION LIMIT -1`);
    expect(await store.get(KIND, 'dev-3')).toBeUndefined();
  });
});
