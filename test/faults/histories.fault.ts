import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithPostgres, postgresServer, type PostgresServer } from '../runtime/postgres-server';
import { demand, fault, type Breakage } from './fault';
import { record, unexplained } from './history';
import { startService } from './service';

const ROUNDS = 5;
const OPERATIONS = 4_200;

/** Rounds of concurrent operations on one database, through one process or two. */
async function histories(url: string, processes: number, broken: Breakage): Promise<string> {
  const services = [];
  for (let left = processes; left > 0; left--) services.push(await startService(url, broken));
  const ports = services.map(({ port }) => port);
  let operations = 0;
  let devices = 0;
  let open = 0;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const recorded = await record(ports, OPERATIONS);
      const wrong = unexplained(recorded);
      demand(wrong.length === 0, `${wrong.length} of ${recorded.length} histories are not linearizable`);
      devices += recorded.length;
      operations += recorded.reduce((sum, device) => sum + device.operations.length, 0);
      open += recorded
        .flatMap((device) => device.operations)
        .filter(({ output }) => output === undefined).length;
    }
  } finally {
    await Promise.all(services.map((service) => service.kill()));
  }
  demand(operations >= 20_000, `only ${operations} operations`);
  return `${operations} operations on ${devices} devices, ${open} without an answer: linearizable`;
}

const CONTROLS = { 'a cache that is stale for 20 ms': { hooks: ['stale-cache'] } };

const title = (processes: number, store: string): string =>
  `histories of ${processes === 1 ? 'one process' : `${processes} processes`}, ${store}`;

for (const processes of [1, 2]) {
  fault(title(processes, 'SQLite'), {
    async check(broken) {
      const folder = mkdtempSync(join(tmpdir(), 'svcgen-history-'));
      return histories(`sqlite:${folder}/service.db`, processes, broken).finally(() =>
        rmSync(folder, { recursive: true }),
      );
    },
    controls: CONTROLS,
  });
}

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
