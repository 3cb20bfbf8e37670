import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProject } from '../../../src/load/load-project';
import type { Resource } from '../../../templates/runtime/model/resource';
import type { Json, JsonObject } from '../../../templates/runtime/model/schema';
import { JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';

// The fields or rules of a version change, the storage version stays: what was kept aside before is read all the same.

let folder: string;
let service: TestService | undefined;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'changed-rules-'))));
afterEach(async () => {
  await service?.close();
  rmSync(folder, { recursive: true });
});

/** The spec of a version, and its rules. */
interface Version {
  spec: string;
  rules?: string;
}

/** The service on the same database, its hub v1 and its spoke v1beta1 as given. */
async function restart(v1: string, { spec, rules = '' }: Version): Promise<void> {
  await service?.close();
  const yaml = `name: changing
groups:
  - storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Device
        specVersioning: true
        versions:
          v1: { spec: ${v1} }
          v1beta1: { spec: ${spec}, conversion: [${rules}] }
`;
  service = await startService(loadProject(__dirname, yaml).project, {
    environment: { DATABASE_URL: `sqlite:${folder}/store.db` },
  });
}

const collection = (version: string): string => `/apis/example.svc.dev/${version}/devices`;

async function exchange(method: string, path: string, body?: object): Promise<Resource> {
  const headers = method === 'PATCH' ? MERGE : JSON_TYPE;
  const { status, text } = await send(service!.port, method, path, { headers, body });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text) as Resource;
}

const create = async (version: string, spec: JsonObject): Promise<string> =>
  (await exchange('POST', collection(version), { spec })).metadata.uid;
const read = async (version: string, uid: string): Promise<unknown> =>
  (await exchange('GET', `${collection(version)}/${uid}`)).spec;

test('a field that the hub adopts is shown by the version that wrote it, and in the hub once that writes', async () => {
  const name = '{ name: string }';
  const both = '{ name: string, nickname: string }';
  await restart(name, { spec: both });
  const uid = await create('v1beta1', { name: 'a', nickname: 'bee' });
  await restart(both, { spec: both });
  const both_ = async (): Promise<unknown[]> => [await read('v1', uid), await read('v1beta1', uid)];
  expect(await both_()).toEqual([{ name: 'a' }, { name: 'a', nickname: 'bee' }]);
  await exchange('PUT', `${collection('v1')}/${uid}`, { spec: { name: 'b' } });
  expect(await both_()).toEqual([{ name: 'b' }, { name: 'b', nickname: 'bee' }]);
  await exchange('PATCH', `${collection('v1beta1')}/${uid}`, { spec: { name: 'c' } });
  expect(await both_()).toEqual([
    { name: 'c', nickname: 'bee' },
    { name: 'c', nickname: 'bee' },
  ]);
  await exchange('PUT', `${collection('v1')}/${uid}`, { spec: { name: 'd' } });
  expect(await both_()).toEqual([{ name: 'd' }, { name: 'd' }]);
});

test('what the hub writes there replaces it for good', async () => {
  const both = '{ name: string, nickname: string }';
  await restart('{ name: string }', { spec: both });
  const uid = await create('v1beta1', { name: 'a', nickname: 'bee' });
  await restart(both, { spec: both });
  for (const nickname of ['hub', null]) {
    await exchange('PATCH', `${collection('v1')}/${uid}`, { spec: { nickname } });
    expect(await read('v1beta1', uid)).toEqual(nickname === null ? { name: 'a' } : { name: 'a', nickname });
  }
});

test('fields of elements without a key that the hub adopts are shown until the list changes', async () => {
  const spec = (fields: string): string =>
    `{ name: string, boxes: { type: list, items: { type: list, items: { type: object, fields: { ${fields} } } } } }`;
  const both = spec('size: integer, note: string');
  await restart(spec('size: integer'), { spec: both });
  const boxes: Json = [[{ size: 1, note: 'one' }, { size: 1 }], [{ note: 'two' }]];
  const bare = [[{ size: 1 }, { size: 1 }], [{}]];
  const [shown, written, changed] = [
    await create('v1beta1', { boxes }),
    await create('v1beta1', { boxes }),
    await create('v1beta1', { boxes }),
  ];
  await restart(both, { spec: both });
  await exchange('PATCH', `${collection('v1')}/${shown}`, { spec: { name: 'a' } });
  expect([await read('v1', shown), await read('v1beta1', shown)]).toEqual([
    { name: 'a', boxes: bare },
    { name: 'a', boxes },
  ]);
  await exchange('PATCH', `${collection('v1beta1')}/${written}`, { spec: { name: 'b' } });
  expect(await read('v1', written)).toEqual({ name: 'b', boxes });
  await exchange('PATCH', `${collection('v1')}/${changed}`, { spec: { boxes: bare.toReversed() } });
  expect(await read('v1beta1', changed)).toEqual({ boxes: bare.toReversed() });
});

