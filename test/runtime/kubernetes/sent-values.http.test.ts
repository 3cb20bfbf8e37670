import { JSON_PATCH, MERGE } from '../support/client';
import { APPLY } from './applying';
import { projectOf } from './device-project';
import { Cluster, device, devices } from './devices';

// Values that clients send to a kube-apiserver, and values that it refuses, which they rely on.
const project = projectOf(
  `
        versions:
          v1:
            spec:
              location: { type: string, rules: [required, max=20] }
              model: string
              tags: { type: list, items: string, rules: [max=2] }
              options: { type: map, values: string }
              racks: { type: map, values: { type: map, values: { type: object, fields: { height: integer } } } }
              anything: { type: map, values: any }
`,
  { versions: 'v1' },
);

let cluster: Cluster;
let count = 0;
beforeAll(async () => {
  cluster = await Cluster.start({ project });
});
afterAll(() => cluster.close());

const create = (spec: object, metadata: object, name = `d-${++count}`): ReturnType<Cluster['request']> =>
  cluster.request('POST', devices(), { body: device(name, { location: 'eu', ...spec }, metadata) });

/** Creates a device, and returns its path. */
async function made(spec: object = {}, metadata: object = {}): Promise<string> {
  const { code, body } = await create(spec, metadata);
  expect(code).toBe(201);
  return `${devices()}/${body.metadata.name}`;
}

const patch = (path: string, body: unknown, headers = MERGE): ReturnType<Cluster['request']> =>
  cluster.request('PATCH', path, { body: body as object, headers });

const PREFIX = `${'a'.repeat(63)}.example.dev`;

describe('labels and annotations', () => {
  test.each<[member: string, texts: object]>([
    ['labels', { 'bad key': '' }],
    ['labels', { '': 'x' }],
    ['labels', { 'A.dev/key': 'x' }],
    ['labels', { 'a/b/c': 'x' }],
    ['labels', { ['k'.repeat(64)]: 'x' }],
    ['labels', { [`${'a.'.repeat(126)}aa/key`]: 'x' }],
    ['labels', { key: 'two words' }],
    ['labels', { key: 'v'.repeat(64) }],
    ['labels', { key: '-v' }],
    ['labels', { key: 'v\n' }],
    ['annotations', { 'bad key': 'x' }],
    ['annotations', { 'key\n': 'x' }],
  ])('%s %j are refused', async (member, texts) => {
    const created = await create({}, { [member]: texts }, 'refused');
    expect(created.body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { name: 'refused', causes: [{ reason: 'FieldValueInvalid', field: `metadata.${member}` }] },
    });
    const path = await made();
    const owned = { apiVersion: 'example.svc.dev/v1', kind: 'Device', metadata: { [member]: texts } };
    const writes = [
      await patch(path, { metadata: { [member]: texts } }),
      await patch(`${path}?fieldManager=a`, owned, APPLY),
    ];
    expect(writes.map(({ code }) => code)).toEqual([422, 422]);
  });

  test('are as long as Kubernetes allows', async () => {
    const labels = {
      [`${PREFIX}/${'k'.repeat(63)}`]: 'v'.repeat(63),
      'Key_1.x': '',
      [`${'a.'.repeat(126)}a/k`]: '1',
    };
    const annotations = { 'Example.DEV/Key': 'any text\n', empty: '' };
    expect((await create({}, { labels, annotations })).body.metadata).toMatchObject({ labels, annotations });
  });

  test('that the plain API has stored stay, and may be removed', async () => {
    const path = await made();
    const metadata = { labels: { 'two words': 'x y' }, annotations: { 'a b': '' } };
    const { body } = await cluster.get(path);
    const plain = await patch(`/devices/${body.metadata.name}`, { metadata });
    expect(plain.code).toBe(200);
    const labelled = await patch(path, { metadata: { labels: { more: 'x' } } });
    expect(labelled.body.metadata.labels).toEqual({ 'two words': 'x y', more: 'x' });
    expect((await patch(path, { metadata: { labels: { 'two words': 'z z' } } })).code).toBe(422);
    const removed = await patch(path, { metadata: { labels: { 'two words': null } } });
    expect(removed.body.metadata.labels).toEqual({ more: 'x' });
  });

  test('null is the empty string, as a key without a value in YAML', async () => {
    const metadata = { labels: { a: null, b: 'c' }, annotations: { d: null } };
    const created = await create({}, metadata);
    const want = { labels: { a: '', b: 'c' }, annotations: { d: '' } };
    expect(created.body.metadata).toMatchObject(want);
    const add = { op: 'add', path: '/metadata/annotations/e', value: null };
    const { body } = await patch(`${devices()}/${created.body.metadata.name}`, [add], JSON_PATCH);
    expect(body.metadata.annotations).toEqual({ d: '', e: '' });
  });
});

test('null members of maps are left out, except those of any type', async () => {
  const spec = {
    options: { a: null, b: 'c' },
    racks: { r: { s: null, t: { height: null } }, u: null },
    anything: { v: null },
  };
  const { code, body } = await create(spec, {});
  expect([code, body.spec]).toEqual([
    201,
    { location: 'eu', options: { b: 'c' }, racks: { r: { t: {} } }, anything: { v: null } },
  ]);
});

