import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createDevice, type HttpResponse, JSON_TYPE, send } from './support/client';
import { demand, fault } from './support/fault';
import { startService } from './support/service';

const REQUESTS = 300;

fault('SIGTERM with requests in flight', {
  async check(broken) {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-stop-'));
    const url = `sqlite:${folder}/service.db`;
    try {
      const service = await startService(url, broken);
      const path = (await createDevice(service.port, 'first')).headers.location!;
      // Reads and writes that take from 1.5 to 3.5 s: all of them are under way after one.
      const responses = Array.from({ length: REQUESTS }, (_, n): Promise<HttpResponse | undefined> => {
        const headers = { ...JSON_TYPE, 'X-Delay': String(1_500 + (2_000 * n) / REQUESTS) };
        const body = { spec: { name: `device ${n}` } };
        const sent =
          n % 2 === 0
            ? send(service.port, 'POST', '/devices', { headers, body })
            : send(service.port, 'GET', path, { headers });
        return sent.catch(() => undefined);
      });
      await setTimeout(1_000);
      const start = performance.now();
      service.child.kill('SIGTERM');
      const outcomes = await Promise.all(responses);
      const code = await service.ended;
      const took = performance.now() - start;
      const withoutResponse = outcomes.filter((outcome) => outcome === undefined || outcome.status >= 300);
      demand(
        withoutResponse.length === 0,
        `${withoutResponse.length} of ${REQUESTS} requests had no response`,
      );
      demand(code === 0, `the exit code is ${code}`);
      demand(took < 30_000, `it took ${took.toFixed(0)} ms`);
      const again = await startService(url);
      const { text } = await send(again.port, 'GET', '/devices');
      await again.kill();
      demand((JSON.parse(text) as unknown[]).length === REQUESTS / 2 + 1, 'an answered write is lost');
      return `${REQUESTS} of ${REQUESTS} answered, exit code ${code} after ${took.toFixed(0)} ms`;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  controls: { 'ends at once': { hooks: ['exit-at-once'] } },
});
