import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Client } from 'pg';
import type { Notice } from '../../../../templates/runtime/store/database';
import { until } from '../../events/devices';
import { type ForeignServer, startForeignServer } from '../../support/foreign-server';
import { inspectStore, openStore } from '../open-store';
import { creation, creationWithEvent } from '../store-writes';
import {
  describeWithPostgres,
  describeWithStandby,
  type PostgresServer,
  postgresServer,
} from './postgres-server';

/** Returns the refusals of a start and of an inspection, which doctor runs. */
async function refusals(url: string): Promise<string[]> {
  const attempts = [openStore(url).then((store) => store.close()), inspectStore(url, async () => undefined)];
  return (await Promise.allSettled(attempts)).map((attempt) =>
    attempt.status === 'rejected' ? String(attempt.reason) : 'accepted',
  );
}

const nameOf = (url: string): string => /\/(\w+)(?:\?|$)/.exec(url)![1];

// A server of the test responds as they do: only PGlite could run here.
describe('a server that responds like', () => {
  const PROMISES = `which speaks PostgreSQL's protocol without all of its promises; name PostgreSQL 13 or newer`;

  let server: ForeignServer;
  afterEach(() => server.close());

  test.each([
    ['CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built 2023/09/27 01:53:43, go1.19.10)', 'CockroachDB'],
    ['PostgreSQL 11.2-YB-2.18.0.1-b0 on x86_64-pc-linux-gnu, compiled by clang version 15.0.3', 'YugabyteDB'],
    ['PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 17.0.6', 'YugabyteDB'],
    ['PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0.12103', 'Amazon Redshift'],
    [
      'PostgreSQL 18.6 (PGlite 0.5.14) on wasm32-unknown-emscripten, compiled by emcc (Emscripten) 6.0.5, 32-bit',
      'PGlite',
    ],
    ['NewerSQL 1.0', '“NewerSQL 1.0”'],
  ])('%s', async (version, name) => {
    server = await startForeignServer(() => ({ version }));
    const refusal = `StoreRefused: DATABASE_URL names ${name}, ${PROMISES}`;
    expect(await refusals(server.url)).toEqual([refusal, refusal]);
  });

  test('PostgreSQL 12', async () => {
    server = await startForeignServer((sql): { [column: string]: string } =>
      sql.includes('version()')
        ? { version: 'PostgreSQL 12.22 (Debian 12.22-1.pgdg120+1) on x86_64-pc-linux-gnu, compiled by gcc' }
        : { number: '120022', name: '12.22 (Debian 12.22-1.pgdg120+1)', encoding: 'UTF8', schema: 'public' },
    );
    const refusal =
      'StoreRefused: PostgreSQL 12.22 (Debian 12.22-1.pgdg120+1) is too old; 13 is the oldest that works';
    expect(await refusals(server.url)).toEqual([refusal, refusal]);
  });
});

test('a server that demands an authentication that pg does not have ends no process', async () => {
  const GSSAPI = Buffer.from('R\0\0\0\b\0\0\0\u0007');
  const server = createServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.write(GSSAPI)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const found = await refusals(`postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/shop`);
  server.close();
  expect(found).toEqual([1, 2].map(() => expect.stringContaining('Unknown authenticationOk message type 7')));
});

