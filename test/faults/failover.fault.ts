import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { startReceiver, type Receiver } from '../runtime/events/receiver';
import {
  describeWithStandby,
  postgresServer,
  type PostgresServer,
  type Standby,
} from '../runtime/postgres-server';
import { halves, readContents } from './database';
import { EventReader } from './event-reader';
import { demand, fault, type Breakage } from './fault';
import { startService, type RunningService } from './service';
import { Writers } from './writers';

/** Maximum time from the promotion to the next acknowledged write, in ms. */
const PROMISED = 10_000;

/** Time for things that are no part of a promise, in ms: the machine may be busy. */
const PATIENCE = 60_000;

/** Time in which only the primary that was replaced is there, in ms. */
const ALONE = 2_000;

/** A primary, its standby, and a service that knows both. */
interface Pair {
  primary: PostgresServer;
  standby: Standby;
  /** Of the database on the primary. */
  url: string;
  both: string;
}

async function run<R>(url: string, sql: string): Promise<R[]> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows as R[];
}

async function until(
  condition: () => boolean | Promise<boolean>,
  otherwise: string,
  ms = PATIENCE,
): Promise<void> {
  for (const end = performance.now() + ms; !(await condition()); await setTimeout(20))
    demand(performance.now() < end, otherwise);
}

async function waitFor(standbys: string, { primary, url }: Pick<Pair, 'primary' | 'url'>): Promise<void> {
  await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
  await primary.run('SELECT pg_reload_conf()');
  const state = standbys === '' ? 'async' : 'sync';
  const isSo = `SELECT FROM pg_stat_replication WHERE sync_state = '${state}' AND state = 'streaming'`;
  if (standbys !== '')
    await until(async () => (await run(url, isSo)).length > 0, `the standby is not ${state}`);
}

/** Starts a primary and a standby, and closes them after `use`. */
async function withPair<T>(isSynchronous: boolean, use: (pair: Pair) => Promise<T>): Promise<T> {
  const primary = await postgresServer();
  try {
    const url = await primary.newSchema();
    const standby = await primary.startStandby();
    try {
      if (isSynchronous) await waitFor('*', { primary, url });
      return await use({ primary, standby, url, both: standby.together(url) });
    } finally {
      await standby.close();
    }
  } finally {
    await primary.close();
  }
}

/** What follows a service through a failover. */
interface Observed {
  service: RunningService;
  writers: Writers;
  reader: EventReader;
  receiver: Receiver;
}

async function observed<T>(url: string, broken: Breakage, use: (seen: Observed) => Promise<T>): Promise<T> {
  const receiver = await startReceiver();
  const environment = { ...broken.environment, WEBHOOK_URLS: receiver.url, WEBHOOK_ALLOW_PRIVATE: 'true' };
  const service = await startService(url, { ...broken, environment });
  const [writers, reader] = [new Writers(8, true), new EventReader(service.port)];
  try {
    writers.start(() => service.port);
    await writers.reach(200);
    return await use({ service, writers, reader, receiver });
  } finally {
    await Promise.all([writers.stop(), reader.close(), service.kill()]);
    receiver.close();
  }
}

/** Resolves with the time until a write is acknowledged on the promoted server, in ms. */
async function promoted({ standby }: Pair, writers: Writers): Promise<number> {
  await standby.promote();
  const start = performance.now();
  const before = writers.acknowledged;
  // Of 8 writers, no more than 8 responses of the former primary can be on their way.
  await until(
    () => writers.acknowledged > before + 8,
    'writes do not go on in time after the promotion',
    PROMISED,
  );
  return performance.now() - start;
}

const COUNT =
  'SELECT (SELECT count(*) FROM events)::int AS events, (SELECT count(*) FROM timelines)::int AS timelines';

/** Leaves the service alone with the primary that was replaced for a while. Throws when anything is written there. */
async function alone({ standby, url }: Pair, writers: Writers): Promise<void> {
  const [before] = await run(url, COUNT);
  const refused = writers.refused;
  await standby.stop();
  await setTimeout(ALONE);
  await standby.start();
  await until(() => writers.refused > refused, 'no write was refused');
  const [after] = await run(url, COUNT);
  demand(JSON.stringify(after) === JSON.stringify(before), 'the primary that was replaced was written to');
  const { acknowledged } = writers;
  await until(() => writers.acknowledged > acknowledged + 50, 'writes do not go on');
}

