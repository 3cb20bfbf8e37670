import { describeWithPatroni, startPatroni, type PatroniCluster, type PatroniNode } from '../runtime/patroni';
import { compare, goOn, observed, PATIENCE, run, seconds, until, type Observed } from './failover';
import { fault, type Breakage } from './fault';

/** Resolves once a server is a primary. Only the end of the lease of the former one leads to that. */
async function isPromoted({ url }: PatroniNode): Promise<void> {
  const isPrimary = async (): Promise<boolean> => {
    const [row] = await run<{ is: boolean }>(url, 'SELECT NOT pg_is_in_recovery() AS is');
    return row.is;
  };
  await until(() => isPrimary().catch(() => false), 'the standby is not promoted', PATIENCE);
}

/** Both servers of a cluster, and a service that knows both. */
interface Managed extends Observed {
  cluster: PatroniCluster;
  leader: PatroniNode;
  standby: PatroniNode;
}

async function managed(broken: Breakage, use: (all: Managed) => Promise<string>): Promise<string> {
  const cluster = await startPatroni();
  try {
    const pair = await cluster.pair();
    return await observed(cluster.url, broken, (seen) => use({ ...seen, ...pair, cluster }));
  } finally {
    await cluster.close();
  }
}

describeWithPatroni('PostgreSQL with Patroni and etcd', () => {
  fault('PostgreSQL and Patroni of the leader are killed', {
    check: (broken) =>
      managed(broken, async (all) => {
        const { cluster, leader, standby, writers } = all;
        const killed = performance.now();
        await leader.kill();
        await isPromoted(standby);
        const duration = await goOn(writers);
        const without = performance.now() - killed;
        leader.start();
        await until(async () => (await cluster.pair()).standby === leader, 'the former leader is no standby');
        await writers.reach(writers.acknowledged + 50);
        return (
          `writes ${seconds(duration)} after the promotion, ${seconds(without)} after the kill; ` +
          (await compare(standby.url, all))
        );
      }),
    controls: { 'dead connections are kept': { hooks: ['keeps-dead-connections'] } },
  });
});
