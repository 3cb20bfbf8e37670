import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResourceEvent } from '../../../templates/runtime/events/log/cloud-event';
import type { Resource } from '../../../templates/runtime/model/resource';
import { audited } from '../events/audit';
import { createDevice, listDevices, rename, until } from '../events/devices';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../store/postgres/postgres-server';
import { begin, type HttpResponse, JSON_TYPE, send, type Sent } from '../support/client';
import { type ServiceProcess, startProcess } from '../support/service-process';

interface Line {
  msg?: string;
  worker?: number;
  workers?: number;
  level?: number;
}

/** A book that takes `milliseconds` to create. */
const sent = (milliseconds: number): Sent => ({
  headers: JSON_TYPE,
  body: { spec: { title: String(milliseconds), author: 'b' } },
});

/** Creates a book, on a connection of its own, which any worker may get. */
const book = (port: number): Promise<HttpResponse> =>
  send(port, 'POST', '/books', { ...sent(0), alone: true });

const books = async (port: number): Promise<number> =>
  (JSON.parse((await send(port, 'GET', '/books', { alone: true })).text) as object[]).length;

/** Returns the number of creates that `/metrics` counts. */
const created = async (port: number): Promise<number> => {
  const { text } = await send(port, 'GET', '/metrics', { alone: true });
  return Number(/^http_requests_total\{method="POST",route="\/books",status="2xx"\} (\d+)$/m.exec(text)?.[1]);
};

const workersOf = ({ child }: ServiceProcess): number[] =>
  execFileSync('pgrep', ['-P', String(child.pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

const lines = ({ log }: ServiceProcess, msg: string): Line[] => log.filter((line) => line.msg === msg);

/** Creates books until each of two workers has; the system decides which gets a connection. Returns their number. */
async function untilBothRespond(service: ServiceProcess): Promise<number> {
  for (let count = 10; ; count += 10) {
    const made = await Promise.all(Array.from({ length: 10 }, () => book(service.port)));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    if (new Set(lines(service, 'answered').map(({ worker }) => worker)).size === 2) return count;
  }
}

async function stopped(service: ServiceProcess): Promise<void> {
  service.child.kill('SIGTERM');
  await until(() => lines(service, 'stopping').length === 1);
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
}

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'workers-'))));
afterEach(() => rmSync(folder, { recursive: true }));

describeWithPostgres('two workers on PostgreSQL', () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server?.close());
  beforeEach(async () => void (url = await server.newSchema()));

  const start = (environment = {}, script?: string): Promise<ServiceProcess> =>
    startProcess({ DATABASE_URL: url, WORKERS: '2', LOG_REQUESTS: 'true', ...environment }, script);

  test('share the port and the counts of /metrics; a stop answers all that is under way', async () => {
    const service = await start();
    expect(lines(service, 'listening')).toMatchObject([{ workers: 2, level: 30 }]);
    const count = await untilBothRespond(service);
    // A worker that is busy for a second is counted as it was before.
    while ((await created(service.port)) < count);
    const { text } = await send(service.port, 'GET', '/metrics', { alone: true });
    expect(text).toContain(`http_requests_total{method="POST",route="/books",status="2xx"} ${count}\n`);
    expect(text).toContain(`http_request_duration_seconds_count{method="POST",route="/books"} ${count}\n`);

    const underWay = Array.from({ length: 10 }, () => begin(service.port, 'POST', '/books', sent(2_000)));
    await Promise.all(underWay.map(({ arrived }) => arrived));
    await stopped(service);
    const responses = await Promise.all(underWay.map(({ response }) => response));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    const messages = service.log.map(({ msg }) => msg).filter((msg) => msg !== 'answered');
    expect(messages).toEqual(['listening', 'stopping', 'stopped']);
  });

  test('one that is killed is replaced; what was acknowledged is there', async () => {
    const service = await start();
    const [victim] = workersOf(service);
    let acknowledged = 0;
    const writer = async (): Promise<void> => {
      for (let n = 0; n < 40; n++) {
        const response = await book(service.port).catch(() => undefined);
        if (response?.status === 201) acknowledged += 1;
      }
    };
    const writing = Promise.all(Array.from({ length: 8 }, writer));
    await until(() => acknowledged > 50);
    const counted = await created(service.port);
    process.kill(victim, 'SIGKILL');
    await writing;
    expect(acknowledged).toBeGreaterThan(100);
    await until(() => lines(service, 'worker replaced').length === 1);
    expect(lines(service, 'worker ended')).toMatchObject([{ level: 50 }]);
    expect(await created(service.port)).toBeGreaterThanOrEqual(counted);
    // A write whose worker died before it could respond may have been made.
    expect(await books(service.port)).toBeGreaterThanOrEqual(acknowledged);
    service.log.length = 0;
    await untilBothRespond(service);
    await stopped(service);
  });

  test('a subscription of all has every event once', async () => {
    const audit = join(folder, 'audit');
    const service = await start({ AUDIT: audit }, 'events/device-child.ts');
    const uids = await Promise.all(
      Array.from({ length: 30 }, (_, n) => createDevice(service.port, String(n))),
    );
    await Promise.all(uids.map((uid) => rename(service.port, uid, 'again')));
    expect(await listDevices(service.port)).toHaveLength(30);
    const messages = (): ResourceEvent[] => audited(audit);
    await until(() => messages().length >= 60);
    await stopped(service);
    expect(new Set(messages().map(({ id }) => id)).size).toBe(60);
    expect(messages()).toHaveLength(60);
  });

  test('they end with the process that supervises them', async () => {
    const service = await start();
    const workers = workersOf(service);
    service.child.kill('SIGKILL');
    await service.ended;
    const lives = (pid: number): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await until(() => !workers.some(lives));
  });
});

