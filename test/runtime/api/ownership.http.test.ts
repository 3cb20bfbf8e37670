import type { Resource } from '../../../templates/runtime/model/resource';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import {
  create,
  type HttpResponse,
  JSON_PATCH,
  JSON_TYPE,
  MERGE,
  send,
  type Sent,
  SHORTHAND_PATCH,
} from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

let service: TestService;
/** As lenient as a service can be. */
let disabled: TestService;
beforeAll(async () => {
  service = await startService(testProject());
  disabled = await startService(testProject({ validation: 'disabled' }));
});
afterAll(() => Promise.all([service.close(), disabled.close()]));

const SPEC = { name: 'a', location: 'b' };
const STATUS = { phase: 'Ready', ready: true };

/** A change of one value, as each way of writing expresses it. */
interface Change {
  path: string[];
  value: unknown;
}

type Write = [
  name: string,
  part: 'spec' | 'status',
  method: string,
  suffix: string,
  sent: (change: Change) => Sent,
];

const whole = ({ path, value }: Change, base: JsonObject): JsonObject => {
  const body = structuredClone(base);
  let target = body;
  for (const name of path.slice(0, -1)) target = (target[name] ??= {}) as JsonObject;
  target[path.at(-1)!] = value as JsonObject;
  return body;
};
const wholeBody =
  (base: JsonObject) =>
  (change: Change): Sent => ({ headers: JSON_TYPE, body: whole(change, base) });
const merge = (change: Change): Sent => ({ headers: MERGE, body: whole(change, {}) });
const shorthand = ({ path, value }: Change): Sent => ({
  headers: SHORTHAND_PATCH,
  body: { [path.join('.')]: value },
});
const jsonPatch = ({ path, value }: Change): Sent => ({
  headers: JSON_PATCH,
  body: [{ op: 'add', path: `/${path.join('/')}`, value }],
});
/** A merge patch of the status that has no `status` member would be read as a bare status. */
const wrapped = (change: Change): Sent => ({ headers: MERGE, body: whole(change, { status: {} }) });

const WRITES: Write[] = [
  ['POST', 'spec', 'POST', '', wholeBody({ spec: SPEC })],
  ['PUT', 'spec', 'PUT', '', wholeBody({ spec: SPEC })],
  ['merge patch', 'spec', 'PATCH', '', merge],
  ['JSON Patch', 'spec', 'PATCH', '', jsonPatch],
  ['shorthand patch', 'spec', 'PATCH', '', shorthand],
  ['PUT status', 'status', 'PUT', '/status', wholeBody({ status: STATUS })],
  ['merge patch of status', 'status', 'PATCH', '/status', wrapped],
  ['JSON Patch of status', 'status', 'PATCH', '/status', jsonPatch],
  ['shorthand patch of status', 'status', 'PATCH', '/status', shorthand],
];

/** Members that no client owns. */
const SERVERS: Change[] = [
  { path: ['metadata', 'uid'], value: 'dev-ffffffffffffffff' },
  { path: ['metadata', 'uid'], value: 7 },
  { path: ['metadata', 'createdAt'], value: '2001-01-01T00:00:00.000Z' },
  { path: ['metadata', 'updatedAt'], value: '2001-01-01T00:00:00.000Z' },
  { path: ['metadata', 'updatedAt'], value: '9999-01-01T00:00:00.000Z' },
  { path: ['metadata', 'generation'], value: 99 },
  { path: ['status', 'version'], value: '20010101000000-1' },
  { path: ['status', 'version'], value: null },
];
/** Members that clients own, but not in a write of the other part. */
const OTHERS: { [part in 'spec' | 'status']: Change[] } = {
  spec: [
    { path: ['status', 'phase'], value: 'Error' },
    { path: ['status'], value: { ready: false } },
    { path: ['status'], value: 'x' },
  ],
  status: [
    { path: ['spec', 'name'], value: 'changed' },
    { path: ['spec'], value: { name: 'x', location: 'y' } },
    { path: ['metadata', 'name'], value: 'changed' },
    { path: ['metadata', 'labels'], value: { a: 'changed' } },
    { path: ['metadata', 'annotations'], value: { a: 'changed' } },
    { path: ['metadata'], value: { name: 'changed' } },
  ],
};
/** Restored after a patch; in a whole body the first is 406 and the second 400. */
const IDENTITY: Change[] = [
  { path: ['apiVersion'], value: 'other.example/v1' },
  { path: ['kind'], value: 'Other' },
];

