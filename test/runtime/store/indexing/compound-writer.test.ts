import { Client } from 'pg';
import { PostgresConnections } from '../../../../templates/runtime/store/postgres/statements/connections';
import type { Store } from '../../../../templates/runtime/store/store';
import { openIndexedStore } from '../open-store';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../postgres/postgres-server';
import { deletedPart, found, newPart } from './parts';

/** A reference of `other` to the uid of `target`, as another process writes it. */
const REFERENCE = `INSERT INTO refs (resource, index_id, target_index, target_key)
  SELECT o.id, u.index_id, u.index_id, u.key FROM resources o, resources t JOIN uniques u ON u.resource = t.id
  WHERE o.uid = 'other' AND t.uid = 'target' LIMIT 1`;

describeWithPostgres('several writes on PostgreSQL', () => {
  let server: PostgresServer;
  let store: Store;
  let other: Client;
  beforeAll(async () => {
    server = await postgresServer();
    const url = await server.newSchema();
    store = await openIndexedStore(url);
    other = new Client(url);
    await other.connect();
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await other.end();
    await store.close();
    await server.close();
  });

  test('are tried again where a reference comes while their reason to fail is looked for', async () => {
    await store.write(newPart('target'));
    await store.write(newPart('other', { name: 'taken' }));
    const { writeAll } = PostgresConnections.prototype;
    const spy = jest.spyOn(PostgresConnections.prototype, 'writeAll');
    let calls = 0;
    spy.mockImplementation(async function (this: PostgresConnections, ...parameters) {
      // The first call tries the writes, the second looks whether their resources are as they were, the third deletes.
      if (++calls !== 3) return writeAll.apply(this, parameters);
      await other.query('BEGIN');
      await other.query(REFERENCE);
      const deleting = writeAll.apply(this, parameters);
      await waiting();
      await other.query('COMMIT');
      return deleting;
    });
    const writes = [deletedPart(await found(store, 'target')), newPart('new', { name: 'taken' })];
    expect(await store.write({ action: 'all', writes })).toMatchObject({ isReferred: true });
    expect(calls).toBeGreaterThan(3);
  });

  /** Resolves when a statement waits for a lock. */
  async function waiting(): Promise<void> {
    const { rows } = await other.query('SELECT FROM pg_locks WHERE NOT granted');
    if (rows.length === 0) return waiting();
  }
});
