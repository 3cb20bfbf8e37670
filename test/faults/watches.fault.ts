import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { devices } from '../runtime/kubernetes/devices';
import {
  describeWithPostgres,
  type PostgresServer,
  postgresServer,
} from '../runtime/store/postgres/postgres-server';
import { type ServiceProcess, startProcess } from '../runtime/support/service-process';
import { JSON_TYPE, MERGE, send } from './support/client';
import { readContents } from './support/database';
import { type Breakage, demand, fault } from './support/fault';
import { type Change, Informer, type Seen } from './support/informer';

/** Writers at once, their devices, acknowledged writes, and kills of one of the two processes. */
const [WRITERS, DEVICES, WRITES, KILLS] = [8, 6, 600, 4];
/** The device that is created when all others are done. */
const LAST = 'last';

const LABELS = ['eu', 'us'];

/** Two processes on one database. One of them is killed again and again. */
class Processes {
  readonly steady: ServiceProcess;
  killed: ServiceProcess;

  private constructor(
    private readonly environment: { [name: string]: string },
    [steady, killed]: readonly ServiceProcess[],
  ) {
    this.steady = steady;
    this.killed = killed;
  }

  static async start(url: string, { hooks = [] }: Breakage): Promise<Processes> {
    const environment = {
      DATABASE_URL: url,
      LOG_LEVEL: 'info',
      FAULT_RUNTIME: resolve(__dirname, '../../templates/runtime'),
      HOOKS: hooks.map((hook) => join(__dirname, 'breakages', hook)).join(','),
    };
    const first = await start(environment);
    return new Processes(environment, [first, await start(environment)]);
  }

  async kill(): Promise<void> {
    this.killed.child.kill('SIGKILL');
    await this.killed.ended;
    this.killed = await start(this.environment);
  }

  async close(): Promise<void> {
    for (const { child } of [this.steady, this.killed]) child.kill('SIGKILL');
    await Promise.all([this.steady.ended, this.killed.ended]);
  }
}

function start(environment: { [name: string]: string }): Promise<ServiceProcess> {
  return startProcess(environment, 'kubernetes/device-child.ts');
}

/** Creates, changes and deletes devices, each writer its own, while one of the processes is killed again and again. */
async function write(processes: Processes): Promise<void> {
  let acknowledged = 0;
  let isOver = false;
  const writer = async (number: number): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      const name = `d-${number}-${turn % DEVICES}`;
      const port = (turn % 2 === 0 ? processes.steady : processes.killed).port;
      const spec = { location: LABELS[turn % 2], price: turn + 1 };
      const body = { metadata: { name, labels: { at: spec.location } }, spec };
      const item = `/devices/${name}`;
      const requests = [
        () => send(port, 'POST', '/devices', { headers: JSON_TYPE, body }),
        () => send(port, 'PATCH', item, { headers: MERGE, body: { spec } }),
        () => send(port, 'PUT', item, { headers: JSON_TYPE, body }),
        () => send(port, 'DELETE', item, {}),
      ];
      const request = requests[Math.floor(turn / DEVICES) % requests.length];
      const status = await request().then(
        (response) => response.status,
        () => 0,
      );
      if (status >= 200 && status < 300) acknowledged += 1;
      // A process that is gone refuses at once.
      else if (status === 0) await setTimeout(5);
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
  try {
    for (let kill = 0; kill <= KILLS; kill++) {
      const next = acknowledged + WRITES / (KILLS + 1);
      while (acknowledged < next) await setTimeout(5);
      if (kill < KILLS) await processes.kill();
    }
  } finally {
    isOver = true;
    await writers;
  }
  const body = { metadata: { name: LAST }, spec: { location: 'eu' } };
  const { status } = await send(processes.steady.port, 'POST', '/devices', { headers: JSON_TYPE, body });
  demand(status === 201, `the last device: ${status}`);
}

/** Follows two processes by informers, and compares what these have seen with the log of the database. */
async function followed(url: string, broken: Breakage): Promise<string> {
  const processes = await Processes.start(url, broken);
  let turn = 0;
  const informers = [
    new Informer(devices(), () => processes.steady.port),
    new Informer(devices(), () => processes.killed.port),
    // Each watch of the last one ends after a second, and the next is at the other process.
    new Informer(devices(), () => (turn++ % 2 === 0 ? processes.killed : processes.steady).port, 1),
  ];
  try {
    await Promise.all(informers.map((informer) => informer.start()));
    await write(processes);
    await Promise.all(informers.map((informer) => informer.until(LAST)));
    const listed = await send(processes.killed.port, 'GET', devices());
    const logged = await changesIn(url);
    for (const [index, informer] of informers.entries()) {
      await informer.close();
      const problem = problemOf(informer, logged, (JSON.parse(listed.text) as { items: Seen[] }).items);
      demand(problem === undefined, `informer ${index}: ${problem}`);
    }
    const watches = informers.map((informer) => informer.watches).join(' + ');
    return `${logged.length} changes, ${KILLS} kills, ${watches} watches: all seen once, in order`;
  } finally {
    await Promise.all(informers.map((informer) => informer.close()));
    await processes.close();
  }
}

/** Returns the changes of devices that the log has, such as `created dev-… 1`: the last is the generation. */
async function changesIn(url: string): Promise<string[]> {
  const { events } = await readContents(url);
  return events.map(({ text }) => {
    const { action, resource } = (
      JSON.parse(text) as { data: { action: keyof typeof TYPES; resource: Seen & Spec } }
    ).data;
    return lineOf(TYPES[action], resource);
  });
}

const TYPES = { created: 'ADDED', updated: 'MODIFIED', deleted: 'DELETED' } as const;

type Spec = { metadata: { generation: number }; spec: object };

function lineOf(type: Change['type'], object: Seen): string {
  const { metadata, spec } = object as Seen & Spec;
  return `${type} ${metadata.uid} ${metadata.generation} ${JSON.stringify(spec)}`;
}

/** Returns what an informer has missed or seen twice; undefined for nothing. */
function problemOf(
  informer: Informer,
  logged: readonly string[],
  listed: readonly Seen[],
): string | undefined {
  if (informer.error !== undefined) return `an ERROR ${informer.error}`;
  const seen = informer.changes.map(({ type, object }) => lineOf(type, object));
  const at = logged.findIndex((line, index) => line !== seen[index]);
  if (at !== -1 || seen.length !== logged.length)
    return `${seen.length} changes of ${logged.length}; at ${at} ${seen[at]} instead of ${logged[at]}`;
  const revisions = informer.changes.map(({ object }) => BigInt(object.metadata.resourceVersion));
  const back = revisions.findIndex((each, index) => index > 0 && each <= revisions[index - 1]);
  if (back !== -1) return `revision ${revisions[back]} after ${revisions[back - 1]}`;
  const texts = (objects: Iterable<Seen>): string =>
    [...objects]
      .map((object) => JSON.stringify(object))
      .sort()
      .join('\n');
  return texts(informer.objects.values()) === texts(listed) ? undefined : 'other objects than a list';
}

const CONTROLS = { 'some reads of events lack one': { hooks: ['skips-events'] } };

fault('watches over kills of one of two processes, SQLite', {
  async check(broken) {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-watches-'));
    try {
      return await followed(`sqlite:${folder}/service.db`, broken);
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

  fault('watches over kills of one of two processes, PostgreSQL', {
    check: async (broken) => followed(await server.newSchema(), broken),
    controls: CONTROLS,
  });
});
