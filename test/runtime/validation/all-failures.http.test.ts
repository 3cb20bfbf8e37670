import { loadProject } from '../../../src/load/load-project';
import type { Resource } from '../../../templates/runtime/model/resource';
import { failures, type HttpResponse, JSON_TYPE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';

// A write through a spoke can break rules of the spoke, be inconvertible, and break rules of the hub, all at once.

const yaml = `name: rounds
groups:
  - storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Host
        versions:
          v1:
            spec:
              net: { type: object, fields: { host: { type: string, rules: [max=5] } } }
              port: { type: integer, rules: [required, max=100] }
              lat: { type: number, rules: [required, max=9] }
              lon: { type: number, rules: [required] }
              name: { type: string, rules: [required] }
              disks: { type: list, key: id, items: { type: object, fields: {
                id: { type: string, rules: [required] }, size: { type: integer, rules: [max=9] } } } }
            status: { load: { type: integer, rules: [max=9] }, note: { type: string, rules: [max=3] } }
          v1beta1:
            spec:
              host: string
              portText: string
              latText: string
              lonText: { type: string, rules: [max=4] }
              title: { type: string, rules: [min=2] }
              disks: { type: list, key: id, items: { type: object, fields: {
                id: { type: string, rules: [required] }, size: { type: string, rules: [min=1] } } } }
            status: { load: string, note: string }
            conversion:
              - rename: { hub: spec.net.host, spoke: spec.host }
              - rename: { hub: spec.name, spoke: spec.title }
              - cast: { hub: spec.port, spoke: spec.portText }
              - custom: { hub: [spec.lat, spec.lon], spoke: [spec.latText, spec.lonText], name: place }
              - cast: { hub: 'spec.disks[].size', spoke: 'spec.disks[].size' }
              - cast: { hub: status.load, spoke: status.load }
`;

type Mode = 'strict' | 'warn' | 'disabled';
const MODES: Mode[] = ['strict', 'warn', 'disabled'];
const services = new Map<Mode, TestService>();
const placed = jest.fn();
const own = {
  placeToHub({ latText, lonText }: { latText?: string; lonText?: string }) {
    placed(latText, lonText);
    if (latText === undefined || lonText === undefined) throw new Error('must be complete');
    return { lat: Number(latText), lon: Number(lonText) };
  },
  placeFromHub: ({ lat, lon }: { lat: number; lon: number }) => ({ latText: `${lat}`, lonText: `${lon}` }),
};

beforeAll(async () => {
  for (const mode of MODES) {
    const { project } = loadProject(__dirname, yaml.replace('\n', `\nvalidation: ${mode}\n`));
    services.set(mode, await startService(project, { hooks: { Host: own } }));
  }
});
beforeEach(() => placed.mockClear());
afterAll(() => Promise.all([...services.values()].map((service) => service.close())));

const BETA = '/apis/example.svc.dev/v1beta1/hosts';
const VALID = { host: 'a', portText: '1', latText: '1', lonText: '2', title: 'ab' };

const write = (mode: Mode, method: string, path: string, body: object): Promise<HttpResponse> =>
  send(services.get(mode)!.port, method, path, { headers: JSON_TYPE, body });

const create = (mode: Mode, spec: object): Promise<HttpResponse> =>
  write(mode, 'POST', BETA, { spec: { ...VALID, ...spec } });

test.each<[name: string, spec: object, want: string[]]>([
  ['nothing', {}, []],
  [
    'a rule of each kind',
    { titel: 'x', host: 'toolong', portText: 'x' },
    ['#/spec/host max=5', '#/spec/portText cast', '#/spec/titel unknown'],
  ],
  [
    'conversion and the hub',
    { host: 'toolong', portText: 'x' },
    ['#/spec/host max=5', '#/spec/portText cast'],
  ],
  ['the hub alone', { host: 'toolong', portText: '101' }, ['#/spec/host max=5', '#/spec/portText max=100']],
  ['a field that fails twice', { title: 'a', portText: 7 }, ['#/spec/portText type', '#/spec/title min=2']],
  [
    'a field without which the hub lacks one',
    { title: undefined, portText: '' },
    ['#/spec/portText cast', '#/spec/title required'],
  ],
  ['several fields together', { latText: undefined }, ['#/spec/latText custom place']],
  [
    'several fields in the hub',
    { latText: '10', titel: 'x' },
    ['#/spec/latText max=9', '#/spec/titel unknown'],
  ],
  ['the last of several fields', { lonText: '12345' }, ['#/spec/lonText max=4']],
  [
    'elements',
    {
      disks: [{ id: 'a', size: '' }, { id: 'b', size: '10' }, { id: 'c', size: 'x' }, { size: '1' }],
      portText: '101',
    },
    [
      '#/spec/disks/0/size min=1',
      '#/spec/disks/1/size max=9',
      '#/spec/disks/2/size cast',
      '#/spec/disks/3/id required',
      '#/spec/portText max=100',
    ],
  ],
])('strict refuses %s at once', async (_name, spec, want) => {
  const response = await create('strict', spec);
  expect([response.status, failures(response).sort()]).toEqual([want.length === 0 ? 201 : 400, want]);
});

test('a function is not called with a field that broke a rule', async () => {
  await create('strict', { lonText: '12345' });
  expect(placed).not.toHaveBeenCalled();
  await create('strict', { title: 'a' });
  expect(placed).toHaveBeenCalledWith('1', '2');
});

test.each<[part: string, body: object, want: string[]]>([
  [
    '',
    { spec: { ...VALID, titel: 'x', portText: 'x', host: 'old and long' } },
    ['portText cast', 'titel unknown'],
  ],
  ['', { spec: { ...VALID, titel: 'x', host: 'new and long' } }, ['host max=5', 'titel unknown']],
  [
    '/status',
    { status: { loda: '1', load: 'x', note: 'long' } },
    ['load cast', 'loda unknown', 'note max=3'],
  ],
])('strict refuses a PUT of%s %j, but nothing that is unchanged', async (part, body, want) => {
  const { headers } = await create('strict', {});
  const { store } = services.get('strict')!.service;
  const kind = 'example.svc.dev/Host';
  const uid = headers['location']!.split('/').at(-1)!;
  const stored = (await store.get(kind, uid))!;
  const resource = JSON.parse(stored.text) as Resource;
  const text = JSON.stringify({ ...resource, spec: { ...resource.spec, net: { host: 'old and long' } } });
  await store.write({ ...stored, action: 'update', kind, text });
  const response = await write('strict', 'PUT', `${BETA}/${uid}${part}`, body);
  const pointers = want.map((each) => `#/${part === '' ? 'spec' : 'status'}/${each}`);
  expect([response.status, failures(response).sort()]).toEqual([400, pointers]);
});

test.each(['warn', 'disabled'] as const)('%s refuses what cannot be converted, alone', async (mode) => {
  const refused = await create(mode, { titel: 'x', host: 'toolong', portText: 'x' });
  expect([refused.status, failures(refused)]).toEqual([400, ['#/spec/portText cast']]);
  const { status, headers } = await create(mode, { titel: 'x', host: 'toolong' });
  const warnings = mode === 'warn' ? ['/spec/titel', '/spec/host'] : [];
  const told = [...(headers['warning'] ?? '').matchAll(/"(\/[^:]*):/g)].map(([, pointer]) => pointer);
  expect([status, told]).toEqual([201, warnings]);
});