test('an orphaned list is not mixed with that of the hub', async () => {
  const both =
    '{ name: string, boxes: { type: list, items: { type: object, fields: { size: integer, note: string } } } }';
  await restart('{ name: string }', { spec: both });
  const uid = await create('v1beta1', { boxes: [{ size: 1, note: 'one' }] });
  await restart(both, { spec: both });
  await exchange('PATCH', `${collection('v1')}/${uid}`, { spec: { boxes: [{ size: 2 }] } });
  expect(await read('v1beta1', uid)).toEqual({ boxes: [{ size: 2 }] });
});

const LIST = (fields: string): string =>
  `{ ports: { type: list, key: name, items: { type: object, fields: { name: string, ${fields} } } } }`;

test.each<[string, { hub: [string, string]; spoke: [Version, Version]; spec: JsonObject; want: JsonObject }]>(
  [
    [
      'fields of elements that the hub adopts',
      {
        hub: [LIST('port: integer'), LIST('port: integer, note: string')],
        spoke: [{ spec: LIST('port: integer, note: string') }, { spec: LIST('port: integer, note: string') }],
        spec: {
          ports: [
            { name: 'a', port: 1, note: 'one' },
            { name: 'b', port: 2 },
          ],
        },
        want: {
          ports: [
            { name: 'a', port: 1, note: 'one' },
            { name: 'b', port: 2 },
          ],
        },
      },
    ],
    [
      'another factor: the value of the hub counts',
      {
        hub: ['{ minutes: integer }', '{ minutes: integer }'],
        spoke: [
          { spec: '{ s: integer }', rules: '{ scale: { hub: spec.minutes, spoke: spec.s, factor: 0.01 } }' },
          { spec: '{ s: integer }', rules: '{ scale: { hub: spec.minutes, spoke: spec.s, factor: 0.02 } }' },
        ],
        spec: { s: 190 },
        want: { s: 100 },
      },
    ],
    [
      'a field that the version has no more',
      {
        hub: ['{ name: string }', '{ name: string }'],
        spoke: [{ spec: '{ name: string, nickname: string }' }, { spec: '{ name: string }' }],
        spec: { name: 'a', nickname: 'bee' },
        want: { name: 'a' },
      },
    ],
    [
      'a field that is renamed in the hub',
      {
        hub: ['{ name: string }', '{ name: string, alias: string }'],
        spoke: [
          { spec: '{ name: string, nickname: string }' },
          {
            spec: '{ name: string, nickname: string }',
            rules: '{ rename: { hub: spec.alias, spoke: spec.nickname } }',
          },
        ],
        spec: { name: 'a', nickname: 'bee' },
        want: { name: 'a', nickname: 'bee' },
      },
    ],
    [
      'a rule in place of another',
      {
        hub: [
          '{ name: string, list: { type: list, items: string } }',
          '{ name: string, list: { type: list, items: string } }',
        ],
        spoke: [
          {
            spec: '{ name: string, list: string, x: string }',
            rules: '{ wrap: { hub: spec.list, spoke: spec.list } }',
          },
          {
            spec: '{ name: string, list: string, x: string }',
            rules: '{ join: { hub: spec.list, spoke: spec.list, separator: "," } }',
          },
        ],
        spec: { name: 'a', list: 'p,q', x: 'y' },
        want: { name: 'a', list: 'p,q', x: 'y' },
      },
    ],
    [
      'an object that was kept aside is shared now',
      {
        hub: ['{ name: string }', '{ name: string, o: { type: object, fields: { a: string, b: string } } }'],
        spoke: [
          { spec: '{ name: string, o: { type: object, fields: { a: string, b: string } } }' },
          { spec: '{ name: string, o: { type: object, fields: { a: string, b: string } } }' },
        ],
        spec: { name: 'a', o: { a: '1', b: '2' } },
        want: { name: 'a', o: { a: '1', b: '2' } },
      },
    ],
  ],
)('%s', async (_, { hub, spoke, spec, want }) => {
  await restart(hub[0], spoke[0]);
  const uid = await create('v1beta1', spec);
  expect(await read('v1beta1', uid)).toEqual(spec);
  await restart(hub[1], spoke[1]);
  expect(await read('v1beta1', uid)).toEqual(want);
  const snapshots = await send(service!.port, 'GET', `${collection('v1beta1')}/${uid}/versions`);
  expect((JSON.parse(snapshots.text) as { spec: unknown }[]).map((one) => one.spec)).toEqual([want]);
  const sent = await exchange('PUT', `${collection('v1beta1')}/${uid}`, { spec: want });
  expect(sent.spec).toEqual(want);
});