describe('a JSON patch of a member that an object does not have', () => {
  test.each<[title: string, operations: object[], spec: object]>([
    ['replace adds it', [{ op: 'replace', path: '/spec/model', value: 'm' }], { model: 'm' }],
    [
      'replace adds it to a map',
      [{ op: 'replace', path: '/spec/options/80', value: 'm' }],
      { options: { 80: 'm' } },
    ],
    [
      'test for null holds',
      [
        { op: 'test', path: '/spec/model', value: null },
        { op: 'add', path: '/spec/model', value: 'm' },
      ],
      { model: 'm' },
    ],
  ])('%s', async (_title, operations, want) => {
    const { code, body } = await patch(await made({ options: {} }), operations, JSON_PATCH);
    expect([code, body.spec]).toEqual([200, expect.objectContaining(want)]);
  });

  test.each([
    { op: 'replace', path: '/spec/racks/a', value: {} },
    { op: 'replace', path: '/spec/tags/1', value: 'x' },
    { op: 'replace', path: '/spec/location/x', value: 'x' },
    { op: 'test', path: '/spec/model', value: '' },
    { op: 'test', path: '/spec/location', value: null },
    { op: 'test', path: '/spec/racks/a', value: null },
    { op: 'test', path: '/spec/tags/1', value: null },
    { op: 'remove', path: '/spec/model' },
  ])('%j is refused', async (operation) => {
    expect((await patch(await made({ tags: ['a'] }), [operation], JSON_PATCH)).code).toBe(422);
  });

  test('is refused on the plain API, as RFC 6902 says', async () => {
    const path = (await made()).replace(devices(), '/devices');
    const replace = { op: 'replace', path: '/spec/model', value: 'm' };
    expect((await patch(path, [replace], JSON_PATCH)).code).toBe(422);
  });
});

test.each<[title: string, body: unknown, headers: typeof MERGE]>([
  ['a merge patch', { metadata: null }, MERGE],
  ['a JSON patch', [{ op: 'remove', path: '/metadata' }], JSON_PATCH],
])('%s that removes the metadata is refused', async (_title, body, headers) => {
  const path = await made({}, { labels: { a: 'b' }, finalizers: ['example.dev/a'] });
  const before = await cluster.get(path);
  const refused = await patch(path, body, headers);
  expect([refused.code, refused.body.message]).toEqual([
    400,
    expect.stringContaining('name must be provided'),
  ]);
  expect((await cluster.get(path)).body).toEqual(before.body);
});

test('PUT of an object without a name is refused', async () => {
  const path = await made();
  expect((await cluster.request('PUT', path, { body: device(undefined) })).code).toBe(400);
  expect((await cluster.request('PUT', path, { body: device('') })).code).toBe(400);
});

test('an empty dryRun is refused: its sender may mean a dry run', async () => {
  const path = await made();
  expect((await cluster.request('DELETE', `${path}?dryRun=`)).code).toBe(400);
  expect((await cluster.get(path)).code).toBe(200);
});

test('what is too long or too many has a reason of its own', async () => {
  const { body } = await create({ location: 'x'.repeat(21), tags: ['a', 'b', 'c'] }, {});
  expect(body.details.causes).toEqual([
    {
      reason: 'FieldValueTooLong',
      message: 'Too long: location must have at most 20 characters',
      field: 'spec.location',
    },
    {
      reason: 'FieldValueTooMany',
      message: 'Too many: tags must have at most 2 elements',
      field: 'spec.tags',
    },
  ]);
});

test('a generated name can be the value of a label', async () => {
  const generateName = `${'g'.repeat(70)}-`;
  const { body } = await cluster.request('POST', devices(), {
    body: device(undefined, { location: 'eu' }, { generateName }),
  });
  expect(body.metadata).toMatchObject({ generateName, name: expect.stringMatching(/^g{58}[^-]{5}$/) });
});

test('a request that fails has its warnings', async () => {
  const { code, response } = await cluster.request('POST', devices(), {
    body: device('typo', { locaton: 'eu' }),
  });
  expect([code, response.headers['warning']]).toEqual([422, '299 - "unknown field \\"spec.locaton\\""']);
});

test('an owner reference that is sent twice is stored once', async () => {
  const owner = { apiVersion: 'v1', kind: 'Site', name: 'eu', uid: 'site-1' };
  const again = { uid: 'site-1', name: 'eu', kind: 'Site', apiVersion: 'v1' };
  const { body } = await create({}, { ownerReferences: [owner, { ...owner, uid: 'site-2' }, again] });
  expect(body.metadata.ownerReferences).toEqual([owner, { ...owner, uid: 'site-2' }]);
});

describe('YAML', () => {
  const YAML = { 'Content-Type': 'application/yaml; charset=utf-8' };
  const yaml = (method: string, path: string, body: string): ReturnType<Cluster['request']> =>
    cluster.request(method, path, { body, headers: YAML });

  test('is read as the body of POST, PUT and DELETE', async () => {
    const text = 'metadata: { name: in-yaml, labels: { a: } }\nspec:\n  location: eu\n';
    const created = await yaml('POST', devices(), text);
    expect([created.code, created.body.metadata.labels]).toEqual([201, { a: '' }]);
    const path = `${devices()}/in-yaml`;
    expect((await yaml('PUT', path, text.replace('eu', 'us'))).body.spec).toEqual({ location: 'us' });
    expect((await yaml('DELETE', path, 'preconditions: { uid: other }')).code).toBe(409);
    expect((await yaml('DELETE', path, 'kind: DeleteOptions')).code).toBe(200);
  });

  test('that cannot be read is refused', async () => {
    const texts = ['a: [', 'a: 1\n---\nb: 2\n', 'a: &x 1\nb: *x\n'];
    const codes = await Promise.all(texts.map(async (text) => (await yaml('POST', devices(), text)).code));
    expect(codes).toEqual([400, 400, 400]);
    expect((await yaml('PATCH', await made(), 'spec: {}')).code).toBe(415);
  });
});
