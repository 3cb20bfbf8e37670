import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { loadProject } from '../../../src/load/load-project';
import type { Project } from '../../../src/model/project';
import {
  converting,
  onUnconverted,
  tellUnconverted,
  type Unconverted,
} from '../../../templates/runtime/conversion/lenses/unconverted';
import type { Resource } from '../../../templates/runtime/model/resource';
import { migrateStorage } from '../../../templates/runtime/versions/migrate-storage';
import { logUnconverted } from '../../../templates/runtime/versions/unconverted-log';
import { create, JSON_TYPE, MERGE, send } from '../support/client';
import { kindDefinition, serviceDefinition, startService, type TestService } from '../support/harness';
import { migrateHere } from './migrate-here';

const RULES: { [hub: string]: { [version: string]: string } } = {
  v1: { v1: '', v2: 'conversion: [{ cast: { hub: spec.port, spoke: spec.port, otherwise: { spoke: 0 } } }]' },
  v2: { v1: 'conversion: [{ cast: { hub: spec.port, spoke: spec.port } }]', v2: '' },
};

/** Hosts whose port is text in v1 and a number in v2. */
function hosts(hub: 'v1' | 'v2'): Project {
  const yaml = `name: hosts
groups:
  - storageVersion: ${hub}
    versions: [v1, v2]
    kinds:
      - name: Host
        specVersioning: true
        versions:
          v1:
            spec: { name: string, port: string }
            ${RULES[hub].v1}
          v2:
            spec: { name: string, port: { type: integer, rules: [required] } }
            ${RULES[hub].v2}
`;
  return loadProject(__dirname, yaml).project;
}

function start(hub: 'v1' | 'v2'): Promise<TestService> {
  return startService(hosts(hub), { environment: { DATABASE_URL: `sqlite:${folder}/store.db` } });
}

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'unconverted-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('resources are migrated that are larger together than all writes that may wait', async () => {
  const service = await start('v1');
  for (let n = 0; n < 8; n++)
    await create(service.port, '/hosts', { name: `${n}`.repeat(9_000), port: '80' });
  await service.close();
  process.env['STORE_QUEUE_BYTES'] = '65536';
  const [code, said] = await migrateHere(hosts('v2'), folder).finally(
    () => delete process.env['STORE_QUEUE_BYTES'],
  );
  expect([code, said.at(-1)]).toEqual([
    0,
    'example.svc.dev/Host: 8 of 8 resources, 8 of 8 snapshots rewritten to v2\n',
  ]);
});

test('what the present hub cannot have is absent there and reported of; lists, snapshots and the version that wrote it go on', async () => {
  let service = await start('v1');
  const first = await create(service.port, '/hosts', { name: 'one', port: 'http' });
  await create(service.port, '/hosts', { name: 'two', port: '80' });
  const uid = first.resource.metadata.uid;
  await service.close();

  service = await start('v2');
  const reported: Unconverted[] = [];
  onUnconverted((left) => reported.push(left));
  const specs = async (path: string): Promise<unknown> => {
    const { status, text } = await send(service.port, 'GET', path);
    return [status, (JSON.parse(text) as Resource[]).map(({ spec }) => spec)];
  };
  const [v1, v2] = ['v1', 'v2'].map((version) => `/apis/example.svc.dev/${version}/hosts`);
  expect(await specs(v2)).toEqual([200, [{ name: 'one' }, { name: 'two', port: 80 }]]);
  expect(reported).toEqual([{ kind: 'Host', version: 'v1', uid, pointer: '/spec/port', rule: 'cast' }]);
  expect(await specs(v1)).toEqual([
    200,
    [
      { name: 'one', port: 'http' },
      { name: 'two', port: '80' },
    ],
  ]);
  expect(await specs(`${v2}/${uid}/versions`)).toEqual([200, [{ name: 'one' }]]);
  expect(await specs(`${v1}/${uid}/versions`)).toEqual([200, [{ name: 'one', port: 'http' }]]);

  const put = (path: string, spec: object) =>
    send(service.port, 'PUT', `${path}/${uid}`, { headers: JSON_TYPE, body: { spec } });
  expect((await put(v1, { name: 'uno', port: 'http' })).status).toBe(200);
  expect(await specs(v1)).toEqual([
    200,
    [
      { name: 'uno', port: 'http' },
      { name: 'two', port: '80' },
    ],
  ]);
  expect((await put(v2, { name: 'uno', port: 81 })).status).toBe(200);
  expect(await specs(v1)).toEqual([
    200,
    [
      { name: 'uno', port: '81' },
      { name: 'two', port: '80' },
    ],
  ]);
  await service.close();
});

test('migrate-storage leaves what it cannot rewrite as it is, and says which', async () => {
  const service = await start('v1');
  const { resource } = await create(service.port, '/hosts', { name: 'one', port: 'http' });
  await create(service.port, '/hosts', { name: 'two', port: '80' });
  await service.close();
  const project = hosts('v2');
  const kinds = project.groups.flatMap((group) => group.kinds.map((kind) => kindDefinition(group, kind, {})));
  const said: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0),
  );
  const before = process.env['DATABASE_URL'];
  process.env['DATABASE_URL'] = `sqlite:${folder}/store.db`;
  const code = await migrateStorage(serviceDefinition(project), kinds, []);
  process.env['DATABASE_URL'] = before ?? '';
  spies.forEach((spy) => spy.mockRestore());
  expect(code).toBe(1);
  const name = `example.svc.dev/Host`;
  expect(said).toContain(
    `${name} ${resource.metadata.uid}: /spec/port of v1 cannot be converted by the rule cast\n`,
  );
  expect(said.at(-1)).toBe(`${name}: 1 of 2 resources, 1 of 2 snapshots rewritten to v2\n`);
  const again = await start('v2');
  const stored = await again.service.store.versions.all();
  expect(stored.map(({ version }) => version)).toEqual(['v1', 'v2']);
  await again.close();
});

