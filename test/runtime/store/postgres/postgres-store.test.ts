import { openStore } from '../open-store';
import { storeSuite } from '../store-suite';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

let server: PostgresServer;

describeWithPostgres('PostgreSQL', () => {
  beforeAll(async () => {
    server = await postgresServer();
  });

  afterAll(() => server?.close());

  storeSuite(
    'PostgreSQL',
    async () => {
      const url = await server.newSchema();
      return { open: () => openStore(url), drop: async () => undefined };
    },
    true,
  );
});
