import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describeWithCgroups, makeCgroup } from './support/cgroup';
import { createDevice, JSON_TYPE, MERGE, resourceOf, send } from './support/client';
import { type Breakage, demand, fault } from './support/fault';
import { type RunningService, startService } from './support/service';

/** As much as the generated kubernetes/service.yaml gives to a service. */
const LIMIT = 512 * 1024 * 1024;

/** Attackers of each sort at the same time, and resources of 1 MB that they ask for. */
const ATTACKERS = 60;
const RESOURCES = 18;

/** Duration of the attacks, in seconds: each sort alone, and several of them together. */
const ALONE = 8;
const TOGETHER = 60;

/** Duration of the observation of honest clients without attackers, before and after the attack, in seconds. */
const QUIET = 4;

const SORTS = [
  'pages',
  'lists',
  'resources',
  'snapshots',
  'streams',
  'bodies',
  'chunks',
  'readers',
  'patches',
  'puts',
] as const;

/** Goals: time for a response of /healthz, in ms, and the part of their rate that honest clients keep. */
const HEALTH_MS = 1_000;
const HONEST_PART = 0.5;

/** Refusals that are promised. A client that does not read may be cut off before it sees one. */
const PROMISED = ['200', '201', '503', '413', 'unread'];

type HttpResponses = { [sort: string]: { [response: string]: number } };

const run = promisify(execFile);

/** Observations of the honest clients. */
interface Load {
  requests: number;
  seconds: number;
  /** Slowest response of /healthz, in ms. */
  health: number;
}

/** Every so many requests of the honest writer is a create. */
const CREATES = 25;

/**
 * Runs four honest clients, one of which writes, and one that asks for /healthz, until `done`. Throws a Violation if anything
 * acknowledged is lost, and for responses that are neither 2xx nor, for a write, 503.
 */
async function honestClients({ port }: RunningService, done: Promise<unknown>): Promise<Load> {
  let running = true;
  void done.finally(() => (running = false));
  const start = performance.now();
  const load: Load = { requests: 0, seconds: 0, health: 0 };
  const path = (await createDevice(port, 'honest')).headers.location!;
  const created: string[] = [];
  let acknowledged: string | undefined;
  let writes = 0;
  const write = async (): Promise<void> => {
    const location = String(++writes);
    const body = { spec: { name: 'honest', location } };
    const { status, text, headers } =
      writes % CREATES === 0
        ? await send(port, 'POST', '/devices', { headers: JSON_TYPE, body })
        : await send(port, 'PATCH', path, { headers: MERGE, body });
    demand([200, 201, 503].includes(status), `a small write got ${status} ${text}`);
    if (status === 201) created.push(headers.location!);
    if (status === 200) acknowledged = location;
  };
  const read = async (): Promise<void> => {
    const { status } = await send(port, 'GET', path);
    demand(status === 200, `a small resource got ${status}`);
  };
  const health = async (): Promise<void> => {
    const asked = performance.now();
    const { status } = await send(port, 'GET', '/healthz');
    demand(status === 200, `/healthz got ${status}`);
    load.health = Math.max(load.health, performance.now() - asked);
    await setTimeout(50);
  };
  const repeat = async (request: () => Promise<void>, counts: number): Promise<void> => {
    while (running) {
      await request();
      load.requests += counts;
      await setTimeout(5);
    }
  };
  await Promise.all([repeat(write, 1), repeat(read, 1), repeat(read, 1), repeat(read, 1), repeat(health, 0)]);
  load.seconds = (performance.now() - start) / 1_000;
  const stored = resourceOf(await send(port, 'GET', path)).spec['location'];
  demand(
    acknowledged === undefined || stored === acknowledged,
    `${acknowledged} is lost: ${String(stored)} is stored`,
  );
  for (const one of created) demand((await send(port, 'GET', one)).status === 200, `${one} is lost`);
  return load;
}

