import { Client } from 'pg';
import { openIndexedStore } from '../open-store';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../postgres/postgres-server';
import { creation, KIND } from '../store-writes';

const INDEX = 'spec.n';

const KINDS = [
  {
    kind: KIND,
    entries: {
      digest: '1',
      newSince: () => ({ fields: [INDEX], unique: [], references: [] }),
      of: () => ({
        index: { fields: [{ index: INDEX, key: 'a' }], unique: [], references: [] },
        tooLong: [],
      }),
    },
  },
];

describeWithPostgres('a user who may make no temporary tables', () => {
  let server: PostgresServer;
  let url: string;
  const role = `limited_${process.pid}`;

  async function run(...statements: string[]): Promise<void> {
    const client = new Client(url);
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  beforeAll(async () => {
    server = await postgresServer();
    url = await server.newDatabase();
    const name = /\/(\w+)(?:\?|$)/.exec(url)![1];
    await run(
      `CREATE ROLE ${role}`,
      `GRANT ALL ON SCHEMA public TO ${role}`,
      `REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`,
    );
  });

  afterAll(async () => {
    await run(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`);
    await server.close();
  });

  test('makes entries of new indexes', async () => {
    const limited = `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c role=${role}`)}`;
    const store = await openIndexedStore(limited);
    expect(await store.write(creation('dev-1'))).toBe('done');
    expect(await store.indexes!.rebuild(KINDS)).toEqual([]);
    const fields = [{ index: INDEX, operator: 'in' as const, keys: ['a'] }];
    expect(await store.list(KIND, { after: 0, limit: 100, selector: [], fields })).toHaveLength(1);
    await store.close();
  });
});
