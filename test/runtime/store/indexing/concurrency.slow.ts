import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../postgres/postgres-server';
import { type Load, problemsOf, runLoad } from './concurrency';

const LOAD: Load = { clients: 16, writes: 3_000, kills: 2 };

async function check(url: string): Promise<void> {
  const outcomes = await runLoad(url, LOAD);
  for (const outcome of outcomes) {
    const counts = JSON.parse(outcome) as { [outcome: string]: number };
    expect(counts['done']).toBeGreaterThan(50);
    expect(counts['refused']).toBeGreaterThan(20);
  }
  expect(await problemsOf(url)).toEqual([]);
}

describe('two processes that write and refer at random, one of them killed again and again', () => {
  test('SQLite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-concurrency-'));
    try {
      await check(`sqlite:${folder}/service.db`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  describeWithPostgres('PostgreSQL', () => {
    let server: PostgresServer;
    beforeAll(async () => void (server = await postgresServer()));
    afterAll(() => server?.close());

    test('PostgreSQL', async () => check(await server.newSchema()));
  });
});