/** The service in a control group, with the resources that attackers ask for. */
async function withService<T>(
  broken: Breakage,
  check: (service: RunningService, large: string, peak: () => string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-memory-'));
  const group = makeCgroup(LIMIT);
  const environment = { ...PATIENCE_WITH_CLIENTS, ...broken.environment };
  const service = await startService(
    `sqlite:${folder}/service.db`,
    { ...broken, environment },
    group.launcher,
  );
  try {
    let large = '';
    for (let index = 0; index < RESOURCES; index++) {
      const body = { spec: { name: `large ${index}`, location: 'x'.repeat(1_000_000) } };
      large = (await send(service.port, 'POST', '/devices', { headers: JSON_TYPE, body })).headers.location!;
    }
    const peak = (): string => `${Math.round((group.peak() ?? 0) / 1024 / 1024)} MiB`;
    const died = service.ended.then((code) => {
      demand(false, `the process ended with ${code ?? service.child.signalCode} at ${peak()}`);
    });
    // A connection that broke may be the first that is seen of it.
    const checked = check(service, large, peak).catch(async (error: unknown) => {
      await Promise.race([died, setTimeout(2_000)]);
      throw error;
    });
    return await Promise.race([checked, died]);
  } finally {
    await service.kill();
    // The group is empty when the kernel has buried the process.
    for (let left = 100; left > 0; left--) {
      try {
        group.close();
        break;
      } catch {
        await setTimeout(50);
      }
    }
    rmSync(folder, { recursive: true });
  }
}

/** Runs clients of some sorts; returns the figure. Throws a Violation when a promise is not kept. */
function attack(sorts: readonly string[], seconds: number, broken: Breakage): Promise<string> {
  return withService(broken, async (service, large, peak) => {
    const before = await honestClients(service, setTimeout(QUIET * 1_000));
    const attackers = [service.port, ATTACKERS, seconds, large, ...sorts].map(String);
    const attacking = run(process.execPath, [join(__dirname, 'support/memory-attackers.js'), ...attackers]);
    const during = await honestClients(service, attacking);
    const answers = JSON.parse((await attacking).stdout) as HttpResponses;
    const after = await honestClients(service, setTimeout(QUIET * 1_000));
    const quiet = (before.requests + after.requests) / (before.seconds + after.seconds);
    const part = during.requests / during.seconds / quiet;
    const figure =
      `${peak()} of 512; /healthz within ${during.health.toFixed(0)} ms (goal ${HEALTH_MS}; ` +
      `${Math.max(before.health, after.health).toFixed(0)} without attackers); ` +
      `honest clients at ${(part * 100).toFixed(0)} % of their rate (goal ${HONEST_PART * 100})`;
    for (const [sort, found] of Object.entries(answers))
      for (const response of Object.keys(found))
        demand(PROMISED.includes(response), `${found[response]} of ${sort} got ${response}; ${figure}`);
    demand(during.health <= HEALTH_MS && part >= HONEST_PART, figure);
    return figure;
  });
}

/** The attackers share the machine with the service: what they are slow to send is none of its promises. */
const PATIENCE_WITH_CLIENTS = { HEADERS_TIMEOUT_MS: '100000', REQUEST_TIMEOUT_MS: '200000' };

const WITHOUT_BUDGET: Breakage = { environment: { MEMORY_BUDGET_BYTES: '1000000000000' } };

/** Sorts that attack together. */
const MIXED = {
  'large pages, patches, bodies, streams': ['pages', 'patches', 'bodies', 'streams'],
  'all sorts': SORTS,
};

describeWithCgroups('512 MiB of memory', () => {
  for (const [name, sorts] of Object.entries(MIXED))
    fault(`${ATTACKERS} attackers of each sort, together, in 512 MiB: ${name}`, {
      check: (broken) => attack(sorts, TOGETHER, broken),
      controls: { 'without a budget': WITHOUT_BUDGET },
    });
  for (const sort of SORTS)
    fault(`${ATTACKERS} attackers in 512 MiB: ${sort}`, {
      check: (broken) => attack([sort], ALONE, broken),
      controls: {},
    });
});
