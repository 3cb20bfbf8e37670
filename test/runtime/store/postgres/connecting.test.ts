import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeError } from '../../../../templates/runtime/store/postgres/servers/errors';
import { inspectStore, openStore } from '../open-store';
import { describeWithStandby, type PostgresServer, postgresServer } from './postgres-server';

/** A server of our own, whose first user needs no password and whose others do. */
const HBA = 'local all postgres trust\nlocal all all scram-sha-256\n';

describeWithStandby('a connection to PostgreSQL', () => {
  let folder: string;
  let server: PostgresServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svcgen-hba-'));
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'hba.conf'), HBA, { mode: 0o644 });
    server = await postgresServer({ settings: [`hba_file=${folder}/hba.conf`] });
  });

  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test.each(['we ird', 'a/b', 'a@b', 'a:b', 'a%b', 'a+b&c=d,e;f$g', 'ü'])(
    'to a database called %s',
    async (name) => {
      await server.run(`CREATE DATABASE "${name}"`);
      const url = (await server.newDatabase()).replace(/\/\w+\?/, `/${encodeURIComponent(name)}?`);
      await (await openStore(url)).close();
      expect(await inspectStore(url, async () => undefined)).toContain('its schema is current');
    },
  );

  test('without the password that the server demands', async () => {
    await server.run(`CREATE ROLE somebody LOGIN PASSWORD 'secret'`);
    const url = (await server.newDatabase()).replace('postgres@', 'somebody@');
    await expect(openStore(url)).rejects.toThrow(
      'the connection to PostgreSQL failed: the server demands a password; DATABASE_URL has none',
    );
  });
});

test('a connection that fails at several addresses of a host says so of each', () => {
  const errors = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
  const error = Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' });
  expect(storeError(error)).toMatchObject({
    message:
      'the connection to PostgreSQL failed: connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432',
  });
});
