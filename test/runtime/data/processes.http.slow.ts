import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { JSON_TYPE, send } from '../support/client';
import { onBothStores } from '../support/databases';
import { NEW, runShopLoad, shopProblems, startShop, unexpectedStatuses } from './shop-load';

/** Returns the status of a PUT; one that the store refuses because the machine is busy is repeated. */
async function put(port: number, path: string, sent: Parameters<typeof send>[3]): Promise<number> {
  for (;;) {
    const { status } = await send(port, 'PUT', path, sent);
    if (status !== 503) return status;
    await setTimeout(100);
  }
}

onBothStores((url) => {
  test('writes, renames and deletions of two processes, one of them killed, leave nothing dangling and nothing twice', async () => {
    const database = await url();
    const counts = await runShopLoad(database, { clients: 16, writes: 1_200, kills: 1 });
    expect(await shopProblems(database)).toEqual([]);
    expect(unexpectedStatuses(counts)).toEqual([]);
    for (const least of ['DELETE 200', 'DELETE 409', 'PUT 201', 'PUT 409', 'PATCH 200', 'PATCH 409'])
      expect([least, (counts.get(least) ?? 0) > 0]).toEqual([least, true]);
  });

  test('documents that two processes apply at once are created once each', async () => {
    const database = await url();
    const processes = [await startShop(database), await startShop(database)];
    const agent = new Agent({ keepAlive: true });
    const apply = async (port: number, name: string): Promise<number> => {
      const sent = { headers: { ...JSON_TYPE, ...NEW }, body: { spec: { title: name } }, agent };
      const status = await put(port, `/suppliers/${name}`, sent);
      return status === 412 ? put(port, `/suppliers/${name}`, { ...sent, headers: JSON_TYPE }) : status;
    };
    const statuses = await Promise.all(
      Array.from({ length: 400 }, (_, n) =>
        apply(processes[n % 2].port, `document-${Math.floor(n / 4) % 20}`),
      ),
    );
    const all = (await send(processes[0].port, 'GET', '/suppliers', { agent })).text;
    agent.destroy();
    for (const { child } of processes) child.kill('SIGKILL');
    expect((JSON.parse(all) as unknown[]).length).toBe(20);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
  });
});
