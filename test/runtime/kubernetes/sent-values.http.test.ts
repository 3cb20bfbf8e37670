import { JSON_PATCH, MERGE } from '../support/client';
import { projectOf } from './device-project';
import { Cluster, device, devices } from './devices';

// What clients of a kube-apiserver send, and what they rely on that it refuses.
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
