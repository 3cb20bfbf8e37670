import { StoreUnavailable } from '../../../../templates/runtime/store/store';
import { openStore } from '../open-store';
import { creation, KIND } from '../store-writes';
import { describeWithStandby, type PostgresServer, postgresServer } from './postgres-server';

// Conditions of a server that are no defect of the service: it responds with 503 until they end.

describeWithStandby('a PostgreSQL server', () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  test('whose transaction ids are used up is read and not written', async () => {
    const url = await server.newDatabase();
    const store = await openStore(url);
    await store.write(creation('dev-1'));
    await server.stop('restart');
    server.exhaust();
    await server.start();
    expect(await store.get(KIND, 'dev-1')).toBeDefined();
    for (const attempt of [() => store.write(creation('dev-2')), () => store.ready()]) {
      const failure: unknown = await attempt().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect(failure).toMatchObject({
        message: expect.stringContaining('to avoid wraparound data loss') as string,
        outcomeUnknown: false,
      });
    }
    await store.close();
  });

  test('whose tables are moved away is back with them', async () => {
    const server = await postgresServer();
    const url = await server.newSchema();
    const schema = /search_path%3D(\w+)/.exec(url)![1];
    const store = await openStore(url);
    await store.write(creation('dev-1'));
    await server.run(`ALTER SCHEMA ${schema} RENAME TO moved; CREATE SCHEMA ${schema}`);
    for (const attempt of [
      () => store.get(KIND, 'dev-1'),
      () => store.write(creation('dev-2')),
      () => store.ready(),
    ])
      await expect(attempt()).rejects.toBeInstanceOf(StoreUnavailable);
    await server.run(`DROP SCHEMA ${schema}; ALTER SCHEMA moved RENAME TO ${schema}`);
    expect(await store.get(KIND, 'dev-1')).toBeDefined();
    expect(await store.write(creation('dev-2'))).toBe('done');
    await store.close();
    await server.close();
  });
});