test('the log names what could not be converted, and no value of it', () => {
  const lines: string[] = [];
  logUnconverted(pino({ base: {}, timestamp: false }, { write: (line) => void lines.push(line) }));
  const subject = { kind: 'Host', version: 'v1', uid: 'hos-0123456789abcdef' };
  converting(subject, () => {
    tellUnconverted({ pointer: '/spec/port', rule: 'cast' });
    tellUnconverted({ function: 'placeFromHub', error: new TypeError('secret\n  of two lines') });
    tellUnconverted({ function: 'placeFromHub', error: 'secret' });
  });
  const [pointed, thrown, text] = lines.map(
    (line) => JSON.parse(line) as { error: { type: string; stack: string } },
  );
  const common = { level: 50, msg: 'not converted', ...subject };
  expect(pointed).toEqual({ ...common, pointer: '/spec/port', rule: 'cast' });
  expect(thrown).toEqual({
    ...common,
    function: 'placeFromHub',
    error: { type: 'TypeError', stack: expect.stringMatching(/^ +at .*unconverted\.http\.test/) },
  });
  expect(text).toEqual({ ...common, function: 'placeFromHub', error: { type: 'string', stack: '' } });
  expect(lines.join('')).not.toContain('secret');
});

describe('a function that throws is logged once for a request and a resource', () => {
  const PLACES = `name: places
groups:
  - storageVersion: v1
    versions: [v1, v2]
    kinds:
      - name: Place
        specVersioning: true
        versions:
          v1:
            spec: { name: string, lat: number }
          v2:
            spec: { name: string, position: string }
            conversion:
              - custom: { hub: [spec.lat], spoke: [spec.position], name: position }
`;
  const lines: { uid?: string; function?: string }[] = [];
  let throws: string[];
  let time = 0;
  let service: TestService;
  beforeAll(async () => {
    const hooks = {
      Place: Object.fromEntries(
        ['positionToHub', 'positionFromHub'].map((name) => [
          name,
          (): object => {
            if (throws.includes(name)) throw new TypeError('no');
            return { lat: 1, position: '1' };
          },
        ]),
      ),
    };
    service = await startService(loadProject(__dirname, PLACES).project, { hooks });
    const write = (line: string): void => void lines.push(JSON.parse(line) as object);
    logUnconverted(pino({ base: {}, timestamp: false }, { write }), () => time);
  });
  afterAll(() => service.close());

  const v2 = '/apis/example.svc.dev/v2';
  const position = { spec: { name: 'b', position: '3' } };
  test.each<[string, throws: string[], (path: string) => [method: string, path: string, body?: object]]>([
    ['GET', ['positionFromHub'], (path) => ['GET', `${v2}${path}`]],
    ['PUT', ['positionFromHub'], (path) => ['PUT', `${v2}${path}`, position]],
    ['PATCH', ['positionFromHub'], (path) => ['PATCH', `${v2}${path}`, { spec: { name: 'c' } }]],
    ['PUT of the status', ['positionFromHub'], (path) => ['PUT', `${v2}${path}/status`, { status: {} }]],
    ['PUT, both throw', ['positionFromHub', 'positionToHub'], (path) => ['PUT', `${v2}${path}`, position]],
    ['snapshots', ['positionFromHub'], (path) => ['GET', `${v2}${path}/versions`]],
  ])('%s', async (_, throwing, requestOf) => {
    throws = [];
    const { path, resource } = await create(service.port, '/places', { name: 'a', lat: 1 });
    const body = { spec: { name: 'a', lat: 2 } };
    await send(service.port, 'PUT', path, { headers: JSON_TYPE, body });
    throws = throwing;
    for (let repeat = 0; repeat < 2; repeat++) {
      const [method, url, sent] = requestOf(path);
      lines.length = 0;
      time += 1_000;
      const headers = method === 'PATCH' ? MERGE : JSON_TYPE;
      expect((await send(service.port, method, url, { headers, body: sent })).status).toBeLessThan(500);
      const of = lines.map((line) => [line.uid, line.function]);
      if (repeat === 0) expect(of).toEqual([[resource.metadata.uid, 'positionFromHub']]);
      else expect(of.length).toBeLessThanOrEqual(1);
    }
  });

  test('each resource of a list', async () => {
    throws = [];
    for (const name of ['x', 'y']) await create(service.port, '/places', { name, lat: 1 });
    throws = ['positionFromHub'];
    lines.length = 0;
    time += 1_000;
    const { text } = await send(service.port, 'GET', `${v2}/places?limit=1000`);
    const listed = (JSON.parse(text) as Resource[]).map(({ metadata }) => metadata.uid);
    const logged = lines.map(({ uid }) => uid);
    expect(new Set(logged).size).toBe(logged.length);
    expect(logged).toEqual(expect.arrayContaining(listed.slice(-2)));
  });

  test('many failures are not remembered without end', () => {
    lines.length = 0;
    for (let count = 0; count < 2_002; count++)
      converting({ kind: 'Place', version: 'v2', uid: `pla-${count % 1_001}` }, () =>
        tellUnconverted({ function: 'positionFromHub', error: new TypeError('no') }),
      );
    expect(lines).toHaveLength(2_002);
  });
});
