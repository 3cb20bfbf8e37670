import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createDevice, send } from './support/client';
import { demand, fault } from './support/fault';
import { startService } from './support/service';

const SLOW = 500;

/** Times until slow clients are disconnected, in ms: the goal, and the bound on a busy machine. */
const GOALS = { headers: 15_000, body: 35_000 };
const PATIENCE = { headers: 25_000, body: 50_000 };

/** Maximum wait of healthy clients at the 99th percentile: the goal is 50 ms. */
const PATIENT_P99 = 1_000;

const run = promisify(execFile);

/** Slow clients of one sort, in a process of their own. Returns when the last was closed, in ms. */
async function slowClients(port: number, part: 'headers' | 'body'): Promise<number> {
  const script = join(__dirname, 'support/slow-clients.js');
  const { stdout } = await run(process.execPath, [
    script,
    String(port),
    String(SLOW),
    String(PATIENCE[part]),
    part,
  ]);
  const { closed, longest } = JSON.parse(stdout) as { closed: number; longest: number };
  demand(
    closed === SLOW,
    `${SLOW - closed} of ${SLOW} clients with slow ${part} are not closed after ${PATIENCE[part]} ms`,
  );
  return longest;
}

fault(`${SLOW} clients that send their headers byte by byte, and ${SLOW} their bodies`, {
  async check(broken) {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-slow-'));
    const service = await startService(`sqlite:${folder}/service.db`, broken);
    try {
      const path = (await createDevice(service.port, 'first')).headers.location!;
      const times: number[] = [];
      let running = true;
      // Each of them a request every 20 ms.
      const healthy = Array.from({ length: 8 }, async (_, client) => {
        while (running) {
          const start = performance.now();
          const { status } =
            client === 0 ? await createDevice(service.port, 'more') : await send(service.port, 'GET', path);
          demand(status < 300, `a healthy client was answered ${status}`);
          times.push(performance.now() - start);
          await setTimeout(20);
        }
      });
      const slow = Promise.all([slowClients(service.port, 'headers'), slowClients(service.port, 'body')]);
      const [headers, body] = await slow.finally(() => {
        running = false;
        return Promise.allSettled(healthy);
      });
      await Promise.all(healthy);
      times.sort((a, b) => a - b);
      const p99 = times[Math.floor(times.length * 0.99)];
      demand(p99 < PATIENT_P99, `the p99 of healthy clients is ${p99.toFixed(0)} ms`);
      const seconds = (ms: number): string => (ms / 1000).toFixed(1);
      return (
        `closed after ${seconds(headers)} s (goal ${seconds(GOALS.headers)}) and ${seconds(body)} s ` +
        `(goal ${seconds(GOALS.body)}); p99 of ${times.length} healthy requests ${p99.toFixed(1)} ms (goal 50)`
      );
    } finally {
      await service.kill();
      rmSync(folder, { recursive: true });
    }
  },
  controls: {
    'without time-outs': { environment: { HEADERS_TIMEOUT_MS: '3600000', REQUEST_TIMEOUT_MS: '3600000' } },
  },
});
