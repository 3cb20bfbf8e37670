import { Description, type OpenApi } from '../../../templates/contract/described';
import { documentOf } from '../../openapi/document-of';
import { JSON_PATCH, MERGE, send } from '../support/client';
import { onBothStores } from '../support/databases';
import { deviceProject } from './device-project';
import { type Answer, Cluster, device, devices } from './devices';
import { openWatch, short } from './watching';

const description = new Description(documentOf(deviceProject()) as unknown as OpenApi);

const FINALIZER = 'example.dev/cleanup';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const OWNER = { apiVersion: 'v1', kind: 'Site', name: 'eu', uid: 'site-1' };

onBothStores((makeUrl) => {
  let cluster: Cluster;
  let count = 0;

  beforeAll(
    async () => void (cluster = await Cluster.start({ environment: { DATABASE_URL: await makeUrl() } })),
  );
  afterAll(() => cluster?.close());

  interface Made {
    /** Its path for Kubernetes clients, and that of the plain API. */
    path: string;
    plain: string;
    name: string;
    object: Answer['body'];
  }

  async function made(metadata: object = { finalizers: [FINALIZER] }, spec?: object): Promise<Made> {
    const name = `d-${++count}`;
    const { code, body } = await cluster.request('POST', devices(), { body: device(name, spec, metadata) });
    expect([code, body.message]).toEqual([201, undefined]);
    return { path: `${devices()}/${name}`, plain: `/devices/${name}`, name, object: body };
  }

  const patch = (path: string, body: object, headers = MERGE): Promise<Answer> =>
    cluster.request('PATCH', path, { body, headers });
  const release = { metadata: { finalizers: null } };
  const events = async (): Promise<number> =>
    (await cluster.service.service.store.events!.read('0', { events: 10_000, bytes: 1e8 })).length;

  describe('a deletion that waits', () => {
    test.each(['path', 'plain'] as const)('begins, and ends, through %s', async (door) => {
      const { path, [door]: target, object } = await made();
      const { resourceVersion } = object.metadata;
      const watching = await openWatch(
        cluster.port,
        `${devices()}?watch=1&resourceVersion=${resourceVersion}`,
      );
      const begun = await cluster.request('DELETE', target);
      expect([begun.code, begun.body.metadata.finalizers]).toEqual([
        door === 'path' ? 200 : 202,
        [FINALIZER],
      ]);
      expect(begun.body.metadata.deletionTimestamp).toMatch(TIME);
      const waiting = (await cluster.get(path)).body;
      expect(waiting.metadata).toMatchObject({ generation: 2, deletionGracePeriodSeconds: 0 });
      expect(waiting.status.version).toBe(object.status.version);
      const ended = await patch(target, release);
      expect([ended.code, ended.body.metadata.finalizers]).toEqual([200, undefined]);
      expect((await cluster.get(path)).code).toBe(404);
      const lines = await watching.until((all) => all.length === 2);
      expect(short(lines)).toEqual([`MODIFIED ${object.metadata.name}`, `DELETED ${object.metadata.name}`]);
      expect(lines[0].object).toEqual(waiting);
    });

    test('is shown by both APIs and all versions alike', async () => {
      const { path, plain, name } = await made({ finalizers: [FINALIZER], ownerReferences: [OWNER] });
      await cluster.request('DELETE', path);
      const { metadata } = (await cluster.get(path)).body;
      const shown = { finalizers: [FINALIZER], ownerReferences: [OWNER] };
      expect(metadata).toMatchObject(shown);
      const { deletionTimestamp } = metadata;
      const other = (await cluster.get(`${devices('v2beta1')}/${name}`)).body.metadata;
      // The owners of fields are shown in the terms of each version.
      expect({ ...other, managedFields: [] }).toEqual({ ...metadata, managedFields: [] });
      const ofPlain = (await cluster.get(plain)).body.metadata;
      expect(ofPlain).toMatchObject({ ...shown, deletionTimestamp });
      expect(ofPlain.deletionGracePeriodSeconds).toBeUndefined();
    });

    test('is not begun twice', async () => {
      const { path, plain } = await made();
      const { body } = await cluster.request('DELETE', path);
      const before = await events();
      expect((await cluster.request('DELETE', path)).body).toEqual(body);
      expect((await cluster.request('DELETE', plain)).code).toBe(202);
      expect(await events()).toBe(before);
    });

    test('leaves the resource to writes, but for new finalizers', async () => {
      const { path, plain } = await made({ finalizers: [FINALIZER, 'b'] });
      await cluster.request('DELETE', path);
      expect((await patch(path, { spec: { location: 'us' } })).body).toMatchObject({
        metadata: { generation: 3, deletionTimestamp: expect.any(String) },
        spec: { location: 'us' },
      });
      expect((await patch(`${plain}/status`, { phase: 'Ready' })).code).toBe(200);
      const added = { metadata: { finalizers: [FINALIZER, 'c'] } };
      const message =
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c"}';
      expect((await patch(path, added)).body).toMatchObject({
        code: 422,
        reason: 'Invalid',
        message: expect.stringContaining(message),
        details: { causes: [{ reason: 'FieldValueForbidden', field: 'metadata.finalizers' }] },
      });
      expect((await patch(plain, added)).body).toMatchObject({
        status: 400,
        errors: [{ pointer: '#/metadata/finalizers', rule: 'forbidden' }],
      });
      expect((await patch(path, { metadata: { deletionTimestamp: null } })).body.metadata).toMatchObject({
        deletionTimestamp: expect.any(String),
      });
      expect((await patch(path, { metadata: { finalizers: ['b'] } })).body.metadata.finalizers).toEqual([
        'b',
      ]);
      expect((await cluster.get(path)).code).toBe(200);
    });

    test('ends with the PUT of an object without finalizers, and not with a plain one', async () => {
      const { path, plain, object } = await made();
      await cluster.request('DELETE', path);
      expect((await cluster.request('PUT', plain, { body: { spec: { location: 'us' } } })).code).toBe(200);
      const body = { ...object, metadata: { name: object.metadata.name } };
      expect((await cluster.request('PUT', path, { body })).code).toBe(200);
      expect((await cluster.get(path)).code).toBe(404);
    });

    test('ends with a JSON patch that tests what it removes', async () => {
      const { path } = await made();
      const operations = [
        { op: 'test', path: '/metadata/finalizers/0', value: FINALIZER },
        { op: 'remove', path: '/metadata/finalizers/0' },
      ];
      await cluster.request('DELETE', path);
      expect((await patch(path, operations, JSON_PATCH)).code).toBe(200);
      expect((await cluster.get(path)).code).toBe(404);
    });

    test('is not begun in a dry run, nor ended', async () => {
      const { path, plain } = await made();
      for (const target of [path, plain]) {
        const { body } = await cluster.request('DELETE', `${target}?dryRun=All`);
        expect(body.metadata.deletionTimestamp).toMatch(TIME);
      }
      expect((await cluster.get(path)).body.metadata.deletionTimestamp).toBeUndefined();
      await cluster.request('DELETE', path);
      expect((await patch(`${path}?dryRun=All`, release)).code).toBe(200);
      expect((await cluster.get(path)).code).toBe(200);
    });

    test('is that of all objects that a collection deletes', async () => {
      const labels = { group: 'collected' };
      const waiting = await made({ finalizers: [FINALIZER], labels });
      const other = await made({ labels });
      expect((await cluster.request('DELETE', `${devices()}?labelSelector=group=collected`)).code).toBe(200);
      expect((await cluster.get(waiting.path)).body.metadata.deletionTimestamp).toMatch(TIME);
      expect((await cluster.get(other.path)).code).toBe(404);
    });

    test('is that of a page of a collection', async () => {
      const metadata = { labels: { group: 'paged' } };
      for (const name of ['page-1', 'page-2', 'page-3'])
        await cluster.request('POST', devices(), { body: device(name, undefined, metadata) });
      const selected = `${devices()}?labelSelector=group=paged&limit=1`;
      const { continue: token } = (await cluster.get(selected)).body.metadata;
      expect((await cluster.request('DELETE', `${selected}&continue=${token}`)).code).toBe(200);
      const left = (await cluster.get(`${devices()}?labelSelector=group=paged`)).body.items;
      expect(left.map((each: { metadata: { name: string } }) => each.metadata.name)).toEqual([
        'page-1',
        'page-3',
      ]);
      expect((await cluster.request('DELETE', `${devices()}?continue=nonsense`)).code).toBe(400);
    });

    test('checks its conditions first', async () => {
      const { path, plain } = await made();
      const preconditions = { resourceVersion: '1' };
      expect((await cluster.request('DELETE', path, { body: { preconditions } })).code).toBe(409);
      expect((await cluster.request('DELETE', plain, { headers: { 'If-Match': '"x"' } })).code).toBe(412);
      expect((await cluster.get(path)).body.metadata.deletionTimestamp).toBeUndefined();
    });
  });

  test('a deletion without finalizers is at once, and its Status has the uid', async () => {
    const { path, object } = await made({});
    const { body } = await cluster.request('DELETE', path);
    expect(body).toMatchObject({ kind: 'Status', status: 'Success', details: { uid: object.metadata.uid } });
  });

  test('only finalizers change: no new generation', async () => {
    const { path } = await made({});
    const { metadata } = (await patch(path, { metadata: { finalizers: [FINALIZER] } })).body;
    expect(metadata).toMatchObject({ generation: 1, finalizers: [FINALIZER] });
  });

  test('what is referred to is refused at once, with finalizers too', async () => {
    const room = `room-${++count}`;
    const rooms = '/k8s/apis/example.svc.dev/v1/rooms';
    const body = { metadata: { name: room, finalizers: [FINALIZER] }, spec: { floor: 1 } };
    expect((await cluster.request('POST', rooms, { body })).code).toBe(201);
    const { path } = await made({}, { location: 'eu', room });
    expect((await cluster.request('DELETE', `${rooms}/${room}`)).code).toBe(409);
    expect((await cluster.get(`${rooms}/${room}`)).body.metadata.deletionTimestamp).toBeUndefined();
    await cluster.request('DELETE', path);
    await cluster.request('DELETE', `${rooms}/${room}`);
    // A reference that was made meanwhile is judged when the last finalizer is removed.
    const late = await made({}, { location: 'eu', room });
    expect((await patch(`${rooms}/${room}`, release)).code).toBe(409);
    await cluster.request('DELETE', late.path);
    expect((await patch(`${rooms}/${room}`, release)).code).toBe(200);
    expect((await cluster.get(`${rooms}/${room}`)).code).toBe(404);
  });

  test('the OpenAPI document of the plain API describes what it shows of them', async () => {
    const { plain } = await made({ finalizers: [FINALIZER], ownerReferences: [OWNER] });
    for (const method of ['GET', 'DELETE', 'GET']) {
      const { response } = await cluster.request(method, plain);
      description.check(method, plain, response as Parameters<Description['check']>[2]);
    }
  });

  test('a cascade does not take away what has finalizers', async () => {
    const root = await made({});
    const leaf = await made(undefined, { location: 'eu', parent: root.name });
    const { code, body } = await cluster.request('DELETE', root.plain);
    expect([code, body.referrers]).toEqual([409, [expect.objectContaining({ name: leaf.name })]]);
    const refused = await cluster.request('DELETE', root.path);
    const why = `Conflict: other resources refer to it: Device "${leaf.name}"`;
    expect([refused.code, refused.body.message]).toEqual([409, expect.stringContaining(why)]);
    await cluster.request('DELETE', leaf.path);
    await patch(leaf.path, release);
    expect((await cluster.request('DELETE', root.path)).code).toBe(200);
  });

  const INVALID: [failure: string, metadata: object][] = [
    ['#/metadata/finalizers type', { finalizers: 'a' }],
    ['#/metadata/finalizers type', { finalizers: [1] }],
    ['#/metadata/finalizers/1 name', { finalizers: ['a', 'b c'] }],
    ['#/metadata/finalizers/0 name', { finalizers: ['-a/b'] }],
    ['#/metadata/finalizers/0 name', { finalizers: [`a/${'b'.repeat(64)}`] }],
    ['#/metadata/finalizers maxItems=100', { finalizers: Array.from({ length: 101 }, (_, i) => `f-${i}`) }],
    ['#/metadata/ownerReferences type', { ownerReferences: {} }],
    ['#/metadata/ownerReferences/0 type', { ownerReferences: [1] }],
    ['#/metadata/ownerReferences/0/uid required', { ownerReferences: [{ ...OWNER, uid: '' }] }],
    ['#/metadata/ownerReferences/0/kind required', { ownerReferences: [{ ...OWNER, kind: null }] }],
    ['#/metadata/ownerReferences/0/controller type', { ownerReferences: [{ ...OWNER, controller: 'yes' }] }],
    [
      '#/metadata/ownerReferences controller',
      { ownerReferences: ['1', '2'].map((uid) => ({ ...OWNER, uid, controller: true })) },
    ],
  ];

  test.each(INVALID)('refused through both APIs: %s', async (failure, metadata) => {
    const body = device(`d-${++count}`, undefined, metadata);
    const { code, body: status } = await cluster.request('POST', devices(), { body });
    expect([code, status.details.causes.length]).toEqual([422, 1]);
    expect(await refusal(body)).toEqual([400, [failure]]);
  });

  // Through the other API, fieldValidation decides: writing.http.test.ts.
  test('an unknown member of an owner is refused through the plain API', async () => {
    const metadata = { ownerReferences: [{ ...OWNER, colour: 'red' }] };
    const failure = '#/metadata/ownerReferences/0/colour unknown';
    expect(await refusal(device('coloured', undefined, metadata))).toEqual([400, [failure]]);
  });

  /** Creates a device through the plain API. Returns the status and the failures. */
  async function refusal(body: object): Promise<[code: number, failures: string[]]> {
    const { status, text } = await send(cluster.port, 'POST', '/devices', { body });
    const { errors } = JSON.parse(text) as { errors: { pointer: string; rule: string }[] };
    return [status, errors.map(({ pointer, rule }) => `${pointer} ${rule}`)];
  }
});
