import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Project } from '../../../src/model/project';
import { convertedVersions } from '../../../src/plan/conversions';
import type { ResourceEvent } from '../../../templates/runtime/events/log/cloud-event';
import { openStream } from '../events/sse';
import { deviceProject } from '../kubernetes/device-project';
import { devices } from '../kubernetes/devices';
import { openWatch } from '../kubernetes/watching';
import { create, type HttpResponse, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';

// Resources that were stored with history are served without it: nothing shows `status.version` any more.

const WITH = deviceProject();
const WITHOUT = withoutHistory(WITH);

function withoutHistory(project: Project): Project {
  return {
    ...project,
    groups: project.groups.map((group) => ({
      ...group,
      kinds: group.kinds.map((kind) => ({ ...kind, history: undefined, versions: convertedVersions(kind) })),
    })),
  };
}

let folder: string;
let service: TestService;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'former-'))));
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function start(project: Project): Promise<void> {
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'store.db')}` };
  service = await startService(project, { environment });
}

interface Stored {
  path: string;
  etag: string;
  /** The revision of the list before. */
  revision: string;
}

/** Creates a device with history, and starts the service without it. */
async function switchOff(): Promise<Stored> {
  await start(WITH);
  const { text } = await get(devices());
  const { resourceVersion } = (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata;
  const { path, etag } = await create(service.port, '/devices', { location: 'b' }, { name: 'one' });
  for (const shown of [path, `/apis/example.svc.dev/v2beta1${path}`])
    expect((await get(shown)).text).toContain('"version":"');
  await service.close();
  await start(WITHOUT);
  return { path, etag, revision: resourceVersion };
}

const get = (path: string, headers = {}): Promise<HttpResponse> =>
  send(service.port, 'GET', path, { headers });

test.each<[string, path: (path: string) => string]>([
  ['the resource', (path) => path],
  ['its other version', (path) => `/apis/example.svc.dev/v2beta1${path}`],
  ['the list', () => '/devices'],
  ['a page', () => '/devices?limit=1'],
  ['a selection', () => '/devices?fieldSelector=spec.location=b'],
  ['the list in the other version', () => '/apis/example.svc.dev/v2beta1/devices'],
  ['a Kubernetes object', () => `${devices()}/one`],
  ['a Kubernetes list', () => devices()],
  ['a Kubernetes list in the other version', () => devices('v2beta1')],
])('%s', async (_, pathOf) => {
  const { path } = await switchOff();
  for (let repeat = 0; repeat < 2; repeat++) {
    const { status, text } = await get(pathOf(path));
    expect(status).toBe(200);
    expect(text).toContain('"status":{"ready":false}');
    expect(text).not.toContain('"version":"');
  }
});

test('tags and conditions are those of what is shown', async () => {
  const { path, etag } = await switchOff();
  const shown = await get(path);
  expect(shown.headers.etag).not.toBe(etag);
  expect((await get(path, { 'If-None-Match': shown.headers.etag })).status).toBe(304);
  expect((await get(path, { 'If-None-Match': etag })).status).toBe(200);
  const patch = (tag: string | undefined): Promise<HttpResponse> =>
    send(service.port, 'PATCH', path, {
      headers: { ...MERGE, 'If-Match': tag },
      body: { spec: { model: 'x' } },
    });
  expect((await patch(etag)).status).toBe(412);
  const patched = await patch(shown.headers.etag);
  expect([patched.status, patched.text.includes('"version":"')]).toEqual([200, false]);
  const after = await get(path);
  expect([after.text, after.headers.etag]).toEqual([patched.text, patched.headers.etag]);
});

test('events of before and after, also that of a deletion', async () => {
  const { path, revision } = await switchOff();
  const stream = await openStream(service.port, '/events', { 'Last-Event-ID': '0' });
  const watch = await openWatch(service.port, `${devices()}?watch=1&resourceVersion=${revision}`);
  await watch.until((lines) => lines.length === 1);
  expect((await send(service.port, 'DELETE', path)).status).toBe(200);
  const lines = await watch.until((all) => all.length === 2);
  const delivered: unknown[] = [];
  await new Promise<void>((resolve) => {
    const handler = ({ data }: ResourceEvent): void => {
      if (delivered.push(data.resource.status) === 2) resolve();
    };
    service.service.events.subscribe('*', handler, { name: 'all', from: 'oldest' });
  });
  expect(delivered).toEqual([{ ready: false }, { ready: false }]);
  while (stream.received.length < 2) await new Promise((resolve) => stream.response.once('data', resolve));
  expect(stream.received.map(({ event }) => [event.type, event.data.resource.status])).toEqual([
    ['io.svc.device.created', { ready: false }],
    ['io.svc.device.deleted', { ready: false }],
  ]);
  expect(lines.map(({ type, object }) => [type, object.status])).toEqual([
    ['ADDED', { ready: false }],
    ['DELETED', { ready: false }],
  ]);
});

test('a write that changes nothing is not made for Kubernetes clients', async () => {
  await switchOff();
  const path = `${devices()}/one`;
  const before = await get(path);
  const body: unknown = JSON.parse(before.text);
  const put = await send(service.port, 'PUT', path, { headers: JSON_TYPE, body });
  expect([put.status, put.text]).toEqual([200, before.text]);
});

test('switched on again, the next write records a snapshot after those of before', async () => {
  const { path } = await switchOff();
  await service.close();
  await start(WITH);
  expect((await get(path)).text).toContain('"version":"');
  const put = await send(service.port, 'PUT', path, {
    headers: JSON_TYPE,
    body: { spec: { location: 'c' } },
  });
  expect(put.status).toBe(200);
  const { version } = (JSON.parse(put.text) as { status: { version: string } }).status;
  const snapshots = JSON.parse((await get(`${path}/versions`)).text) as { versionId: string }[];
  expect(snapshots.map(({ versionId }) => versionId)[1]).toBe(version);
});

test('fields of this name that the kind declares stay', async () => {
  const id = '20240101000000-1704067200000000000';
  const declared = withoutHistory(WITH);
  const [kind] = declared.groups[0].kinds;
  for (const { spec, status } of kind.versions) {
    const text = { ...spec.find(({ name }) => name === 'model')!, name: 'version' };
    status.push(text);
    spec.push(text);
  }
  await start(declared);
  const { path } = await create(service.port, '/devices', { location: 'b', version: id });
  const body = { status: { version: id } };
  await send(service.port, 'PUT', `${path}/status`, { headers: JSON_TYPE, body });
  const { text } = await get(path);
  expect(JSON.parse(text)).toMatchObject({ spec: { version: id }, status: { version: id } });
});
