import { chmodSync, chownSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { describeWithPooler, type Pooler, startPooler } from '../runtime/store/postgres/pooler';
import {
  describeWithPostgres,
  type PostgresServer,
  postgresServer,
} from '../runtime/store/postgres/postgres-server';
import { createDevice, send } from './support/client';
import { halves, readContents } from './support/database';
import { type Breakage, demand, fault, Violation } from './support/fault';
import { describeWithImages, fillDisk, makeImage } from './support/image';
import { startService } from './support/service';
import { Writers } from './support/writers';

/** Minimum duration of the disturbance, in ms. One that makes writes impossible lasts until a write is refused. */
const DISTURBED = 1_500;

/** Maximum time until a client gets its 503, in ms: the bound is for a machine that is busy with other things. */
const PATIENCE = { goal: 1_000, bound: 20_000 };

/**
 * The same where PostgreSQL keeps its connections and does not respond: a read is repeated once, on another of them. The
 * service ends a request after a minute.
 */
const SILENCE = { goal: 30_000, bound: 50_000 };

/** The same behind a pooler, which holds queries for a while when it cannot reach the server. */
const POOLED = { goal: 4_000, bound: 40_000 };
const WAIT = ['query_wait_timeout = 2'];

/** Something that happens to PostgreSQL, and its end. */
interface Disturbance {
  /** `url` is that of the service's database. */
  begin(url: string): Promise<void>;
  end(): Promise<void>;
  /** True if writes are impossible meanwhile: each of its times, one has to be refused. */
  isTotal: boolean;
  /** Number of times. */
  times?: number;
  /** Maximum time of a response. */
  patience?: typeof PATIENCE;
  /** The pooler between the service and the server. */
  pooler?: Pooler;
}

let server: PostgresServer;

/**
 * Disturbs PostgreSQL under writers that go on. Responses meanwhile are 503, soon; afterwards all works without
 * a restart; all that was acknowledged is there, and nothing that was refused.
 */
async function disturbed(
  broken: Breakage,
  { begin, end, isTotal, times = 2, patience = PATIENCE, pooler }: Disturbance,
): Promise<string> {
  const url = pooler === undefined ? await server.newSchema() : await server.newDatabase();
  const service = await startService(pooler?.through(url) ?? url, broken);
  const writers = new Writers(8, true);
  try {
    const path = (await createDevice(service.port, 'read meanwhile')).headers.location!;
    let slowest = 0;
    let refused = 0;
    let reads = 0;
    const read = async (): Promise<number> => {
      const start = performance.now();
      const unanswered = setTimeout(patience.bound).then(() => {
        throw new Violation(`a GET has no response after ${patience.bound} ms`);
      });
      const { status } = await Promise.race([send(service.port, 'GET', path), unanswered]);
      slowest = Math.max(slowest, performance.now() - start);
      demand(status === 200 || status === 503, `a GET got ${status}`);
      if (status === 503) refused += 1;
      reads += 1;
      return status;
    };
    writers.start(() => service.port);
    for (let time = 0; time < times; time++) {
      await writers.reach(writers.acknowledged + 150);
      const refusedBefore = writers.refused;
      await begin(url);
      const begun = performance.now();
      const elapsed = (): number => performance.now() - begun;
      const isNoticed = (): boolean => !isTotal || writers.refused > refusedBefore;
      while (elapsed() < DISTURBED || (!isNoticed() && elapsed() < patience.bound)) {
        await read();
        await setTimeout(10);
      }
      demand(isNoticed(), 'nothing was refused');
      await end();
      for (const repaired = performance.now(); (await read()) !== 200;) {
        demand(performance.now() < repaired + 20_000, 'reads do not resume');
        await setTimeout(10);
      }
      const before = writers.acknowledged;
      for (const repaired = performance.now(); writers.acknowledged < before + 50;) {
        demand(performance.now() < repaired + 20_000, 'writes do not resume');
        await setTimeout(10);
      }
    }
    await writers.stop();
    slowest = Math.max(slowest, writers.slowestRefusal);
    demand(slowest < patience.bound, `a response took ${slowest.toFixed(0)} ms`);
    const contents = await readContents(url);
    const resources = contents.resources.filter(({ uid }) => !path.endsWith(uid));
    const lost = writers.lost({ resources });
    demand(lost.length === 0, `${lost.length} writes lost, such as ${lost[0]}`);
    const half = halves(contents);
    demand(half.length === 0, `${half.length} half written, such as ${half[0]}`);
    return (
      `${writers.acknowledged} writes acknowledged, 0 lost; ${refused} of ${reads} GETs and ${writers.refused} writes 503, ` +
      `the slowest response after ${slowest.toFixed(0)} ms (goal ${patience.goal})`
    );
  } finally {
    await Promise.all([writers.stop(), service.kill()]);
  }
}

/** The processes of the server that serve the service. */
async function backends(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'svcgen'`,
  );
  return rows.map(({ pid }) => pid);
}

/** Sends a signal to a process. Returns whether it was there. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
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

  describeWithPooler('behind PgBouncer', () => {
    fault('PostgreSQL crashes behind PgBouncer in transaction mode', {
      async check(broken) {
        const pooler = await startPooler(await server.newDatabase(), 'transaction', WAIT);
        return disturbed(broken, { ...stopping('crash'), pooler, patience: POOLED }).finally(() =>
          pooler.close(),
        );
      },
      controls: { 'synchronous_commit=off': { hooks: ['not-durable'] } },
    });
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

  fault('PostgreSQL cancels statements and ends transactions, and a table is locked', {
    async check(broken) {
      const limit = async (set: string): Promise<void> => {
        for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout'])
          await server.run(`ALTER ROLE postgres ${set.replace('$', setting)}`);
        await server.run(TERMINATE);
      };
      let stranger: Client | undefined;
      const unlock = async (): Promise<void> => {
        await stranger?.end();
        stranger = undefined;
        await limit('RESET $');
      };
      return disturbed(broken, {
        async begin(url) {
          stranger = new Client(url);
          await stranger.connect();
          await stranger.query('BEGIN; LOCK TABLE resources IN EXCLUSIVE MODE');
          await limit("SET $ = '50ms'");
        },
        end: unlock,
        isTotal: true,
      }).finally(unlock);
    },
    controls: { 'errors of PostgreSQL are passed on': { hooks: ['passes-errors-on'] } },
  });

  describeWithImages('a file system', () => {
    fault('the disk of PostgreSQL is full, its log is on another one', {
      async check(broken) {
        const image = makeImage(24);
        const full = fillDisk(image.folder);
        // PostgreSQL does not run as root.
        chownSync(image.folder, 65534, 65534);
        chmodSync(dirname(image.folder), 0o711);
        await server.run(`CREATE TABLESPACE small LOCATION '${image.folder}'`);
        await server.run('ALTER ROLE postgres SET default_tablespace = small');
        const schemas = `DO $$ DECLARE s text; BEGIN FOR s IN SELECT DISTINCT schemaname FROM pg_tables WHERE tablespace = 'small'
          LOOP EXECUTE 'DROP SCHEMA ' || s || ' CASCADE'; END LOOP; END $$`;
        return disturbed(broken, {
          begin: async () => full.fill(),
          end: async () => full.empty(),
          isTotal: true,
        }).finally(async () => {
          full.empty();
          await server.run('ALTER ROLE postgres RESET default_tablespace');
          await server.run(schemas);
          await server.run('DROP TABLESPACE small');
          image.close();
        });
      },
      controls: { 'errors of PostgreSQL are passed on': { hooks: ['passes-errors-on'] } },
    });
  });

  // The server's processes have to be on this machine.
  if (process.env['TEST_POSTGRES_URL'] !== undefined) return;

  fault('PostgreSQL does not respond', {
    async check(broken) {
      const url = await server.newSchema();
      const silent = new Set<number>();
      let silencing: Promise<void> | undefined;
      let isSilent = true;
      const silence = async (watcher: Client): Promise<void> => {
        for (const pid of await backends(watcher)) if (signal(pid, 'SIGSTOP')) silent.add(pid);
      };
      const wake = async (): Promise<void> => {
        isSilent = false;
        await silencing;
        for (const pid of silent) signal(pid, 'SIGCONT');
        silent.clear();
      };
      return disturbed(broken, {
        async begin() {
          const watcher = new Client(url);
          await watcher.connect();
          await silence(watcher);
          // Connections that the service opens meanwhile are silent too.
          const goOn = async (): Promise<void> => {
            for (; isSilent; await setTimeout(50)) await silence(watcher);
            await watcher.end();
          };
          silencing = goOn();
        },
        end: wake,
        isTotal: true,
        times: 1,
        patience: SILENCE,
      }).finally(wake);
    },
    controls: { 'it is waited for': { hooks: ['waits-for-ever'] } },
  });
});
