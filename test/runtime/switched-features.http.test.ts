import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Project } from '../../src/model/project';
import type { Resource, Snapshot } from '../../templates/runtime/model/resource';
import { create, JSON_TYPE, send } from './client';
import { startService, type TestService } from './harness';
import { testProject } from './projects';

// A store that was written with events and history is served without them, and with them again.

const WITH: Project = { ...testProject(), events: true };
const WITHOUT: Project = {
  ...WITH,
  events: false,
  groups: WITH.groups.map((group) => ({
    ...group,
    kinds: group.kinds.map((kind) => ({ ...kind, history: undefined })),
  })),
};
const SPEC = { name: 'a', location: 'b' };

let folder: string;
let service: TestService;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'switched-'))));
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function start(project: Project): Promise<number> {
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'store.db')}` };
  service = await startService(project, { environment });
  return service.port;
}

async function read<T>(port: number, path: string): Promise<T> {
  const { status, text } = await send(port, 'GET', path);
  expect([status, path]).toEqual([200, path]);
  return JSON.parse(text) as T;
}

async function locate(port: number, path: string, location: string): Promise<void> {
  const sent = { headers: JSON_TYPE, body: { spec: { ...SPEC, location } } };
  expect((await send(port, 'PUT', path, sent)).status).toBe(200);
}

test('events and history off and on again: what was stored stays, and what was written meanwhile has neither', async () => {
  let port = await start(WITH);
  const { path } = await create(port, '/devices', SPEC);
  const { path: gone } = await create(port, '/devices', SPEC);
  await locate(port, path, 'c');
  expect(await read<Snapshot[]>(port, `${path}/versions`)).toHaveLength(2);
  const before = await service.service.store.events.read('0', { events: 100, bytes: 1e6 });
  expect(before).toHaveLength(3);
  await service.close();

  port = await start(WITHOUT);
  expect((await send(port, 'GET', '/events')).status).toBe(404);
  expect((await send(port, 'GET', `${path}/versions`)).status).toBe(404);
  await locate(port, path, 'd');
  expect((await send(port, 'DELETE', gone)).status).toBe(200);
  expect((await read<Resource>(port, path)).spec).toMatchObject({ location: 'd' });
  await service.close();

  port = await start(WITH);
  const snapshots = await read<Snapshot[]>(port, `${path}/versions`);
  expect(snapshots.map(({ spec }) => spec['location'])).toEqual(['b', 'c']);
  expect((await send(port, 'GET', `${gone}/versions`)).status).toBe(404);
  expect(await service.service.store.events.read('0', { events: 100, bytes: 1e6 })).toEqual(before);
  await locate(port, path, 'e');
  const after = await service.service.store.events.read(before.at(-1)!.position, { events: 9, bytes: 1e6 });
  expect(after).toHaveLength(1);
  expect(await read<Snapshot[]>(port, `${path}/versions`)).toHaveLength(3);
});
