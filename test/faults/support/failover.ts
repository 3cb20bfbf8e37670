import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { type Receiver, startReceiver } from '../../runtime/events/receiver';
import {
  type PostgresServer,
  postgresServer,
  type Standby,
} from '../../runtime/store/postgres/postgres-server';
import { type Contents, halves, readContents } from './database';
import { EventReader } from './event-reader';
import { type Breakage, demand } from './fault';
import { type RunningService, startService } from './service';
import { Writers } from './writers';

/** Maximum time from the promotion to the next acknowledged write, in ms. */
const PROMISED = 10_000;

/** Time for things that are no part of a promise, in ms: the machine may be busy. */
export const PATIENCE = 60_000;

/** Time in which only the primary that was replaced is there, in ms. */
const ALONE = 2_000;

/** A primary, its standby, and a service that knows both. */
export interface Pair {
  primary: PostgresServer;
  standby: Standby;
  /** The URL of the database on the primary. */
  url: string;
  both: string;
}

/** Returns the rows of a statement. */
export async function run<R>(url: string, sql: string): Promise<R[]> {
  const client = new Client(url);
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows as R[];
}

/** Resolves once a condition holds. Throws a Violation when it does not in time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  otherwise: string,
  ms = PATIENCE,
): Promise<void> {
  for (const end = performance.now() + ms; !(await condition()); await setTimeout(20))
    demand(performance.now() < end, otherwise);
}

/** Sets for which standbys the primary waits: none, or `*`. */
export async function waitFor(
  standbys: string,
  { primary, url }: Pick<Pair, 'primary' | 'url'>,
): Promise<void> {
  await primary.run(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
  await primary.run('SELECT pg_reload_conf()');
  const state = standbys === '' ? 'async' : 'sync';
  const isSo = `SELECT FROM pg_stat_replication WHERE sync_state = '${state}' AND state = 'streaming'`;
  if (standbys !== '')
    await until(async () => (await run(url, isSo)).length > 0, `the standby is not ${state}`);
}

/** Starts a primary and a standby, and closes them after `use`. The service has a schema, or a database of its own. */
export async function withPair<T>(
  { isSynchronous, own = 'schema' }: { isSynchronous: boolean; own?: 'schema' | 'database' },
  use: (pair: Pair) => Promise<T>,
): Promise<T> {
  const primary = await postgresServer();
  try {
    const url = await (own === 'schema' ? primary.newSchema() : primary.newDatabase());
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

/** The observers of a service during a failover. */
export interface Observed {
  service: RunningService;
  writers: Writers;
  reader: EventReader;
  receiver: Receiver;
}

/** Starts a service, writers, a reader of its events and a receiver of its webhooks, and ends them after `use`. */
export async function observed<T>(
  url: string,
  broken: Breakage,
  use: (seen: Observed) => Promise<T>,
): Promise<T> {
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
export async function promoted({ standby }: Pair, writers: Writers): Promise<number> {
  await standby.promote();
  return goOn(writers);
}

/** Resolves with the time until a write is acknowledged again, in ms. Throws a Violation after `promised` ms. */
export async function goOn(writers: Writers, promised = PROMISED): Promise<number> {
  const start = performance.now();
  const before = writers.acknowledged;
  // At most 8 responses of the former primary can be on their way: one for each writer.
  await until(() => writers.acknowledged > before + 8, 'writes do not go on in time', promised);
  return performance.now() - start;
}

const COUNT =
  'SELECT (SELECT count(*) FROM events)::int AS events, (SELECT count(*) FROM timelines)::int AS timelines';

/**
 * Leaves the service alone with the primary that was replaced for a while: `begin` and `end` say how. Throws when anything
 * is written there.
 */
export async function alone(
  { url }: Pair,
  writers: Writers,
  { begin, end }: { begin(): Promise<void>; end(): Promise<void> },
): Promise<void> {
  const [before] = await run(url, COUNT);
  const refused = writers.refused;
  await begin();
  await setTimeout(ALONE);
  const compareCounts = async (): Promise<void> => {
    const [after] = await run(url, COUNT);
    demand(JSON.stringify(after) === JSON.stringify(before), 'the primary that was replaced was written to');
  };
  await compareCounts();
  await until(() => writers.refused > refused, 'no write was refused');
  await compareCounts();
  await end();
  const { acknowledged } = writers;
  await until(() => writers.acknowledged > acknowledged + 50, 'writes do not go on');
}

/** Compares what was acknowledged with what is in the database of the promoted server, and returns that. */
export async function compareWrites(url: string, writers: Writers): Promise<Contents> {
  await writers.stop();
  const contents = await readContents(url);
  const lost = writers.lost(contents);
  demand(lost.length === 0, `${lost.length} writes lost or doubled, such as ${lost[0]}`);
  const half = halves(contents);
  demand(half.length === 0, `${half.length} half written, such as ${half[0]}`);
  return contents;
}

/**
 * Compares what was acknowledged, and what the reader and the webhook got, with the database of the promoted server. Each time
 * that the service lost its database, an event may be delivered again.
 */
export async function compare(
  url: string,
  { writers, reader, receiver }: Observed,
  losses = 1,
): Promise<string> {
  const contents = await compareWrites(url, writers);
  const ids = contents.events.map(({ text }) => (JSON.parse(text) as { id: string }).id);
  demand(
    await reader.reach(ids.length, PATIENCE),
    `the reader got ${reader.received.length} of ${ids.length} events${reader.isGone ? ', then 410' : ''}`,
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
  demand(most <= 1 + losses, `an event was delivered ${most} times`);
  return `${writers.acknowledged} writes acknowledged, 0 lost, 0 doubled; ${ids.length} events in order, delivered up to ${most} times`;
}

/** Shows a time in ms. */
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
