import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startReceiver } from '../runtime/events/receiver';
import { halves, readContents } from './support/database';
import { demand, fault } from './support/fault';
import { startService } from './support/service';
import { Writers } from './support/writers';

/** Number of times that the process that is written to dies. */
const DEATHS = 3;

/** Maximum time of a takeover, in ms: the bound is for a machine that is busy with other things. */
const TAKEOVER = { goal: 1_000, bound: 30_000 };

const PATIENCE = 60_000;

fault('a second process takes over a SQLite file when the first is killed', {
  async check(broken) {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-takeover-'));
    const url = `sqlite:${folder}/service.db`;
    const receiver = await startReceiver();
    const environment = {
      ...broken.environment,
      WEBHOOK_URLS: receiver.url,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      EVENTS_LEASE_MS: '1000',
    };
    const start = (): ReturnType<typeof startService> => startService(url, { ...broken, environment });
    let [active, waiting] = [await start(), await start()];
    const writers = new Writers(8, true);
    try {
      writers.start(() => active.port);
      let slowest = 0;
      for (let death = 0; death < DEATHS; death++) {
        await writers.reach(writers.acknowledged + 150);
        const died = active;
        active = waiting;
        await died.kill();
        const [begun, before] = [performance.now(), writers.acknowledged];
        while (writers.acknowledged < before + 8) {
          demand(performance.now() < begun + TAKEOVER.bound, 'the other process does not take over');
          await setTimeout(5);
        }
        slowest = Math.max(slowest, performance.now() - begun);
        waiting = await start();
      }
      await writers.stop();
      const contents = await readContents(url);
      const lost = writers.lost(contents);
      demand(lost.length === 0, `${lost.length} writes lost, such as ${lost[0]}`);
      const half = halves(contents);
      demand(half.length === 0, `${half.length} half written, such as ${half[0]}`);
      const ids = contents.events.map(({ text }) => (JSON.parse(text) as { id: string }).id);
      const isDelivered = (): boolean => {
        const delivered = new Set(receiver.messages.map(({ event }) => event.id));
        return ids.every((id) => delivered.has(id));
      };
      for (const end = performance.now() + PATIENCE; !isDelivered(); await setTimeout(50))
        demand(performance.now() < end, 'events are not delivered');
      return (
        `${DEATHS} deaths, 8 writes on the other process after ${slowest.toFixed(0)} ms (goal ${TAKEOVER.goal}); ` +
        `${writers.acknowledged} acknowledged, 0 lost, 0 half; all ${ids.length} events delivered`
      );
    } finally {
      await writers.stop();
      await Promise.all([active.kill(), waiting.kill()]);
      receiver.close();
      rmSync(folder, { recursive: true });
    }
  },
  controls: { 'acknowledges early': { hooks: ['acknowledge-early'] } },
});
