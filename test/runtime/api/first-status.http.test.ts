import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addVersion } from '../../../src/edit/scaffold';
import { type LoadedProject, loadProject } from '../../../src/load/load-project';
import type { Project } from '../../../src/model/project';
import { create, failures, JSON_TYPE, MERGE, send, SHORTHAND_PATCH } from '../support/client';
import { startService, type TestService } from '../support/harness';

// The first status has only defaults. Every write of a status needs the required fields nevertheless.

const FIELDS = `ready: { type: boolean, default: false }, count: { type: integer, default: 400 }`;
const { project } = loadProject(
  __dirname,
  `name: first
groups:
  - storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Plain
        versions:
          v1: { spec: {}, status: { phase: { type: string, rules: [required] }, note: string } }
          v1beta1:
            spec: {}
            status: { state: { type: string, rules: [required] }, note: string }
            conversion:
              - rename: { hub: status.phase, spoke: status.state }
      - name: Recorded
        specVersioning: true
        versions:
          v1: { spec: {}, status: { phase: { type: string, rules: [required] }, note: string } }
          v1beta1:
            spec: {}
            status: { state: { type: string, rules: [required] }, note: string }
            conversion:
              - rename: { hub: status.phase, spoke: status.state }
      - name: Ready
        plural: ready
        versions:
          v1: { spec: {}, status: { phase: { type: string, rules: [required] }, note: string, ${FIELDS} } }
          v1beta1:
            spec: {}
            status: { state: { type: string, rules: [required] }, note: string, ready: boolean, count: { type: integer, rules: [min=1] } }
            conversion:
              - rename: { hub: status.phase, spoke: status.state }
              - scale: { hub: status.count, spoke: status.count, factor: 1000 }
      - name: Supplied
        specVersioning: true
        versions:
          v1: { spec: {}, status: { phase: { type: string, rules: [required] }, note: string, ${FIELDS} } }
          v1beta1:
            spec: {}
            status: { note: string, count: { type: integer, rules: [min=1] } }
            conversion:
              - default: { hub: status.phase, value: Unknown }
              - scale: { hub: status.count, spoke: status.count, factor: 1000 }
`,
);

let service: TestService;
beforeAll(async () => (service = await startService(project)));
afterAll(() => service.close());

describe.each(['plains', 'recordeds', 'ready'])('%s', (plural) => {
  test.each([
    ['v1', 'phase'],
    ['v1beta1', 'state'],
  ])('a status without its required field is refused in %s', async (version, field) => {
    const { path } = await create(service.port, `/apis/example.svc.dev/${version}/${plural}`, {});
    const writes = [
      ['PUT', JSON_TYPE, { status: { note: 'a' } }],
      ['PUT', JSON_TYPE, { status: {} }],
      ['PATCH', MERGE, { status: { note: 'a' } }],
      ['PATCH', SHORTHAND_PATCH, { 'status.note': 'a' }],
    ] as const;
    for (const [method, headers, body] of writes) {
      const refused = await send(service.port, method, `${path}/status`, { headers, body });
      expect([refused.status, failures(refused)]).toEqual([400, [`#/status/${field} required`]]);
    }
    const body = { status: { [field]: 'x' } };
    const patched = await send(service.port, 'PATCH', `${path}/status`, { headers: MERGE, body });
    expect([patched.status, JSON.parse(patched.text)]).toMatchObject([200, body]);
  });
});

test('a default that breaks a rule of the version is accepted as it is shown', async () => {
  const { path } = await create(service.port, '/apis/example.svc.dev/v1beta1/ready', {});
  const body = { status: { state: 'x', count: 0 } };
  const written = await send(service.port, 'PUT', `${path}/status`, { headers: JSON_TYPE, body });
  expect([written.status, JSON.parse(written.text)]).toMatchObject([200, body]);
});