/** A Device as it is before the write: named, labelled, with a status and two snapshots. */
async function device({ port }: TestService): Promise<{ path: string; before: Resource }> {
  const metadata = { name: 'n', labels: { a: 'b' }, annotations: { c: 'd' } };
  const { path } = await create(port, '/devices', SPEC, metadata);
  await send(port, 'PUT', path, { headers: JSON_TYPE, body: { spec: SPEC } });
  const { text } = await send(port, 'PUT', `${path}/status`, {
    headers: JSON_TYPE,
    body: { status: STATUS },
  });
  return { path, before: JSON.parse(text) as Resource };
}

/** Writes, and checks that nothing has changed which the write must leave alone. */
async function write(
  on: TestService,
  [, part, method, suffix, sent]: Write,
  change: Change,
): Promise<HttpResponse> {
  const { path, before } = await device(on);
  const target = method === 'POST' ? '/devices' : path + suffix;
  const response = await send(on.port, method, target, sent(change));
  if (response.status > 299) return response;
  const after = JSON.parse(response.text) as Resource;
  const { uid, createdAt, updatedAt, generation, ...client } = after.metadata;
  expect([after.apiVersion, after.kind]).toEqual([before.apiVersion, before.kind]);
  expect(uid).toMatch(/^dev-[0-9a-f]{16}$/);
  if (method === 'POST') {
    expect([uid === 'dev-ffffffffffffffff', generation, createdAt]).toEqual([false, 1, updatedAt]);
    expect(after.status).toEqual({ ready: false, version: expect.stringMatching(/^\d{14}-\d{19}$/) });
    expect((await send(on.port, 'GET', `/devices/${uid}`)).text).toBe(response.text);
    return response;
  }
  expect([uid, createdAt, generation]).toEqual([
    before.metadata.uid,
    before.metadata.createdAt,
    before.metadata.generation,
  ]);
  expect([Date.parse(updatedAt) >= Date.parse(before.metadata.updatedAt), updatedAt < '9']).toEqual([
    true,
    true,
  ]);
  const { version, ...observed } = after.status!;
  if (part === 'spec') {
    expect(observed).toEqual(STATUS);
    expect(version! > before.status!['version']!).toBe(true);
  } else {
    expect(version).toBe(before.status!['version']);
    expect([after.spec, client]).toEqual([
      before.spec,
      { name: 'n', labels: { a: 'b' }, annotations: { c: 'd' } },
    ]);
  }
  expect((await send(on.port, 'GET', path)).text).toBe(response.text);
  return response;
}

describe.each(WRITES)('%s', (...row) => {
  const [name, part, method] = row;
  test.each([...SERVERS, ...OTHERS[part]])('leaves $path alone: $value', async (change) => {
    for (const on of [service, disabled]) {
      const response = await write(on, row, change);
      // A status that is no object is malformed for those that write one.
      const refused = part === 'status' && change.path.length === 1 && change.value === 'x';
      expect([response.status, response.text]).toEqual([
        refused ? 400 : method === 'POST' ? 201 : 200,
        response.text,
      ]);
    }
  });

  test.each(IDENTITY)('keeps its $path', async (change) => {
    const [member] = change.path;
    const negotiated = member === 'apiVersion' && name !== 'JSON Patch' && name !== 'JSON Patch of status';
    const want = negotiated ? 406 : method === 'PATCH' ? 200 : 400;
    expect((await write(service, row, change)).status).toBe(want);
  });
});

test('a first status holds the defaults, whatever the body says of it', async () => {
  for (const status of [{ phase: 'Ready', ready: true }, null, 'x', [], 7]) {
    const body = { spec: SPEC, status };
    const response = await send(service.port, 'POST', '/devices', { headers: JSON_TYPE, body });
    expect((JSON.parse(response.text) as Resource).status).toEqual({
      ready: false,
      version: expect.any(String),
    });
  }
});

