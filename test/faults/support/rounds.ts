import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Breakage, demand } from './fault';
import { record, unexplained } from './history';
import type { Load } from './loads';
import { PATIENT, startService } from './service';

/** Number of rounds and of their operations, and the load at the first service. */
interface Rounds {
  rounds: number;
  operations: number;
  load?: Load;
}

const WITHOUT_LOAD: Rounds = { rounds: Number(process.env['HISTORY_ROUNDS'] ?? 1), operations: 4_200 };

/** Runs a check on a SQLite file, and removes the file. */
export async function onFile(check: (url: string) => Promise<string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-history-'));
  return check(`sqlite:${folder}/service.db`).finally(() => rmSync(folder, { recursive: true }));
}

/** Rounds of concurrent operations on one database, through one process or two. */
export async function histories(
  url: string,
  processes: number,
  broken: Breakage,
  { rounds, operations: asked, load }: Rounds = WITHOUT_LOAD,
): Promise<string> {
  const services = [];
  const ends: (() => Promise<void>)[] = [];
  for (let left = processes; left > 0; left--) {
    const environment = { ...broken.environment, ...PATIENT };
    services.push(await startService(url, { ...broken, environment }));
  }
  const ports = services.map(({ port }) => port);
  let operations = 0;
  let devices = 0;
  let open = 0;
  try {
    if (load !== undefined) ends.push(await load(ports[0]));
    for (let round = 0; round < rounds; round++) {
      const recorded = await record(ports, asked);
      const wrong = unexplained(recorded);
      demand(wrong.length === 0, `${wrong.length} of ${recorded.length} histories are not linearizable`);
      devices += recorded.length;
      operations += recorded.reduce((sum, device) => sum + device.operations.length, 0);
      open += recorded
        .flatMap((device) => device.operations)
        .filter(({ output }) => output === undefined).length;
    }
  } finally {
    await Promise.all(ends.map((end) => end()));
    await Promise.all(services.map((service) => service.kill()));
  }
  demand(operations >= rounds * asked * 0.9, `only ${operations} operations`);
  return `${operations} operations on ${devices} devices, ${open} without a response: linearizable`;
}

/** Breakages that the histories must reveal. */
export const CONTROLS = { 'a cache that is stale for 250 ms': { hooks: ['stale-cache'] } };

/** Title of the histories of a number of processes on a store. */
export const title = (processes: number, store: string): string =>
  `histories of ${processes === 1 ? 'one process' : `${processes} processes`}, ${store}`;