test.each([
  ['PUT', JSON_TYPE, { status: { count: 0 } }],
  ['PUT', JSON_TYPE, { status: { note: 'a', count: 0 } }],
  ['PATCH', MERGE, { status: { note: 'a' } }],
  ['PATCH', SHORTHAND_PATCH, { 'status.note': 'a' }],
] as const)(
  'the first %s through a version supplies the required field of the storage version',
  async (...args) => {
    const [method, headers, body] = args;
    const { path, resource } = await create(service.port, '/apis/example.svc.dev/v1beta1/supplieds', {});
    const written = await send(service.port, method, `${path}/status`, { headers, body });
    expect([written.status, JSON.parse(written.text)]).toMatchObject([200, { status: { count: 0 } }]);
    const stored = await send(service.port, 'GET', `/supplieds/${resource.metadata.uid}`);
    const status = { phase: 'Unknown', ready: false, count: 400 };
    expect(JSON.parse(stored.text)).toMatchObject({ metadata: { generation: 1 }, status });
  },
);

test('a later write through a version leaves what the storage version wrote', async () => {
  const { path, resource } = await create(service.port, '/apis/example.svc.dev/v1beta1/supplieds', {});
  const write = async (at: string, status: object): Promise<unknown> =>
    JSON.parse(
      (await send(service.port, 'PUT', `${at}/status`, { headers: JSON_TYPE, body: { status } })).text,
    );
  await write(path, { note: 'a', count: 0 });
  const other = { status: { phase: 'Up', count: 400 } };
  expect(await write(`/supplieds/${resource.metadata.uid}`, { phase: 'Up' })).toMatchObject(other);
  await write(path, { note: 'b', count: 0 });
  const stored = await send(service.port, 'GET', `/supplieds/${resource.metadata.uid}`);
  expect(JSON.parse(stored.text)).toMatchObject({ status: { ...other.status, note: 'b' } });
});

test('a status stays the first one when a default is declared later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-first-'));
  const declared = (more: string): Project => {
    const v1 = `{ spec: {}, status: { phase: { type: string, rules: [required] }, note: string${more} } }`;
    return loadProject(
      __dirname,
      `name: first\ngroups: [{ versions: [v1], kinds: [{ name: Plain, versions: { v1: ${v1} } }] }]`,
    ).project;
  };
  const environment = { DATABASE_URL: `sqlite:${folder}/first.db` };
  const before = await startService(declared(''), { environment });
  const { path } = await create(before.port, '/plains', {});
  await before.close();
  const after = await startService(declared(`, ${FIELDS}`), { environment });
  const body = { status: { note: 'a' } };
  const refused = await send(after.port, 'PATCH', `${path}/status`, { headers: MERGE, body });
  expect([refused.status, failures(refused)]).toEqual([400, ['#/status/phase required']]);
  await after.close();
  rmSync(folder, { recursive: true });
});

test('a required field is supplied after a move of the storage version, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-first-'));
  const environment = { DATABASE_URL: `sqlite:${folder}/first.db` };
  const text = `name: first
groups:
  - storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Plain
        versions:
          v1: { spec: {}, status: { phase: { type: string, rules: [required] }, note: string } }
          v1beta1:
            spec: {}
            status: { note: string }
            conversion:
              - default: { hub: status.phase, value: Unknown }
`;
  const load = (yaml: string): LoadedProject => loadProject(__dirname, yaml);
  const before = await startService(load(text).project, { environment });
  const { path } = await create(before.port, '/apis/example.svc.dev/v1/plains', {});
  await before.close();
  const moved = addVersion(text, { name: 'v1beta1', storage: true }, load);
  const after = await startService(load(moved).project, { environment });
  const unwritten = await send(after.port, 'GET', path);
  expect(JSON.parse(unwritten.text)).not.toHaveProperty('status');
  const body = { status: { note: 'a' } };
  const other = path.replace('/v1/', '/v1beta1/');
  await send(after.port, 'PATCH', `${other}/status`, { headers: MERGE, body });
  const written = await send(after.port, 'GET', path);
  expect(JSON.parse(written.text)).toMatchObject({ status: { phase: 'Unknown', note: 'a' } });
  await after.close();
  rmSync(folder, { recursive: true });
});
