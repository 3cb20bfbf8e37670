import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, JSON_TYPE, send, sendRaw, statuses, type Answer } from './client';
import { startProcess } from './service-process';

/** A book that takes `milliseconds` to create. */
const slowBook = (port: number, milliseconds: number): Promise<Answer> => {
  const body = { spec: { title: String(milliseconds), author: 'b' } };
  return send(port, 'POST', '/books', { headers: JSON_TYPE, body, alone: true });
};

describe('a stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s: requests under way are answered, exit code 0',
    async (signal) => {
      const folder = mkdtempSync(join(tmpdir(), 'serve-'));
      const environment = { DATABASE_URL: `sqlite:${join(folder, 'store.db')}` };
      const service = await startProcess(environment);
      expect((await send(service.port, 'GET', '/readyz')).text).toBe('{"status":"ready"}');

      const underWay = Array.from({ length: 20 }, () => slowBook(service.port, 2_500));
      // The request is there when its connection is; another answer says so.
      await setTimeout(800);
      const start = Date.now();
      service.child.kill(signal);
      let ready = await send(service.port, 'GET', '/readyz', { alone: true });
      while (ready.status === 200) ready = await send(service.port, 'GET', '/readyz', { alone: true });
      expect(ready.status).toBe(503);
      const raw = await sendRaw(service.port, 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
      expect([statuses(raw), /^connection: close\r$/im.test(raw)]).toEqual([[503], true]);
      expect((await send(service.port, 'GET', '/healthz', { alone: true })).status).toBe(200);
      const late = await slowBook(service.port, 0);
      expect(late.status).toBe(201);

      const answers = await Promise.all(underWay);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(await service.ended).toBe(0);
      expect(Date.now() - start).toBeLessThan(10_000);
      expect(service.log.map(({ msg }) => msg)).toEqual(['listening', 'stopping', 'stopped']);

      const again = await startProcess(environment);
      const { text } = await send(again.port, 'GET', '/books');
      expect(JSON.parse(text)).toHaveLength(21);
      again.child.kill('SIGTERM');
      expect(await again.ended).toBe(0);
      rmSync(folder, { recursive: true });
    },
    60_000,
  );

  test('of an idle service, with connections kept open, takes no time', async () => {
    const service = await startProcess();
    await create(service.port, '/books', { title: 'a', author: 'b' });
    const start = Date.now();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(Date.now() - start).toBeLessThan(3_000);
  }, 30_000);

  test('does not wait for who never ends: 10 s at most', async () => {
    const service = await startProcess({ SHUTDOWN_TIMEOUT_MS: '600' });
    const stuck = slowBook(service.port, 600_000).catch(({ code }: NodeJS.ErrnoException) => code);
    const head = 'POST /books HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{';
    const slow = sendRaw(service.port, head, 20_000);
    await setTimeout(300);
    const start = Date.now();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(Date.now() - start).toBeLessThan(5_000);
    expect(await stuck).toBe('ECONNRESET');
    expect(statuses(await slow)).toEqual([]);
  }, 30_000);
});

describe('a start that is refused: exit code 1', () => {
  test('another listens on the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(startProcess({ PORT: String(port) })).rejects.toThrow('ended with 1');
    other.close();
  }, 30_000);

  test('the database is none, and stays what it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'serve-'));
    const file = join(folder, 'store.db');
    writeFileSync(file, 'not a database, whatever it may be\n'.repeat(100));
    await expect(startProcess({ DATABASE_URL: `sqlite:${file}` })).rejects.toThrow('ended with 1');
    rmSync(folder, { recursive: true });
  }, 30_000);

  test('a setting is wrong', async () => {
    await expect(startProcess({ MAX_DEPTH: 'many' })).rejects.toThrow('ended with 1');
  }, 30_000);
});
