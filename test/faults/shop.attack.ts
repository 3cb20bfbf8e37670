import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runShopLoad, shopProblems, unexpectedStatuses } from '../runtime/data/shop-load';
import {
  describeWithPostgres,
  type PostgresServer,
  postgresServer,
} from '../runtime/store/postgres/postgres-server';
import { demand, fault } from './support/fault';

/** Writes over HTTP; `SHOP_WRITES` sets another number. */
const LOAD = { clients: 128, writes: Number(process.env['SHOP_WRITES'] ?? 100_000), kills: 10 };

/** Creates, renames, refers and deletes at random through two processes, one of which is killed again and again. */
async function held(url: string): Promise<string> {
  const counts = await runShopLoad(url, LOAD);
  const problems = await shopProblems(url);
  demand(problems.length === 0, `${problems.length} problems, such as ${problems[0]}`);
  const unexpected = unexpectedStatuses(counts);
  demand(unexpected.length === 0, `responses with ${unexpected.join(', ')}`);
  const figures = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  const shown = figures.map(([key, count]) => `${key}: ${count}`).join(', ');
  return `${LOAD.writes} writes by 2 × ${LOAD.clients / 2} clients, ${LOAD.kills} kills: 0 dangling, 0 duplicates (${shown})`;
}

jest.setTimeout(3_600_000);

// test/runtime/data/processes.http.slow.ts and references.attack.ts have the controls.
fault('names, unique fields and references over HTTP, SQLite', {
  async check() {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-shop-'));
    try {
      return await held(`sqlite:${folder}/service.db`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  controls: {},
});

describeWithPostgres('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  fault('names, unique fields and references over HTTP, PostgreSQL', {
    check: async () => held(await server.newSchema()),
    controls: {},
  });
});
