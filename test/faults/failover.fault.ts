import { describeWithStandby } from '../runtime/store/postgres/postgres-server';
import {
  alone,
  compare,
  observed,
  PATIENCE,
  promoted,
  run,
  seconds,
  until,
  waitFor,
  withPair,
} from './support/failover';
import { demand, fault } from './support/fault';
import type { RunningService } from './support/service';

describeWithStandby('PostgreSQL with a standby', () => {
  fault('the primary is killed, and its synchronous standby promoted', {
    check: (broken) =>
      withPair({ isSynchronous: true }, (pair) =>
        observed(pair.both, broken, async (seen) => {
          const { primary, standby, url } = pair;
          await primary.kill();
          const duration = await promoted(pair, seen.writers);
          await primary.start();
          await waitFor('', pair);
          await run(
            standby.url,
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svcgen'`,
          );
          await alone(pair, seen.writers, { begin: () => standby.stop(), end: () => standby.start() });
          return `writes after ${seconds(duration)}; ${await compare(standby.instead(url), seen, 3)}`;
        }),
      ),
    controls: { 'the primary that returns is not refused': { hooks: ['no-fence'] } },
  });

  fault('the primary falls silent, its synchronous standby is promoted, and it wakes', {
    check: (broken) =>
      withPair({ isSynchronous: true }, (pair) =>
        observed(pair.both, broken, async (seen) => {
          const { primary, standby, url } = pair;
          primary.freeze();
          const duration = await promoted(pair, seen.writers).finally(() => primary.thaw());
          await waitFor('', pair);
          await alone(pair, seen.writers, { begin: () => standby.stop(), end: () => standby.start() });
          return `writes after ${seconds(duration)}; ${await compare(standby.instead(url), seen, 2)}`;
        }),
      ),
    controls: { 'no other primary is looked for': { hooks: ['no-lookout'] } },
  });

  fault('the primary is killed, and a standby promoted that lacks acknowledged writes', {
    check: (broken) =>
      withPair({ isSynchronous: false }, (pair) =>
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
