import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareSelections } from '../runtime/data/selections';
import {
  describeWithPostgres,
  type PostgresServer,
  postgresServer,
} from '../runtime/store/postgres/postgres-server';
import { fault, Violation } from './support/fault';

/** Lists to compare on each store; `COMPARISONS` sets another number, `SEED` other projects. */
const COMPARISONS = Number(process.env['COMPARISONS'] ?? 100_000);
const SEED = Number(process.env['SEED'] ?? Date.now() % 1e9);

/** Selects and sorts lists of random projects in each of their versions, and compares them with the GETs. */
async function compared(url: () => Promise<string>): Promise<string> {
  const share = { seed: SEED, comparisons: COMPARISONS, perVersion: 1_000 };
  const { compared, projects, found } = await compareSelections(url, share).catch((error: unknown) => {
    throw new Violation((error as Error).message);
  });
  return `${compared} lists of ${projects} projects with ${found} resources equal the filtered GETs, seed ${SEED}`;
}

jest.setTimeout(3_600_000);

fault('selectors through versions, SQLite', {
  async check() {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-selections-'));
    let count = 0;
    try {
      return await compared(() => Promise.resolve(`sqlite:${folder}/${++count}.db`));
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

  fault('selectors through versions, PostgreSQL', {
    check: () => compared(() => server.newSchema()),
    controls: {},
  });
});
