import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killChildren, startChild } from '../runtime/support/child';
import { createDevice, type HttpResponse, JSON_TYPE, send } from './support/client';
import { demand, fault } from './support/fault';
import { startService } from './support/service';

/** Maximum wait of writes for the lock, in ms. */
const PATIENCE = 2_000;

fault('another process holds the write lock of SQLite', {
  async check(broken) {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-lock-'));
    const file = join(folder, 'service.db');
    const service = await startService(`sqlite:${file}`, {
      ...broken,
      environment: { STORE_BUSY_TIMEOUT_MS: String(PATIENCE) },
    });
    try {
      const path = (await createDevice(service.port, 'first')).headers.location!;
      const holder = startChild('lock', file);
      await holder.said('begun');
      const begun = performance.now();
      let waiting = true;
      const writes = Promise.all(
        Array.from({ length: 16 }, (_, n) => {
          const body = { spec: { name: `refused ${n}` } };
          return send(service.port, n % 2 ? 'POST' : 'PUT', n % 2 ? '/devices' : path, {
            headers: JSON_TYPE,
            body,
          });
        }),
      ).finally(() => (waiting = false));
      let slowest = 0;
      let reads = 0;
      for (; waiting; reads++) {
        const start = performance.now();
        const response = await send(service.port, 'GET', path);
        demand(response.status === 200, `a GET got ${response.status}`);
        slowest = Math.max(slowest, performance.now() - start);
      }
      const responses = await writes;
      const waited = performance.now() - begun;
      for (const response of responses) demand(isRefusal(response), `a write got ${response.status}`);
      demand(waited >= PATIENCE * 0.9, `writes waited only ${waited.toFixed(0)} ms`);
      // The goal is 250 ms; the bound leaves room for a machine that is busy with other things.
      demand(slowest < 1_500, `a GET took ${slowest.toFixed(0)} ms`);
      holder.process.stdin.end();
      await holder.ended();
      await createDevice(service.port, 'second');
      const { text } = await send(service.port, 'GET', '/devices');
      demand((JSON.parse(text) as unknown[]).length === 2, 'a refused write was made');
      return `${reads} GETs meanwhile, the slowest ${slowest.toFixed(0)} ms; 16 writes 503 after ${waited.toFixed(0)} ms`;
    } finally {
      killChildren();
      await service.kill();
      rmSync(folder, { recursive: true });
    }
  },
  controls: { 'a busy time-out in the thread that answers': { hooks: ['blocking-lock'] } },
});

function isRefusal({ status, headers, text }: HttpResponse): boolean {
  return (
    status === 503 &&
    headers['retry-after'] !== undefined &&
    headers['content-type'] === 'application/problem+json' &&
    text.includes('nothing was written')
  );
}
