import { create, MERGE, send } from '../support/client';
import { onBothStores } from '../support/databases';
import { Cluster, devices } from './devices';
import { count, openWatch, short } from './watching';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const PARTIAL = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

onBothStores((makeUrl) => {
  let cluster: Cluster;
  let url: string;

  beforeAll(async () => {
    url = await makeUrl();
    cluster = await Cluster.start({ environment: { DATABASE_URL: url } });
    const spec = { location: 'eu', model: 'm' };
    await create(cluster.port, '/devices', spec, { name: 'b', labels: { env: 'prod' } });
    await create(cluster.port, '/devices', { ...spec, location: 'us', price: 3 }, { name: 'c' });
    await create(cluster.port, '/devices', spec, { name: 'a', annotations: { '"createdAt":"': 'x' } });
  });
  afterAll(() => cluster?.close());

  test('an object has the metadata of Kubernetes', async () => {
    const { body } = await cluster.get(`${devices()}/a`);
    const plain = JSON.parse((await send(cluster.port, 'GET', '/devices/a')).text);
    const { createdAt, updatedAt: _, ...metadata } = plain.metadata;
    expect(body).toEqual({
      ...plain,
      metadata: {
        ...metadata,
        creationTimestamp: `${createdAt.slice(0, 19)}Z`,
        resourceVersion: expect.stringMatching(/^[1-9]\d*$/),
        managedFields: [expect.objectContaining({ manager: 'http', operation: 'Update' })],
      },
    });
  });

  test('each version has its own URL', async () => {
    const { body } = await cluster.get(`${devices('v2beta1')}/a`);
    expect(body).toMatchObject({ apiVersion: 'example.svc.dev/v2beta1', spec: { site: 'eu' } });
  });

  test('a list is in the order of names', async () => {
    const { body } = await cluster.get(devices());
    expect(body).toMatchObject({ kind: 'DeviceList', apiVersion: 'example.svc.dev/v1' });
    expect(body.metadata).toEqual({ resourceVersion: expect.stringMatching(/^[1-9]\d*$/) });
    expect(names(body)).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['labelSelector=env%3Dprod', ['b']],
    ['labelSelector=!env', ['a', 'c']],
    ['fieldSelector=metadata.name%3Dc', ['c']],
    ['fieldSelector=spec.location%3Deu,metadata.name!%3Db', ['a']],
    ['limit=2', ['a', 'b']],
  ])('?%s selects', async (query, expected) => {
    expect(names((await cluster.get(`${devices()}?${query}`)).body)).toEqual(expected);
  });

  test.each([
    ['watch', 'ADDED a'],
    ['watch=yes', 'ADDED a'],
    ['watch=True', 'ADDED a'],
    ['watch=0', undefined],
    ['watch=False', undefined],
  ])('?%s is a watch or a list, as in kube-apiserver', async (query, first) => {
    const watching = await openWatch(cluster.port, `${devices()}?${query}&timeoutSeconds=3600`);
    if (first !== undefined) expect(short(await watching.until(count(1)))[0]).toBe(first);
    else expect(watching.response.headers['content-length']).toBeDefined();
  });

  test('pages share a revision and end without a token', async () => {
    const first = (await cluster.get(`${devices()}?limit=2`)).body;
    const token = encodeURIComponent(first.metadata.continue);
    const second = (await cluster.get(`${devices()}?limit=2&continue=${token}`)).body;
    expect(names(second)).toEqual(['c']);
    expect(second.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
    expect((await cluster.get(`${devices()}?continue=nonsense`)).code).toBe(400);
  });

  test('a table has the columns of the version', async () => {
    const { body } = await cluster.get(devices(), TABLE);
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(columnsOf(body)).toEqual(['Name 0', 'location 0', 'model 1', 'Seen 0', 'Age 0']);
    const [{ cells, object }] = body.rows;
    expect(cells).toEqual(['a', 'eu', 'm', null, expect.stringMatching(/^\d+s$/)]);
    expect(object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
    expect(object.spec).toBeUndefined();
  });

  test('the ages of a table that was read before are of the moment', async () => {
    await cluster.get(devices(), TABLE);
    const { now } = cluster.service.service;
    const later = jest.spyOn(cluster.service.service, 'now').mockReturnValue(now() + 26 * 3_600_000);
    for (const path of [devices(), `${devices()}/a`]) {
      const { body } = await cluster.get(path, TABLE);
      expect(body.rows[0].cells.at(-1)).toBe('26h');
    }
    later.mockRestore();
  });

  test('a change by another process shows at once in every form', async () => {
    const other = await Cluster.start({ environment: { DATABASE_URL: url } });
    const shown = async (location: string): Promise<void> => {
      const [item] = (await cluster.get(devices())).body.items;
      expect(item.spec.location).toBe(location);
      expect((await cluster.get(`${devices()}/a`)).body).toEqual(item);
      const [row] = (await cluster.get(devices(), TABLE)).body.rows;
      expect(row.cells[1]).toBe(location);
      expect(row.object.metadata).toEqual(item.metadata);
      const [partial] = (await cluster.get(devices(), PARTIAL)).body.items;
      expect(partial.metadata).toEqual(item.metadata);
    };
    for (const location of ['asia', 'eu']) {
      const body = { spec: { location } };
      await send(other.port, 'PATCH', '/devices/a', { headers: MERGE, body });
      await shown(location);
    }
    await other.close();
  });

  test.each([
    ['None', null],
    ['Object', { kind: 'Device', spec: { location: 'eu' } }],
  ])('?includeObject=%s', async (value, expected) => {
    const { body } = await cluster.get(`${devices()}/a?includeObject=${value}`, TABLE);
    const [{ object }] = body.rows;
    if (expected === null) expect(object).toBeNull();
    else expect(object).toMatchObject(expected);
  });

  test.each([
    ['resourceVersion=abc', 400, 'BadRequest', 'resourceVersion: Invalid value: "abc"'],
    ['resourceVersionMatch=Exact', 422, 'Invalid', 'is forbidden unless resourceVersion is provided'],
    ['resourceVersion=1&resourceVersionMatch=Newer', 422, 'Invalid', 'Unsupported value: "Newer"'],
    ['resourceVersion=0&resourceVersionMatch=Exact', 422, 'Invalid', '"Exact" is forbidden for'],
    ['resourceVersion=2&resourceVersionMatch=Exact', 410, 'Expired', 'too old'],
  ])('a list with ?%s is refused', async (query, code, reason, message) => {
    const answer = await cluster.get(`${devices()}?${query}`);
    expect(answer.body).toMatchObject({ code, reason, message: expect.stringContaining(message) });
    expect(answer.code).toBe(code);
  });

  test.each([
    'resourceVersion=0',
    'resourceVersion=1',
    'resourceVersion=1&resourceVersionMatch=NotOlderThan',
  ])('a list with ?%s shows the present state', async (query) => {
    expect((await cluster.get(`${devices()}?${query}`)).body).toEqual((await cluster.get(devices())).body);
  });

  test('metadata alone is served', async () => {
    const { body } = await cluster.get(devices(), PARTIAL);
    expect(body).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(Object.keys(body.items[0])).toEqual(['kind', 'apiVersion', 'metadata']);
  });

  test.each([
    [`${devices()}/nope`, 404, 'NotFound', 'devices.example.svc.dev "nope" not found'],
    [
      '/k8s/apis/example.svc.dev/v9/devices',
      404,
      'NotFound',
      'the server could not find the requested resource',
    ],
    ['/k8s/nothing', 404, 'NotFound', 'the server could not find the requested resource'],
    [`${devices()}//status`, 404, 'NotFound', 'the server could not find the requested resource'],
    [
      '/k8s/apis/example.svc.dev/v2beta1/rooms',
      404,
      'NotFound',
      'the server could not find the requested resource',
    ],
  ])('%s is a Status', async (path, code, reason, message) => {
    const answer = await cluster.get(path);
    expect(answer.code).toBe(code);
    expect(answer.body).toMatchObject({
      ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
      ...{ code, reason, message },
    });
  });

  test('only JSON is served', async () => {
    const answer = await cluster.get(devices(), 'application/vnd.kubernetes.protobuf');
    expect(answer.body).toMatchObject({ kind: 'Status', code: 406, reason: 'NotAcceptable' });
  });
});

function names({ items }: { items: { metadata: { name: string } }[] }): string[] {
  return items.map(({ metadata }) => metadata.name);
}

function columnsOf(table: { columnDefinitions: { name: string; priority: number }[] }): string[] {
  return table.columnDefinitions.map(({ name, priority }) => `${name} ${priority}`);
}
