import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../store/postgres/postgres-server';

/** Describes tests on both stores; `url` returns the database of a new service. */
export function onBothStores(tests: (url: () => Promise<string>) => void): void {
  describe('SQLite', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-data-'));
    let count = 0;
    afterAll(() => rmSync(folder, { recursive: true }));
    tests(() => Promise.resolve(`sqlite:${folder}/${++count}.db`));
  });
  describeWithPostgres('PostgreSQL', () => {
    let server: PostgresServer;
    beforeAll(async () => void (server = await postgresServer()));
    afterAll(() => server?.close());
    tests(() => server.newSchema());
  });
}
