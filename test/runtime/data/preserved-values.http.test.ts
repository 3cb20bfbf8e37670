import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addVersion } from '../../../src/edit/scaffold';
import { type LoadedProject, loadProject } from '../../../src/load/load-project';
import type { Resource } from '../../../templates/runtime/model/resource';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import { JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';

// A version selects by what it shows, also where that is preserved and its field otherwise copies the storage version's.

let folder: string;
let service: TestService | undefined;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'preserved-values-'))));
afterEach(async () => {
  await service?.close();
  rmSync(folder, { recursive: true });
});

/** Starts the service of a project.yaml on the same database. */
async function restart(text: string): Promise<void> {
  await service?.close();
  service = await startService(loadProject('.', text).project, {
    environment: { DATABASE_URL: `sqlite:${folder}/store.db` },
  });
}

async function exchange<T = Resource>(method: string, path: string, spec?: JsonObject): Promise<T> {
  const headers = method === 'PATCH' ? MERGE : JSON_TYPE;
  const { status, text } = await send(service!.port, method, path, { headers, body: spec && { spec } });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text) as T;
}

const things = (version: string): string => `/apis/example.svc.dev/${version}/things`;

/** The names of the resources that a version lists. */
async function listed(version: string, query: object): Promise<string[]> {
  const path = `${things(version)}?${new URLSearchParams({ ...query }).toString()}`;
  return (await exchange<Resource[]>('GET', path)).map(({ spec }) => spec['name'] as string);
}

test('a value that a version wrote before the storage version adopted the field', async () => {
  const yaml = (adopted: string): string => `
name: adopting
groups:
  - storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Thing
        versions:
          v1: { spec: { name: { type: string, selectable: true }${adopted} } }
          v1beta1: { spec: { name: string, nickname: string } }
`;
  await restart(yaml(''));
  await exchange('POST', things('v1beta1'), { name: 'a', nickname: 'bee' });
  await exchange('POST', things('v1beta1'), { name: 'b' });
  await restart(yaml(', nickname: { type: string, selectable: true }'));
  expect(await listed('v1beta1', { fieldSelector: 'spec.nickname=bee' })).toEqual(['a']);
  expect(await listed('v1beta1', { fieldSelector: '!spec.nickname' })).toEqual(['b']);
  expect(await listed('v1', { fieldSelector: '!spec.nickname' })).toEqual(['a', 'b']);
});

test('values that two versions wrote while another was the storage version', async () => {
  const load = (text: string): LoadedProject => loadProject('.', text);
  const before = `
name: moving
groups:
  - storageVersion: v1
    versions: [v1, v2, v3]
    kinds:
      - name: Thing
        versions:
          v1: { spec: { name: string, tier: { type: string, rules: [oneof=gold silver bronze], selectable: true } } }
          v2:
            spec: { name: string, level: { type: integer, rules: [oneof=1 2] } }
            conversion:
              - map: { hub: spec.tier, spoke: spec.level, values: { gold: 1, silver: 2, bronze: 2 } }
          v3: { spec: { name: string, tier: { type: string, rules: [oneof=gold silver bronze] } } }
`;
  const between = addVersion(before, { name: 'v2', storage: true }, load);
  await restart(between);
  const { uid } = (await exchange('POST', things('v2'), { name: 'a', level: 1 })).metadata;
  await exchange('POST', things('v3'), { name: 'b', tier: 'gold' });
  await exchange('PATCH', `${things('v1')}/${uid}`, { tier: 'silver' });
  await exchange('PATCH', `${things('v3')}/${uid}`, { tier: 'bronze' });
  await restart(addVersion(between, { name: 'v1', storage: true }, load));
  for (const [version, tier] of Object.entries({ v1: 'silver', v3: 'bronze' })) {
    expect((await exchange('GET', `${things(version)}/${uid}`)).spec).toEqual({ name: 'a', tier });
    expect(await listed(version, { fieldSelector: `spec.tier=${tier}` })).toEqual(['a']);
  }
  expect(await listed('v1', { sort: 'spec.tier' })).toEqual(['b', 'a']);
  expect(await listed('v3', { sort: 'spec.tier' })).toEqual(['a', 'b']);
});