test('writers of spec and status at once: neither loses anything', async () => {
  const { path } = await create(service.port, '/devices', SPEC);
  const rounds = Array.from({ length: 40 }, (_, index) => index);
  const responses = await Promise.all(
    rounds.flatMap((index) => [
      send(service.port, 'PATCH', path, {
        headers: MERGE,
        body: { spec: { config: { [`k${index}`]: 'x' } } },
      }),
      send(service.port, 'PATCH', `${path}/status`, {
        headers: JSON_PATCH,
        body: [{ op: 'add', path: '/status/conditions', value: [{ type: `t${index}` }] }],
      }),
      send(service.port, 'PUT', `${path}/status`, {
        headers: JSON_TYPE,
        body: { status: { message: `m${index}` }, spec: { name: 'lost', location: 'lost' } },
      }),
    ]),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const { spec, status, metadata } = JSON.parse((await send(service.port, 'GET', path)).text) as Resource;
  expect(spec).toEqual({ ...SPEC, config: Object.fromEntries(rounds.map((index) => [`k${index}`, 'x'])) });
  expect(metadata.generation).toBe(41);
  const snapshots = JSON.parse((await send(service.port, 'GET', `${path}/versions`)).text) as {
    versionId: string;
  }[];
  expect([snapshots.length, status!['version']]).toEqual([41, snapshots.at(-1)!.versionId]);
  expect(status!['message']).toMatch(/^m\d+$/);
});

describe('metadata that is the client’s', () => {
  test.each<[string, Sent, object]>([
    [
      'PUT without metadata keeps it',
      { headers: JSON_TYPE, body: { spec: SPEC } },
      { name: 'n', labels: { a: 'b' }, annotations: { c: 'd' } },
    ],
    [
      'PUT with null keeps it',
      { headers: JSON_TYPE, body: { spec: SPEC, metadata: { name: null, labels: null } } },
      { name: 'n', labels: { a: 'b' }, annotations: { c: 'd' } },
    ],
    [
      'PUT replaces what it names',
      { headers: JSON_TYPE, body: { spec: SPEC, metadata: { labels: { x: 'y' } } } },
      { name: 'n', labels: { x: 'y' }, annotations: { c: 'd' } },
    ],
    [
      'PUT empties',
      { headers: JSON_TYPE, body: { spec: SPEC, metadata: { name: '', labels: {} } } },
      { name: '', annotations: { c: 'd' } },
    ],
    [
      'a merge patch removes',
      { headers: MERGE, body: { metadata: { labels: { a: null, z: '1' }, annotations: null } } },
      { name: 'n', labels: { z: '1' } },
    ],
    [
      'a patch that removes all of metadata keeps the name',
      { headers: MERGE, body: { metadata: null } },
      { name: 'n' },
    ],
    [
      'a label of a name of Object.prototype',
      { headers: MERGE, body: { metadata: { labels: { constructor: 'x' } } } },
      { name: 'n', labels: { a: 'b', constructor: 'x' }, annotations: { c: 'd' } },
    ],
  ])('%s', async (_name, sent, want) => {
    const { path, before } = await device(service);
    const response = await send(service.port, sent.headers === JSON_TYPE ? 'PUT' : 'PATCH', path, sent);
    expect(response.status).toBe(200);
    const { uid, createdAt, updatedAt, generation, ...client } = (JSON.parse(response.text) as Resource)
      .metadata;
    expect(client).toEqual(want);
    expect([uid, createdAt, generation]).toEqual([before.metadata.uid, before.metadata.createdAt, 1]);
    expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.metadata.updatedAt));
  });
});

test('generation counts changes of the spec alone', async () => {
  const { path } = await create(service.port, '/devices', SPEC);
  const steps: [string, Sent, number][] = [
    ['', { headers: JSON_TYPE, body: { spec: SPEC } }, 1],
    ['', { headers: JSON_TYPE, body: { spec: { location: 'b', name: 'a', model: null } } }, 1],
    ['', { headers: JSON_TYPE, body: { spec: { ...SPEC, model: 'x' } } }, 2],
    ['', { headers: JSON_TYPE, body: { spec: { ...SPEC, model: 'x' }, metadata: { name: 'other' } } }, 2],
    ['/status', { headers: JSON_TYPE, body: { status: STATUS } }, 2],
    ['', { headers: JSON_TYPE, body: { spec: SPEC } }, 3],
  ];
  for (const [suffix, sent, want] of steps) {
    const response = await send(service.port, 'PUT', path + suffix, sent);
    expect((JSON.parse(response.text) as Resource).metadata.generation).toBe(want);
  }
});
