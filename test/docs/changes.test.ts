import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import type { Resource } from '../../templates/runtime/model/resource';
import { create, type HttpResponse, JSON_TYPE, MERGE, send } from '../runtime/support/client';
import { startService, type TestService } from '../runtime/support/harness';

// The table of docs/changes.md: a service is started on the data of the same one with other fields.

const BEFORE = '{ title: { type: string, rules: [required] }, color: string, size: string }';
const AFTER =
  '{ title: { type: string, rules: [required] }, size: integer, length: { type: integer, default: 3 }, ' +
  'weight: { type: integer, rules: [required] } }';

let folder: string;
let service: TestService;
let uid: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'changes-'));
  await start('Item', BEFORE);
  const { resource } = await create(service.port, '/items', { title: 'a', color: 'red', size: 'S' });
  uid = resource.metadata.uid;
  await restart('Item', AFTER);
});

afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function start(kind: string, spec: string): Promise<void> {
  const text = `name: shop
groups:
  - kinds:
      - name: ${kind}
        versions: { v1: { spec: ${spec} } }
`;
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'shop.db')}` };
  service = await startService(loadProject('.', text).project, { environment });
}

async function restart(kind: string, spec: string): Promise<void> {
  await service.close();
  await start(kind, spec);
}

const patch = (spec: object): Promise<HttpResponse> =>
  send(service.port, 'PATCH', `/items/${uid}`, { headers: MERGE, body: { spec } });

async function specOf(): Promise<unknown> {
  const { text } = await send(service.port, 'GET', `/items/${uid}`);
  return (JSON.parse(text) as Resource).spec;
}

test('stored values of removed and changed fields are shown, and no defaults', async () => {
  expect(await specOf()).toEqual({ title: 'a', color: 'red', size: 'S' });
});

test('a write fills in defaults, and accepts what it does not change', async () => {
  expect((await patch({ title: 'b' })).status).toBe(200);
  expect(await specOf()).toEqual({ title: 'b', color: 'red', size: 'S', length: 3 });
});

test('a removed field can be removed from a resource, but not changed', async () => {
  expect((await patch({ color: 'blue' })).status).toBe(400);
  expect((await patch({ color: null })).status).toBe(200);
  expect(await specOf()).toEqual({ title: 'a', size: 'S', length: 3 });
});

test('a new required field may be absent until it has been set', async () => {
  const replace = (spec: object): Promise<HttpResponse> =>
    send(service.port, 'PUT', `/items/${uid}`, { headers: JSON_TYPE, body: { spec } });
  expect((await replace({ title: 'b' })).status).toBe(200);
  expect((await replace({ title: 'b', weight: 1 })).status).toBe(200);
  expect((await replace({ title: 'b' })).status).toBe(400);
  const post = await send(service.port, 'POST', '/items', {
    headers: JSON_TYPE,
    body: { spec: { title: 'c' } },
  });
  expect(post.status).toBe(400);
});

test('the resources of a renamed kind come back with its name', async () => {
  await restart('Article', AFTER);
  expect((await send(service.port, 'GET', '/items')).status).toBe(404);
  expect((await send(service.port, 'GET', '/articles')).text).toBe('[]');
  await restart('Item', AFTER);
  expect(await specOf()).toMatchObject({ title: 'a' });
});