describe('a worker that does not start', () => {
  test('at first: all end with its exit code', async () => {
    const environment = { WORKERS: '2', NO_START: __filename };
    await expect(startProcess(environment, 'workers/supervisor-child.ts')).rejects.toThrow('ended with 3');
  });

  test('again and again: after some attempts', async () => {
    const file = join(folder, 'no-start');
    const service = await startProcess({ WORKERS: '2', NO_START: file }, 'workers/supervisor-child.ts');
    writeFileSync(file, '');
    for (const pid of workersOf(service)) process.kill(pid, 'SIGKILL');
    expect(await service.ended).toBe(3);
    expect(lines(service, 'stopped')).toHaveLength(1);
    expect(lines(service, 'worker ended').length).toBeGreaterThan(4);
    expect(lines(service, 'stopping')).toMatchObject([{ level: 60 }]);
  });

  test('because the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const environment = { WORKERS: '2', DATABASE_URL: `sqlite:${folder}/store.db`, PORT: String(port) };
    await expect(startProcess(environment)).rejects.toThrow(/ended with 1 .*cannot listen/s);
    other.close();
  });
});

describe('SQLite', () => {
  test('two workers are safe, and the start says that they are not faster', async () => {
    const service = await startProcess({ DATABASE_URL: `sqlite:${folder}/store.db`, WORKERS: '2' });
    expect(service.log).toMatchObject([
      { level: 40, msg: expect.stringMatching(/safe on SQLite, but not faster/) },
      { level: 30, msg: 'listening', workers: 2 },
    ]);
    const made = await Promise.all(Array.from({ length: 40 }, () => book(service.port)));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    for (let n = 0; n < 4; n++) expect(await books(service.port)).toBe(40);
    await stopped(service);
  });

  test('a GET of one worker shows what another has acknowledged', async () => {
    const service = await startProcess({
      DATABASE_URL: `sqlite:${folder}/store.db`,
      WORKERS: '2',
      LOG_REQUESTS: 'true',
    });
    // The system decides which worker gets a connection; each of them keeps its own.
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const path = (await book(service.port)).headers.location!;
    for (let n = 0; n < 80; n++) {
      const title = String(n);
      const body = { spec: { title, author: 'b' } };
      const writer = agents[n % agents.length];
      const { headers } = await send(service.port, 'PUT', path, { headers: JSON_TYPE, body, agent: writer });
      const reads = agents.map((agent) => send(service.port, 'GET', path, { agent }));
      for (const read of await Promise.all(reads))
        expect([(JSON.parse(read.text) as Resource).spec['title'], read.headers.etag]).toEqual([
          title,
          headers.etag,
        ]);
    }
    const workers = new Set(lines(service, 'answered').map(({ worker }) => worker));
    expect(workers.size).toBe(2);
    for (const agent of agents) agent.destroy();
    await stopped(service);
  });

  test('a database in memory cannot be shared', async () => {
    await expect(startProcess({ WORKERS: '2' })).rejects.toThrow('ended with 1');
  });

  // Elsewhere it is not known who has a file open.
  const onLinux = process.platform === 'linux' ? test : test.skip;

  onLinux('a second process on a file is warned, one that is alone is not', async () => {
    const environment = { DATABASE_URL: `sqlite:${folder}/store.db` };
    const one = await startProcess(environment);
    const two = await startProcess(environment);
    expect(one.log.map(({ msg }) => msg)).toEqual(['listening']);
    expect(two.log).toMatchObject([{ level: 40, msg: expect.stringMatching(/another process/) }, {}]);
    await Promise.all([one, two].map(stopped));
    const alone = await startProcess(environment);
    expect(alone.log.map(({ msg }) => msg)).toEqual(['listening']);
    await stopped(alone);
  });
});
