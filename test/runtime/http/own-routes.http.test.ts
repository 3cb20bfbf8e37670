import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { observerOf } from '../../../templates/runtime/http/observer';
import { createTypedServer } from '../../../templates/runtime/http/server';
import { send } from '../support/client';
import { createApp, startService } from '../support/harness';
import { testProject } from '../support/projects';

// Routes and middleware of a user in front of those of the service.

test('they see the query of a request, as in every Express app', async () => {
  const seen: unknown[] = [];
  const service = await startService(testProject(), {
    middleware: (app) =>
      app
        .use((req, _res, next) => {
          seen.push({ ...req.query });
          next();
        })
        .get('/reports', (req, res) => void res.json(req.query)),
  });
  const report = await send(service.port, 'GET', '/reports?from=2026-01-01&kind=a&kind=b');
  expect([report.status, JSON.parse(report.text)]).toEqual([200, { from: '2026-01-01', kind: ['a', 'b'] }]);
  expect((await send(service.port, 'GET', '/devices?limit=1')).text).toBe('[]');
  expect(seen).toEqual([{ from: '2026-01-01', kind: ['a', 'b'] }, { limit: '1' }]);
  await service.close();
});

test('a body that middleware has read without leaving it in req.body is a defect of the service, not of the client', async () => {
  const service = await startService(testProject(), {
    middleware: (app) =>
      app.use((req, _res, next) => {
        req.on('end', () => next()).resume();
      }),
  });
  const body = { spec: { name: 'a', location: 'b' } };
  const headers = { 'Content-Type': 'application/json' };
  expect((await send(service.port, 'POST', '/devices', { headers, body })).status).toBe(500);
  const empty = await send(service.port, 'POST', '/devices', { headers: { 'Content-Length': '0' } });
  expect(empty.status).toBe(400);
  expect((await send(service.port, 'GET', '/devices')).text).toBe('[]');
  await service.close();
});

test.each(['/devices', '/devices?limit=1', '/devices/none', '/', '/events', '/docs', '/healthz', '/metrics'])(
  'middleware that goes on twice does not end the process: %s',
  async (path) => {
    const errors: string[] = [];
    const service = await startService(testProject(), {
      middleware: (app) =>
        app.use((_req, res, next) => {
          // Without a listener, the event would end the process.
          res.on('error', ({ message }) => errors.push(message));
          next();
          next();
        }),
    });
    await send(service.port, 'GET', path, { alone: true });
    await service.close();
    expect(errors).toEqual([]);
  },
);

const countedIn = async (port: number, path: string): Promise<string[]> =>
  (await send(port, 'GET', path)).text.match(/^http_requests_total.* \d+$/gm) ?? [];

test('/metrics counts the responses of an application within that of the service', async () => {
  const nested = express().get('/users', (_req, res) => void res.json([]));
  const { port, close } = await startService(testProject(), {
    middleware: (app) => app.use('/admin', nested),
  });
  await send(port, 'GET', '/admin/users');
  expect(await countedIn(port, '/metrics')).toEqual([
    'http_requests_total{method="GET",route="middleware",status="2xx"} 1',
  ]);
  await close();
});

test('/metrics counts the responses of the service where its application is within another', async () => {
  const { service, close } = await startService(testProject());
  const outer = express().use('/api', createApp(service, testProject(), {}));
  const server = createTypedServer(outer, service.settings, observerOf(service)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await send(port, 'GET', '/api/devices');
  expect(await countedIn(port, '/api/metrics')).toEqual([
    'http_requests_total{method="GET",route="/devices",status="2xx"} 1',
  ]);
  server.closeAllConnections();
  server.close();
  await close();
});
