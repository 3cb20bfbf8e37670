import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import type { Project } from '../../src/model/project';
import type { Resource } from '../../templates/runtime/model/resource';
import { create, MERGE, send } from '../runtime/support/client';
import { startService, type TestService } from '../runtime/support/harness';
import { migrateHere } from '../runtime/versions/migrate-here';

// The table of docs/operations.md on the way back from a newer build, as far as it needs no other svcgen.

const FORMER = project('{ v1: { spec: { title: string } } }');

let folder: string;
let running: TestService[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollback-'));
  running = [];
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

function project(versions: string, kind = '', storageVersion = 'v1', served = '[v1]'): Project {
  const text = `name: shop
groups:
  - storageVersion: ${storageVersion}
    versions: ${served}
    kinds:
      - name: Item
        ${kind}
        versions: ${versions}
`;
  return loadProject('.', text).project;
}

async function start(build: Project): Promise<TestService> {
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'store.db')}` };
  const service = await startService(build, { environment });
  running.push(service);
  return service;
}

async function stop(): Promise<void> {
  for (const service of running.splice(0)) await service.close();
}

async function specOf({ port }: TestService, uid: string): Promise<unknown> {
  const { text } = await send(port, 'GET', `/items/${uid}`);
  return (JSON.parse(text) as Resource).spec;
}

async function statusOfPatch({ port }: TestService, uid: string, spec: object): Promise<number> {
  return (await send(port, 'PATCH', `/items/${uid}`, { headers: MERGE, body: { spec } })).status;
}

test('a field that the former build lacks: its values are shown, and stay', async () => {
  const newer = await start(project('{ v1: { spec: { title: string, color: string } } }'));
  const { resource } = await create(newer.port, '/items', { title: 'a', color: 'red' });
  await stop();
  const former = await start(FORMER);
  expect(await statusOfPatch(former, resource.metadata.uid, { title: 'b' })).toBe(200);
  expect(await statusOfPatch(former, resource.metadata.uid, { color: 'blue' })).toBe(400);
  expect(await specOf(former, resource.metadata.uid)).toEqual({ title: 'b', color: 'red' });
});

test('a storage version that the former build lacks: moved back and migrated, its data can be read', async () => {
  const rules = (hub: string, spoke: string): string =>
    `conversion: [{ rename: { hub: spec.${hub}, spoke: spec.${spoke} } }]`;
  const [v1, v2] = ['spec: { title: string }', 'spec: { name: string }'];
  const newer = project(`{ v1: { ${v1}, ${rules('name', 'title')} }, v2: { ${v2} } }`, '', 'v2', '[v2, v1]');
  const back = project(`{ v1: { ${v1} }, v2: { ${v2}, ${rules('title', 'name')} } }`, '', 'v1', '[v1, v2]');
  const { resource } = await create((await start(newer)).port, '/items', { name: 'a' });
  await stop();
  await expect(start(FORMER)).rejects.toThrow('in v2 (resources: 1, snapshots: 0)');
  const service = await start(back);
  expect((await migrateHere(back, folder))[0]).toBe(0);
  expect(await specOf(service, resource.metadata.uid)).toEqual({ title: 'a' });
  await stop();
  expect(await specOf(await start(FORMER), resource.metadata.uid)).toEqual({ title: 'a' });
});

test('other declarations: the former build starts and writes, processes of the newer one are refused', async () => {
  const newer = await start(project('{ v1: { spec: { title: { type: string, selectable: true } } } }'));
  const { resource } = await create(newer.port, '/items', { title: 'a' });
  const former = await start(FORMER);
  expect(await statusOfPatch(former, resource.metadata.uid, { title: 'b' })).toBe(200);
  expect(await statusOfPatch(newer, resource.metadata.uid, { title: 'c' })).toBe(503);
  expect(await specOf(former, resource.metadata.uid)).toEqual({ title: 'b' });
});
