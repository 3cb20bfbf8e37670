import { describeWithPatroni, type PatroniNode, startPatroni } from '../runtime/store/postgres/patroni';
import { compare, goOn, observed, PATIENCE, run, seconds, until } from './support/failover';
import { fault } from './support/fault';

/** Resolves once a server is a primary. Only the end of the lease of the former one leads to that. */
async function isPromoted({ url }: PatroniNode): Promise<void> {
  const isPrimary = async (): Promise<boolean> => {
    const [row] = await run<{ is: boolean }>(url, 'SELECT NOT pg_is_in_recovery() AS is');
    return row.is;
  };
  await until(() => isPrimary().catch(() => false), 'the standby is not promoted', PATIENCE);
}

describeWithPatroni('PostgreSQL with Patroni and etcd', () => {
  fault('PostgreSQL and Patroni of the leader are killed; later Patroni of the next leader alone', {
    async check(broken) {
      const cluster = await startPatroni();
      try {
        const { leader, standby } = await cluster.pair();
        return await observed(cluster.url, broken, async (seen) => {
          const { writers } = seen;
          const killed = performance.now();
          await leader.kill();
          await isPromoted(standby);
          const first = await goOn(writers);
          const without = performance.now() - killed;
          leader.start();
          await until(
            async () => (await cluster.pair()).standby === leader,
            'the former leader is no standby',
          );
          await standby.killPatroni();
          // The server of the former leader is a primary as before, and waits for its standby.
          await isPromoted(leader);
          const second = await goOn(writers);
          return (
            `writes ${seconds(first)} after the promotion, ${seconds(without)} after the kill; then ` +
            `${seconds(second)} after the promotion; ${await compare(leader.url, seen, 2)}`
          );
        });
      } finally {
        await cluster.close();
      }
    },
    controls: { 'dead connections are kept': { hooks: ['keeps-dead-connections'] } },
  });
});
