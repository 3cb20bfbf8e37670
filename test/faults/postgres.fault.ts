import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { describeWithPostgres, postgresServer, type PostgresServer } from '../runtime/postgres-server';
import { createDevice, send } from './client';
import { halves, readContents } from './database';
import { demand, fault, Violation, type Breakage } from './fault';
import { startService } from './service';
import { Writers } from './writers';

/** How long PostgreSQL is disturbed, in ms. */
const DISTURBED = 1_500;

/** What a client that is told 503 waits for it at most, in ms: the bound is for a machine that is busy with other things. */
const PATIENCE = { goal: 1_000, bound: 8_000 };

/** The same where PostgreSQL keeps a connection and does not answer. */
const SILENCE = { goal: 15_000, bound: 25_000 };

/** Something that happens to PostgreSQL, and its end. */
interface Disturbance {
  begin(): Promise<void>;
  end(): Promise<void>;
  /** Whether writes cannot be made meanwhile. */
  isTotal: boolean;
  /** How often. */
  times?: number;
  /** How long an answer may take. */
  patience?: typeof PATIENCE;
}

let server: PostgresServer;

/**
 * Disturbs PostgreSQL under writers that go on. What is answered meanwhile is 503, soon; afterwards all works without
 * a restart; all that was acknowledged is there, and nothing that was refused.
 */
async function disturbed(
  broken: Breakage,
  { begin, end, isTotal, times = 2, patience = PATIENCE }: Disturbance,
): Promise<string> {
  const url = await server.newSchema();
  const service = await startService(url, broken);
  const writers = new Writers(8, true);
  try {
    const path = (await createDevice(service.port, 'read meanwhile')).headers.location!;
    let slowest = 0;
    let refused = 0;
    let reads = 0;
    const read = async (): Promise<number> => {
      const start = performance.now();
      const unanswered = setTimeout(patience.bound).then(() => {
        throw new Violation(`a GET has no answer after ${patience.bound} ms`);
      });
      const { status } = await Promise.race([send(service.port, 'GET', path), unanswered]);
      slowest = Math.max(slowest, performance.now() - start);
      demand(status === 200 || status === 503, `a GET was answered ${status}`);
      if (status === 503) refused += 1;
      reads += 1;
      return status;
    };
    writers.start(() => service.port);
    for (let time = 0; time < times; time++) {
      await writers.reach(writers.acknowledged + 150);
      await begin();
      for (const until = performance.now() + DISTURBED; performance.now() < until;) {
        await read();
        await setTimeout(10);
      }
      await end();
      for (const mended = performance.now(); (await read()) !== 200;) {
        demand(performance.now() < mended + 10_000, 'reads do not resume');
        await setTimeout(10);
      }
      const before = writers.acknowledged;
      for (const mended = performance.now(); writers.acknowledged < before + 50;) {
        demand(performance.now() < mended + 15_000, 'writes do not resume');
        await setTimeout(10);
      }
    }
    await writers.stop();
    if (isTotal) demand(writers.refused > 0, 'nothing was refused');
    slowest = Math.max(slowest, writers.slowestRefusal);
    demand(slowest < patience.bound, `an answer took ${slowest.toFixed(0)} ms`);
    const contents = await readContents(url);
    const resources = contents.resources.filter(({ uid }) => !path.endsWith(uid));
    const lost = writers.lost({ resources });
    demand(lost.length === 0, `${lost.length} writes lost, such as ${lost[0]}`);
    const half = halves(contents);
    demand(half.length === 0, `${half.length} half written, such as ${half[0]}`);
    return (
      `${writers.acknowledged} writes acknowledged, 0 lost; ${refused} of ${reads} GETs and ${writers.refused} writes 503, ` +
      `the slowest answer after ${slowest.toFixed(0)} ms (goal ${patience.goal})`
    );
  } finally {
    await service.kill();
  }
}

/** The processes of the server that serve the service. */
async function backends(url: string): Promise<number[]> {
  const client = new Client(url);
  await client.connect();
  const found = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'svcgen'`,
  );
  await client.end();
  return found.rows.map(({ pid }) => pid);
}

const TERMINATE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'svcgen' AND pid <> pg_backend_pid()`;

/** Ends the service's connections and takes every one that the server has. */
async function takeAll(url: string): Promise<Client[]> {
  const clients: Client[] = [];
  const take = async (): Promise<void> => {
    const client = new Client(url);
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
  };
  const first = new Client(url);
  await first.connect();
  clients.push(first);
  for (let idle = 0; idle < 5;) {
    await first.query(TERMINATE);
    await Promise.all(Array.from({ length: 10 }, take)).then(
      () => (idle = 0),
      () => (idle += 1),
    );
  }
  return clients;
}

describeWithPostgres('PostgreSQL', () => {
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  const stopping = (how: 'crash' | 'restart'): Disturbance => ({
    begin: async () => void (await server.stop(how)),
    end: () => server.start(),
    isTotal: true,
  });

  fault('PostgreSQL crashes', {
    check: (broken) => disturbed(broken, stopping('crash')),
    controls: {
      'synchronous_commit=off': { hooks: ['not-durable'] },
      'dead connections are kept': { hooks: ['keeps-dead-connections'] },
    },
  });

  fault('PostgreSQL is restarted', {
    check: (broken) => disturbed(broken, stopping('restart')),
    controls: { 'dead connections are kept': { hooks: ['keeps-dead-connections'] } },
  });

  fault('PostgreSQL ends the connections, again and again', {
    async check(broken) {
      let timer: NodeJS.Timeout | undefined;
      return disturbed(broken, {
        begin: async () => void (timer = setInterval(() => void server.run(TERMINATE), 100)),
        end: async () => clearInterval(timer),
        isTotal: false,
      }).finally(() => clearInterval(timer));
    },
    controls: { 'dead connections are kept': { hooks: ['keeps-dead-connections'] } },
  });

  fault('PostgreSQL has no connection left', {
    async check(broken) {
      const url = await server.newSchema();
      let taken: Client[] = [];
      return disturbed(broken, {
        begin: async () => void (taken = await takeAll(url)),
        end: async () => void (await Promise.all(taken.splice(0).map((client) => client.end()))),
        isTotal: true,
      }).finally(() => Promise.all(taken.map((client) => client.end())));
    },
    controls: { 'dead connections are kept': { hooks: ['keeps-dead-connections'] } },
  });

  // The server's processes have to be on this machine.
  if (process.env['TEST_POSTGRES_URL'] !== undefined) return;

  fault('PostgreSQL does not answer', {
    async check(broken) {
      const url = await server.newSchema();
      let silent: number[] = [];
      const wake = (): void => {
        for (const pid of silent.splice(0)) process.kill(pid, 'SIGCONT');
      };
      return disturbed(broken, {
        async begin() {
          silent = await backends(url);
          for (const pid of silent) process.kill(pid, 'SIGSTOP');
        },
        end: async () => wake(),
        isTotal: true,
        times: 1,
        patience: SILENCE,
      }).finally(wake);
    },
    controls: { 'it is waited for': { hooks: ['waits-for-ever'] } },
  });
});