describeWithPostgres('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  test('read-only for the database', async () => {
    const url = await server.newDatabase();
    const client = new Client(url);
    await client.connect();
    await client.query(
      `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET default_transaction_read_only = on'; END $$`,
    );
    await client.end();
    const refusal =
      'StoreRefused: the server is read-only for this user; turn default_transaction_read_only off for the user, the ' +
      'database or the server';
    expect(await refusals(url)).toEqual([refusal, refusal]);
  });

  test.each([
    ['array_nulls', 'off', 'on'],
    ['gin_fuzzy_search_limit', '100', '0'],
    ['session_replication_role', 'replica', 'origin'],
  ])('with the setting %s', async (setting, value, needed) => {
    const url = await server.newDatabase();
    await server.run(`ALTER DATABASE ${nameOf(url)} SET ${setting} = ${value}`);
    const refusal =
      `StoreRefused: the setting ${setting} of the server is ${value}, with which the service would not work; set it to ` +
      `${needed} for the user, the database or the server`;
    expect(await refusals(url)).toEqual([refusal, refusal]);
  });

  describe('a user', () => {
    const [user, owner] = [`limited_${process.pid}`, `owner_${process.pid}`];
    let url: string;

    async function run<Row extends object>(sql: string): Promise<Row[]> {
      const client = new Client(url);
      await client.connect();
      const { rows } = await client.query<Row>(sql).finally(() => client.end());
      return rows;
    }

    const as = (role: string): string =>
      `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c role=${role}`)}`;

    beforeEach(async () => {
      url = await server.newDatabase();
      await run(`CREATE ROLE ${user}; CREATE ROLE ${owner}; REVOKE ALL ON SCHEMA public FROM PUBLIC;
        GRANT USAGE ON SCHEMA public TO ${user}; GRANT ALL ON SCHEMA public TO ${owner}`);
    });

    afterEach(async () => void (await run(`DROP OWNED BY ${user}, ${owner}; DROP ROLE ${user}, ${owner}`)));

    test('who may not use the schema', async () => {
      await run(`REVOKE USAGE ON SCHEMA public FROM ${user}`);
      const refusal =
        'StoreRefused: the search path has no schema that exists and that the user may use; create one, or change the search path';
      expect(await refusals(as(user))).toEqual([refusal, refusal]);
    });

    test('who may not create the tables', async () => {
      const refusal =
        `StoreRefused: the user ${user} may not create tables in the schema public: GRANT CREATE ON SCHEMA public TO ${user}, ` +
        'or name a schema of the user with ?options=-c%20search_path%3D<schema>';
      expect(await refusals(as(user))).toEqual([refusal, refusal]);
    });

    test('who may not use all tables of another, and then may', async () => {
      await (await openStore(as(owner))).close();
      await run(
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${user}; REVOKE INSERT, UPDATE ON events, refs FROM ${user}`,
      );
      const refusal =
        `StoreRefused: the user ${user} lacks privileges in the schema public, whose tables belong to ${owner}: INSERT, UPDATE ` +
        `on events; INSERT, UPDATE on refs; UPDATE on the sequence public.events_position_seq. Let ${owner} grant them`;
      expect(await refusals(as(user))).toEqual([refusal, refusal]);
      await run(
        `GRANT ALL ON events, refs TO ${user}; GRANT USAGE, UPDATE ON ALL SEQUENCES IN SCHEMA public TO ${user}`,
      );
      const store = await openStore(as(user));
      expect(await store.write(creationWithEvent('dev-1'))).toBe('done');
      await store.close();
    });

    test('who may use no table is told of every table that the migrations make', async () => {
      await (await openStore(as(owner))).close();
      const tables = await run<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
      );
      const [refusal] = await refusals(as(user));
      const named = [...refusal.matchAll(/ on (\w+)(?=[;.])/g)].map(([, name]) => name);
      expect(named.toSorted()).toEqual(tables.map(({ name }) => name));
    });

    test('who may not change the tables of an older release', async () => {
      await (await openStore(as(owner))).close();
      await run(
        `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${user}; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${user};
         UPDATE svcgen_schema SET version = version - 1`,
      );
      const refusal =
        `StoreRefused: the tables are of an older version of this service, and the user ${user} may not change them, since ` +
        `they belong to ${owner}. Start this version once with a DATABASE_URL of ${owner}`;
      expect(await refusals(as(user))).toEqual([refusal, refusal]);
    });
  });

  describeWithStandby('a standby', () => {
    test('is refused until it is promoted', async () => {
      const standby = await server.startStandby();
      try {
        const refusal =
          'StoreRefused: DATABASE_URL names a standby, which cannot be written; name the primary, or promote this server';
        expect(await refusals(standby.url)).toEqual([refusal, refusal]);
        await standby.promote();
        expect((await refusals(standby.url))[0]).toBe('accepted');
      } finally {
        await standby.close();
      }
    });

    test('is passed over while it is one of several hosts; of two primaries, the promoted one is used', async () => {
      const url = await server.newDatabase();
      const standby = await server.startStandby();
      const onFailover = jest.fn<void, [Notice]>();
      const onServer = async (server: string): Promise<string[]> => {
        const client = new Client(server);
        await client.connect();
        const query = client.query<{ uid: string }>('SELECT uid FROM resources ORDER BY uid');
        return (await query.finally(() => client.end())).rows.map(({ uid }) => uid);
      };
      const write = async (uid: string): Promise<void> => {
        const store = await openStore(standby.together(url), { onNotice: onFailover });
        await store.write(creation(uid)).finally(() => store.close());
      };
      const hasReceived = (): Promise<boolean> =>
        onServer(standby.instead(url)).then(
          (uids) => uids.includes('before'),
          () => false,
        );
      try {
        await write('before');
        expect(onFailover).not.toHaveBeenCalled();
        // An asynchronous standby that is promoted earlier may lack it, and all that the store noted of the server.
        await until(hasReceived);
        await standby.promote();
        await write('after');
        await write('later');
        expect(onFailover.mock.calls).toEqual([
          [
            expect.objectContaining({
              facts: expect.objectContaining({ before: 1, timeline: 2, forgotten: 0 }),
            }),
          ],
        ]);
        expect(await onServer(url)).toEqual(['before']);
        expect(await onServer(standby.instead(url))).toEqual(['after', 'before', 'later']);
        const [refusal] = await refusals('postgres://user@127.0.0.1:1,127.0.0.1:2/db');
        expect(refusal).toMatch(
          /^StoreUnavailable: none of the servers can be used: 127.0.0.1:1: .*; 127.0.0.1:2: /,
        );
      } finally {
        await standby.close();
      }
    });
  });
});
