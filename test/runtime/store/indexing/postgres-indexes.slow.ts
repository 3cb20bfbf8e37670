import { openIndexedStore } from '../open-store';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../postgres/postgres-server';
import { listSuite } from './list-suite';
import { longListSuite } from './long-list-suite';
import { stateSuite } from './state-suite';
import { writeSuite } from './write-suite';

let server: PostgresServer;

describeWithPostgres('PostgreSQL', () => {
  beforeAll(async () => {
    server = await postgresServer();
  });

  afterAll(() => server?.close());

  const inSchema = async () => {
    const url = await server.newSchema();
    return { url, open: () => openIndexedStore(url), drop: async () => undefined };
  };

  writeSuite('PostgreSQL', inSchema);
  listSuite('PostgreSQL', inSchema, 300);
  stateSuite('PostgreSQL', inSchema, () => server.newSchema());
  longListSuite('PostgreSQL', inSchema, 6_000);
});