/** Compares what was acknowledged, what the reader and the webhook got, and what is on the promoted server. */
async function compare({ standby, url }: Pair, { writers, reader, receiver }: Observed): Promise<string> {
  await writers.stop();
  const contents = await readContents(standby.instead(url));
  const lost = writers.lost(contents);
  demand(lost.length === 0, `${lost.length} writes lost or doubled, such as ${lost[0]}`);
  const half = halves(contents);
  demand(half.length === 0, `${half.length} half written, such as ${half[0]}`);
  const ids = contents.events.map(({ text }) => (JSON.parse(text) as { id: string }).id);
  demand(
    await reader.reach(ids.length, PATIENCE),
    `the reader got ${reader.received.length} of ${ids.length} events`,
  );
  const read = reader.received.map(({ event }) => event.id);
  demand(JSON.stringify(read) === JSON.stringify(ids), 'the reader got other events, or in another order');
  const times = (): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const { event } of receiver.messages) counts.set(event.id, (counts.get(event.id) ?? 0) + 1);
    return counts;
  };
  await until(() => times().size === ids.length, 'events are not delivered');
  const most = Math.max(...times().values());
  demand(most <= 2, `an event was delivered ${most} times`);
  return `${writers.acknowledged} writes acknowledged, 0 lost, 0 doubled; ${ids.length} events in order, delivered up to ${most} times`;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

describeWithStandby('PostgreSQL with a standby', () => {
  fault('the primary is killed, and its synchronous standby promoted', {
    check: (broken) =>
      withPair(true, (pair) =>
        observed(pair.both, broken, async (seen) => {
          const { primary, standby } = pair;
          await primary.kill();
          const duration = await promoted(pair, seen.writers);
          await primary.start();
          await waitFor('', pair);
          await run(
            standby.url,
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svcgen'`,
          );
          await alone(pair, seen.writers);
          return `writes after ${seconds(duration)}; ${await compare(pair, seen)}`;
        }),
      ),
    controls: { 'the primary that returns is not refused': { hooks: ['no-fence'] } },
  });

  fault('the primary falls silent, its synchronous standby is promoted, and it wakes', {
    check: (broken) =>
      withPair(true, (pair) =>
        observed(pair.both, broken, async (seen) => {
          const { primary } = pair;
          primary.freeze();
          const duration = await promoted(pair, seen.writers).finally(() => primary.thaw());
          await waitFor('', pair);
          await alone(pair, seen.writers);
          return `writes after ${seconds(duration)}; ${await compare(pair, seen)}`;
        }),
      ),
    controls: { 'no other primary is looked for': { hooks: ['no-lookout'] } },
  });

  fault('the primary is killed, and a standby promoted that lacks acknowledged writes', {
    check: (broken) =>
      withPair(false, (pair) =>
        observed(pair.both, broken, async ({ service, writers, reader }) => {
          const { primary, url } = pair;
          const senders = await run<{ pid: number }>(
            url,
            `SELECT pid FROM pg_stat_activity WHERE backend_type = 'walsender'`,
          );
          for (const { pid } of senders) process.kill(pid, 'SIGSTOP');
          await writers.reach(writers.acknowledged + 100);
          const [{ count }] = await run<{ count: number }>(url, 'SELECT count(*)::int FROM events');
          demand(await reader.reach(count, PATIENCE), 'the reader does not get the events');
          await primary.kill();
          await promoted(pair, writers);
          const reports = (): RunningService['log'] =>
            service.log.filter(({ forgotten }) => Number(forgotten) > 0);
          await until(() => reports().length > 0, 'the loss is not reported');
          await until(() => reader.isGone, 'a reader of lost events gets no 410', 20_000);
          return `${reports()
            .map(({ forgotten, remembered }) => `${String(forgotten)} of ${String(remembered)}`)
            .join()} transactions reported as lost; the reader of lost events got 410`;
        }),
      ),
    controls: { 'positions of lost events are taken for others': { hooks: ['trusts-positions'] } },
  });
});
