import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addVersion } from '../../../src/edit/scaffold';
import { type LoadedProject, loadProject } from '../../../src/load/load-project';
import type { Resource } from '../../../templates/runtime/model/resource';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import { JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { migrateHere } from './migrate-here';

// The findings about moving the hub, over HTTP and on one database; test/conversion/moving.slow.ts has the law.

const load = (text: string): LoadedProject => loadProject(__dirname, text);

const PROJECT = `name: jobs
groups:
  - storageVersion: v1
    versions: [v1, v2, v1beta1]
    kinds:
      - name: Job
        specVersioning: true
        versions:
          v1:
            spec: &old
              name: string
              timeout: string
              port: string
              env: { type: list, key: name, items: { type: object, fields: { name: { type: string, rules: [required] }, value: string } } }
              hosts: { type: list, items: string }
          v2:
            spec:
              name: string
              timeoutSeconds: integer
              port: integer
              env: { type: map, values: string }
              hosts: string
              note: string
            conversion:
              - cast: { hub: spec.timeout, spoke: spec.timeoutSeconds, format: duration, otherwise: { spoke: 0 } }
              - cast: { hub: spec.port, spoke: spec.port, otherwise: { spoke: 0 } }
              - index: { hub: spec.env, spoke: spec.env }
              - wrap: { hub: spec.hosts, spoke: spec.hosts }
          v1beta1:
            spec: *old
`;
const VERSIONS = ['v1', 'v2', 'v1beta1'];
const SPECS: JsonObject[] = [
  {
    port: '08080',
    timeout: '90s',
    name: 'a',
    hosts: ['x', 'y'],
    env: [{ name: 'A' }, { name: 'B', value: 'b' }],
  },
  { timeout: '1500ms', port: 'http', hosts: [], env: [] },
  { env: [{ value: '1', name: 'Z' }], name: 'c' },
  { env: [], name: 'd' },
];

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'exact-view-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const start = (text: string): Promise<TestService> =>
  startService(load(text).project, { environment: { DATABASE_URL: `sqlite:${folder}/store.db` } });

const pathOf = (version: string, rest = ''): string => `/apis/example.svc.dev/${version}/jobs${rest}`;

async function texts({ port }: TestService, uids: string[]): Promise<string[]> {
  const paths = VERSIONS.flatMap((version) =>
    uids.flatMap((uid) => [pathOf(version, `/${uid}`), pathOf(version, `/${uid}/versions`)]),
  );
  return Promise.all(paths.map(async (path) => `${path} ${(await send(port, 'GET', path)).text}`));
}

async function write(
  { port }: TestService,
  method: string,
  version: string,
  uid: string,
  spec: JsonObject,
): Promise<Resource> {
  const headers = method === 'PATCH' ? MERGE : JSON_TYPE;
  const path = pathOf(version, uid && `/${uid}`);
  const { status, text } = await send(port, method, path, { headers, body: { spec } });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text) as Resource;
}

async function specsOf({ port }: TestService, uid: string): Promise<{ [version: string]: JsonObject }> {
  const specs = VERSIONS.map(async (version) => {
    const { text } = await send(port, 'GET', pathOf(version, `/${uid}`));
    return [version, (JSON.parse(text) as Resource).spec] as const;
  });
  return Object.fromEntries(await Promise.all(specs));
}

test('what the new hub cannot express stays with every version that read it, there and back', async () => {
  let service = await start(PROJECT);
  const uids: string[] = [];
  for (const spec of SPECS) uids.push((await write(service, 'POST', 'v1', '', spec)).metadata.uid);
  const before = await texts(service, uids);
  await service.close();

  const moved = addVersion(PROJECT, { name: 'v2', storage: true }, load);
  service = await start(moved);
  expect(await texts(service, uids)).toEqual(before);
  for (const uid of [uids[0], uids[3]]) {
    const earlier = await specsOf(service, uid);
    for (const version of ['v1', 'v2', 'v1beta1', 'v1']) {
      await write(service, 'PUT', version, uid, earlier[version]);
      // The fields stay in their order, too.
      expect(JSON.stringify(await specsOf(service, uid))).toBe(JSON.stringify(earlier));
    }
  }
  const [uid] = uids;
  const earlier = await specsOf(service, uid);
  await write(service, 'PATCH', 'v2', uid, { name: 'other' });
  const renamed = Object.fromEntries(VERSIONS.map((name) => [name, { ...earlier[name], name: 'other' }]));
  expect(await specsOf(service, uid)).toEqual(renamed);
  await write(service, 'PATCH', 'v2', uid, { env: { B: 'c', C: 'd' } });
  expect((await specsOf(service, uid))['v1beta1']).toEqual({
    ...renamed['v1beta1'],
    env: [{ name: 'A' }, { name: 'B', value: 'c' }, { name: 'C', value: 'd' }],
  });
  const last = await texts(service, uids);
  await service.close();

  const [code, said] = await migrateHere(load(moved).project, folder);
  expect([code, said.at(-1)]).toEqual([
    0,
    'example.svc.dev/Job: 2 of 2 resources, 4 of 4 snapshots rewritten to v2\n',
  ]);
  service = await start(addVersion(moved, { name: 'v1', storage: true }, load));
  expect(await texts(service, uids)).toEqual(last);
  await service.close();
});

test('a write that changes only what one version reads is a new generation', async () => {
  const service = await start(PROJECT);
  const { metadata } = await write(service, 'POST', 'v1', '', { name: 'a' });
  const generations: unknown[] = [];
  for (const note of ['x', 'x', 'y'])
    generations.push((await write(service, 'PATCH', 'v2', metadata.uid, { note })).metadata.generation);
  generations.push((await write(service, 'PATCH', 'v1', metadata.uid, { name: 'a' })).metadata.generation);
  expect(generations).toEqual([2, 2, 3, 3]);
  const { headers, text } = await send(service.port, 'GET', pathOf('v1', `/${metadata.uid}`));
  expect([(JSON.parse(text) as Resource).metadata.generation, headers['etag']]).toEqual([
    3,
    expect.any(String),
  ]);
  await service.close();
});

test('the new hub accepts a stored value that breaks its rules, as long as the client leaves it', async () => {
  const stricter = PROJECT.replace('              name: string\n              timeoutSeconds', (text) =>
    text.replace('name: string', 'name: { type: string, rules: [min=3] }'),
  );
  let service = await start(stricter);
  const { metadata } = await write(service, 'POST', 'v1', '', { name: 'a', port: '1' });
  await service.close();
  service = await start(addVersion(stricter, { name: 'v2', storage: true }, load));
  const read = (await specsOf(service, metadata.uid))['v2'];
  expect((await write(service, 'PUT', 'v2', metadata.uid, { ...read, port: 2 })).spec).toMatchObject({
    name: 'a',
    port: 2,
  });
  await expect(write(service, 'PATCH', 'v2', metadata.uid, { name: 'b' })).rejects.toThrow('400');
  await service.close();
});
