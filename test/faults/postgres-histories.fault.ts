import {
  describeWithPostgres,
  type PostgresServer,
  postgresServer,
} from '../runtime/store/postgres/postgres-server';
import { fault } from './support/fault';
import { CONTROLS, histories, title } from './support/rounds';

describeWithPostgres('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  for (const processes of [1, 2]) {
    fault(title(processes, 'PostgreSQL'), {
      check: async (broken) => histories(await server.newSchema(), processes, broken),
      controls: CONTROLS,
    });
  }
});
