import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { addVersion, type NewVersion } from '../../../src/edit/scaffold';
import { type LoadedProject, loadProject } from '../../../src/load/load-project';
import { planProject } from '../../../src/plan/plan-project';
import type { Resource, Snapshot } from '../../../templates/runtime/model/resource';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import { JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { versionedProject, versionedText } from '../support/versioned-project';

const VERSIONS = ['v1', 'v2beta1', 'v1alpha1'];

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'moved-hub-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** The service on the same database, with another hub. */
function start(hub: string, project = versionedProject(hub)): Promise<TestService> {
  return startService(project, { environment: { DATABASE_URL: `sqlite:${folder}/store.db` } });
}

async function exchange<T = Resource>(
  { port }: TestService,
  method: string,
  version: string,
  path = '',
  body?: unknown,
): Promise<T> {
  const headers = method === 'PATCH' ? MERGE : JSON_TYPE;
  const url = `/apis/example.svc.dev/${version}/devices${path}`;
  const { status, text } = await send(port, method, url, body === undefined ? {} : { headers, body });
  if (status >= 300) throw new Error(`${method} ${url}: ${status} ${text}`);
  return JSON.parse(text) as T;
}

interface View {
  resource: Resource;
  snapshots: Snapshot[];
}

/** Every resource with its history, in every version. */
async function views(service: TestService, uids: string[]): Promise<{ [version: string]: View[] }> {
  const all: { [version: string]: View[] } = {};
  for (const version of VERSIONS) {
    all[version] = [];
    for (const uid of uids) {
      const resource = await exchange(service, 'GET', version, `/${uid}`);
      const snapshots = await exchange<Snapshot[]>(service, 'GET', version, `/${uid}/versions`);
      all[version].push({ resource, snapshots });
    }
    const listed = await exchange<Resource[]>(service, 'GET', version);
    expect(listed).toEqual(all[version].map(({ resource }) => resource));
  }
  return all;
}

/** Returns the parts of views that no write of an unchanged status changes. */
function parts(all: { [version: string]: View[] }): unknown {
  return Object.values(all).map((list) =>
    list.map(({ resource: { spec, status }, snapshots }) => ({ spec, status, snapshots })),
  );
}

/** Writes through every version: Devices that each version made, and one that all of them changed. */
async function fill(service: TestService): Promise<string[]> {
  const create = async (version: string, spec: JsonObject, status: JsonObject): Promise<string> => {
    const { uid } = (await exchange(service, 'POST', version, '', { spec })).metadata;
    await exchange(service, 'PUT', version, `/${uid}/status`, { status });
    return uid;
  };
  const hub = await create(
    'v1',
    { location: 'Bern', name: 'one', timeoutMs: 1500, ports: [{ number: 80, name: 'http' }] },
    { phase: 'Ready', health: 'fine' },
  );
  const spoke = await create(
    'v2beta1',
    { nickname: 'nick', site: 'Chur', name: 'two', ports: [{ name: 'ssh', port: 22, note: 'main' }] },
    { state: 'Pending', remark: 'odd' },
  );
  const alpha = await create(
    'v1alpha1',
    { title: 'three', location: 'Genf', comment: 'x' },
    { phase: 'failed' },
  );
  const mixed = await create('v1', { name: 'four', location: 'Sion', serial: 's-1' }, {});
  await exchange(service, 'PATCH', 'v2beta1', `/${mixed}`, { spec: { nickname: 'n', timeoutSeconds: 3 } });
  await exchange(service, 'PATCH', 'v1alpha1', `/${mixed}`, { spec: { comment: 'c' } });
  await exchange(service, 'PATCH', 'v1', `/${mixed}`, { spec: { timeoutMs: 3500, model: 'm' } });
  return [hub, spoke, alpha, mixed];
}

test('every version reads as before when the hub moves, when resources are written, and when it moves back', async () => {
  let service = await start('v1');
  const uids = await fill(service);
  const before = await views(service, uids);
  await service.close();

  service = await start('v2beta1');
  expect(await views(service, uids)).toEqual(before);
  for (const uid of uids) {
    const read = await exchange(service, 'GET', 'v1', `/${uid}`);
    await exchange(service, 'PUT', 'v1', `/${uid}/status`, { status: read.status });
  }
  const stored = await service.service.store.versions.all();
  expect(stored.map(({ version }) => version)).toEqual(['v1', 'v2beta1']);
  expect(parts(await views(service, uids))).toEqual(parts(before));
  const [, spoke] = uids;
  await exchange(service, 'PATCH', 'v1', `/${spoke}`, { spec: { location: 'Zug', model: 'z' } });
  const after = await views(service, uids);
  expect(after['v2beta1'][1].resource.spec).toEqual({
    ...before['v2beta1'][1].resource.spec,
    site: 'Zug',
    model: 'z',
  });
  await service.close();

  service = await start('v1');
  expect(await views(service, uids)).toEqual(after);
  await service.close();
});

test('every version reads as before after svcgen moved the hub, to a new version and to one that was there', async () => {
  const load = (text: string): LoadedProject => loadProject(__dirname, text);
  const moves: NewVersion[] = [
    { name: 'v2beta1', storage: true },
    { name: 'v3', from: 'v1', storage: true },
    { name: 'v1', storage: true },
    { name: 'v2', storage: true },
  ];
  let text = versionedText('v1');
  let service = await start('v1');
  const uids = await fill(service);
  const before = await views(service, uids);
  await service.close();
  for (const move of moves) {
    text = addVersion(text, move, load);
    const { project } = planProject({ loaded: load(text), problems: [] });
    service = await start(move.name, project);
    expect([move.name, parts(await views(service, uids))]).toEqual([move.name, parts(before)]);
    // One more is stored in this version from now on.
    const uid = uids[moves.indexOf(move)];
    const { status } = await exchange(service, 'GET', 'v1', `/${uid}`);
    await exchange(service, 'PUT', 'v1', `/${uid}/status`, { status });
    await service.close();
  }
});

test('what a spoke kept aside is there after it was the hub and a copy of it is, without a write in between', async () => {
  const load = (text: string): LoadedProject => loadProject(__dirname, text);
  let text = versionedText('v1');
  let service = await start('v1');
  const uids = await fill(service);
  const before = await views(service, uids);
  await service.close();
  for (const move of [
    { name: 'v2beta1', storage: true },
    { name: 'v3', storage: true },
  ]) {
    text = addVersion(text, move, load);
    service = await start(move.name, load(text).project);
    expect([move.name, await views(service, uids)]).toEqual([move.name, before]);
    if (move.name === 'v3') {
      const shown = await Promise.all(uids.map((uid) => exchange(service, 'GET', 'v3', `/${uid}`)));
      expect(shown.map(({ spec }) => spec)).toEqual(before['v2beta1'].map(({ resource }) => resource.spec));
    }
    await service.close();
  }
});

test.each([false, true])(
  'a copy of a spoke shows what is preserved for it, by an early build: %s',
  async (isEarly) => {
    const load = (text: string): LoadedProject => loadProject(__dirname, text);
    let service = await start('v1');
    const uids = await fill(service);
    const before = await views(service, uids);
    await service.close();
    if (isEarly) forgetVersions();
    const moved = addVersion(versionedText('v1'), { name: 'v3', from: 'v2beta1', storage: true }, load);
    service = await start('v3', planProject({ loaded: load(moved), problems: [] }).project);
    expect(await views(service, uids)).toEqual(before);
    const shown = await Promise.all(uids.map((uid) => exchange(service, 'GET', 'v3', `/${uid}`)));
    expect(shown.map(({ spec }) => spec)).toEqual(before['v2beta1'].map(({ resource }) => resource.spec));
    await service.close();
  },
);

/** Removes the versions from preserved fields: builds from before 23 November 2026 did not store them. */
function forgetVersions(): void {
  const database = new DatabaseSync(join(folder, 'store.db'));
  for (const table of ['resources', 'snapshots']) {
    const rows = database.prepare(`SELECT rowid AS id, kept FROM ${table} WHERE kept IS NOT NULL`).all();
    for (const { id, kept } of rows as { id: number; kept: string }[]) {
      const text = kept.replace(/,"versions":\[[^\]]*\]/g, '');
      database.prepare(`UPDATE ${table} SET kept = ? WHERE rowid = ?`).run(text, id);
    }
  }
  database.close();
}
