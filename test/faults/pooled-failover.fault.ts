import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { describeWithPooler, type Pooler, startPooler } from '../runtime/store/postgres/pooler';
import { describeWithStandby } from '../runtime/store/postgres/postgres-server';
import {
  alone,
  compare,
  compareWrites,
  goOn,
  type Observed,
  observed,
  type Pair,
  promoted,
  run,
  seconds,
  until,
  waitFor,
  withPair,
} from './support/failover';
import { type Breakage, demand, fault } from './support/fault';

/** As in docs/postgresql.md. */
const SETTINGS = ['query_wait_timeout = 2'];

/** Time in which the primary that was replaced is there again, and PgBouncer still names it, in ms. */
const BACK = 2_000;

/** A pair behind a pooler that names the primary, and a service that knows the pooler only. */
interface Pooled extends Pair, Observed {
  pooler: Pooler;
}

function pooled(broken: Breakage, use: (all: Pooled) => Promise<string>): Promise<string> {
  return withPair({ isSynchronous: true, own: 'database' }, async (pair) => {
    const pooler = await startPooler(pair.url, 'transaction', SETTINGS);
    return observed(pooler.through(pair.url), broken, (seen) => use({ ...pair, ...seen, pooler })).finally(
      () => pooler.close(),
    );
  });
}

/** Kills the primary while it holds a transaction of the service, so that PgBouncer closes a connection of the service. */
async function killWithTransaction({ primary, url }: Pair): Promise<void> {
  const holder = new Client(url);
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE events IN EXCLUSIVE MODE');
  const waiting = (): Promise<object[]> => run(url, 'SELECT FROM pg_locks WHERE NOT granted');
  await until(async () => (await waiting()).length > 0, 'no transaction waits');
  await primary.kill();
}

/** Kills the primary, promotes the standby and lets the pooler name it. Resolves with the time until writes go on, in ms. */
async function failOver(all: Pooled): Promise<number> {
  const { standby, pooler, writers } = all;
  await killWithTransaction(all);
  await standby.promote();
  pooler.pointTo(standby.url);
  return goOn(writers);
}

describeWithStandby('PostgreSQL with a standby', () => {
  describeWithPooler('behind PgBouncer in transaction mode', () => {
    fault('the primary is killed, its standby promoted, and PgBouncer reloaded', {
      check: (broken) =>
        pooled(broken, async (all) => {
          const duration = await failOver(all);
          return `writes after ${seconds(duration)}; ${await compare(all.standby.instead(all.url), all)}`;
        }),
      controls: { 'dead connections are kept': { hooks: ['keeps-dead-connections'] } },
    });

    fault('the primary is killed, its standby promoted, each behind a PgBouncer of its own', {
      check: (broken) =>
        withPair({ isSynchronous: true, own: 'database' }, async (pair) => {
          const { standby, url } = pair;
          const pooler = await startPooler(url, 'transaction', SETTINGS);
          const other = await startPooler(standby.url, 'transaction', SETTINGS);
          const both = pooler.through(url, other);
          return observed(both, broken, async (seen) => {
            await killWithTransaction(pair);
            const duration = await promoted(pair, seen.writers);
            return `writes after ${seconds(duration)}; ${await compare(standby.instead(url), seen)}`;
          }).finally(() => Promise.all([pooler.close(), other.close()]));
        }),
      controls: { 'dead connections are kept': { hooks: ['keeps-dead-connections'] } },
    });

    fault('PgBouncer names the promoted server, and then the primary that was replaced', {
      check: (broken) =>
        pooled(broken, async (all) => {
          const { primary, standby, url, pooler, writers } = all;
          await failOver(all);
          await primary.start();
          await waitFor('', all);
          await alone(all, writers, {
            begin: async () => pooler.pointTo(url),
            end: async () => pooler.pointTo(standby.url),
          });
          return compare(standby.instead(url), all, 3);
        }),
      controls: { 'the server behind a pooler is trusted': { hooks: ['trusts-poolers'] } },
    });

    fault('the primary is killed and comes back while PgBouncer names it, its standby promoted', {
      check: (broken) =>
        pooled(broken, async (all) => {
          const { primary, standby, url, pooler, writers, reader } = all;
          await primary.kill();
          await standby.promote();
          await primary.start();
          const { acknowledged } = writers;
          await setTimeout(BACK);
          const meanwhile = writers.acknowledged - acknowledged;
          demand(meanwhile === 0, `the primary that was replaced acknowledged ${meanwhile} writes`);
          await primary.kill();
          pooler.pointTo(standby.url);
          const duration = await goOn(writers);
          const { events } = await compareWrites(standby.instead(url), writers);
          // The primary has recovered, and shows, writes that no standby had, and that nobody acknowledged.
          const isOver = (): boolean => reader.isGone || reader.received.length >= events.length;
          await until(isOver, 'the reader gets neither all events nor 410');
          return (
            `writes after ${seconds(duration)}; ${writers.acknowledged} writes acknowledged, 0 lost, 0 doubled; ` +
            `the reader got ${reader.isGone ? '410' : 'all events'}`
          );
        }),
      controls: { 'synchronous_commit=off': { hooks: ['not-durable'] } },
    });
  });
});
