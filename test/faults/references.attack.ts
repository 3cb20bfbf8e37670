import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemsOf, runLoad } from '../runtime/store/indexing/concurrency';
import {
  describeWithPostgres,
  type PostgresServer,
  postgresServer,
} from '../runtime/store/postgres/postgres-server';
import { type Breakage, demand, fault } from './support/fault';

const LOAD = { clients: 64, writes: 100_000, kills: 10 };

/** A broken store shows sooner. */
const BROKEN = { clients: 16, writes: 4_000, kills: 1 };

/** Writes, refers, renames and deletes at random in two processes, and compares the entries with the resources. */
async function referred(url: string, { hooks = [] }: Breakage): Promise<string> {
  const load = hooks.length === 0 ? LOAD : BROKEN;
  await runLoad(url, { ...load, hooks: hooks.map((hook) => join(__dirname, 'breakages', hook)) });
  const problems = await problemsOf(url);
  demand(problems.length === 0, `${problems.length} problems, such as ${problems[0]}`);
  const { writes, clients, kills } = load;
  return `${writes} writes by 2 × ${clients} clients, ${kills} kills: 0 dangling, 0 duplicates`;
}

const CONTROLS = { 'nothing holds the target of a reference': { hooks: ['dangling-references'] } };

// Far more than a fault takes that needs no processor.
jest.setTimeout(3_600_000);

fault('references and unique names under writes of two processes and kills, SQLite', {
  async check(broken) {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-references-'));
    try {
      return await referred(`sqlite:${folder}/service.db`, broken);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  controls: CONTROLS,
});

describeWithPostgres('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  fault('references and unique names under writes of two processes and kills, PostgreSQL', {
    check: async (broken) => referred(await server.newSchema(), broken),
    controls: CONTROLS,
  });
});
