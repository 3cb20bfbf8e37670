import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { loadProject } from '../../src/load/load-project';
import { JSON_TYPE, send } from '../runtime/support/client';
import { startService } from '../runtime/support/harness';
import { runTypeScript } from '../support/run-typescript';

// The routes that docs/http.md shows, next to those of the service.

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/http.md'), 'utf8');
const [, source = ''] = /## Your own routes.*?```ts\n(.*?)```/s.exec(page) ?? [];

test('routes of the user respond, and their errors are problems', async () => {
  const { ownRoutes } = runTypeScript<{ ownRoutes: RequestHandler }>(source);
  const { project } = loadProject(join(root, 'examples/device-service'));
  const service = await startService(project, { middleware: (app) => void app.use(ownRoutes) });
  const echo = (body: string): ReturnType<typeof send> =>
    send(service.port, 'POST', '/echo', { headers: JSON_TYPE, body });
  expect((await echo('{"a":1}')).text).toBe('{"a":1}');
  const { status, headers } = await echo('{');
  expect([status, headers['content-type']]).toEqual([400, 'application/problem+json']);
  expect((await send(service.port, 'GET', '/devices')).status).toBe(200);
  await service.close();
});
