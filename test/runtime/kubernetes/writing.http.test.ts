import { StoreUnavailable } from '../../../templates/runtime/store/store';
import { JSON_PATCH, MERGE, send } from '../support/client';
import { onBothStores } from '../support/databases';
import { deviceProject } from './device-project';
import { type Answer, Cluster, device, devices } from './devices';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

onBothStores((makeUrl) => {
  let cluster: Cluster;
  let count = 0;

  beforeAll(async () => {
    cluster = await Cluster.start({ environment: { DATABASE_URL: await makeUrl() } });
  });
  afterAll(() => cluster?.close());

  /** Creates a device of its own for a test, and returns its path and object. */
  async function made(
    spec?: object,
    metadata?: object,
  ): Promise<{ path: string; name: string; object: Answer['body'] }> {
    const name = `d-${++count}`;
    const { code, body } = await cluster.request('POST', devices(), { body: device(name, spec, metadata) });
    expect(code).toBe(201);
    return { path: `${devices()}/${name}`, name, object: body };
  }

  const patch = (path: string, body: object, headers = MERGE) =>
    cluster.request('PATCH', path, { body, headers });
  const events = async (): Promise<number> =>
    (await cluster.service.service.store.events!.read('0', { events: 10_000, bytes: 1e8 })).length;

  test('a create returns the object as it is read', async () => {
    const annotations = { [LAST_APPLIED]: '{"spec":{}}\n' };
    const { path, object } = await made({ location: 'eu' }, { labels: { a: 'b' }, annotations });
    expect(object).toMatchObject({
      apiVersion: 'example.svc.dev/v1',
      metadata: { generation: 1, labels: { a: 'b' }, annotations },
      spec: { location: 'eu', tier: 'silver' },
      status: { ready: false },
    });
    expect((await cluster.get(path)).body).toEqual(object);
  });

  test('what Go clients send is accepted in strict validation', async () => {
    const body = {
      ...device('go-client', undefined, {
        creationTimestamp: null,
        managedFields: [],
        resourceVersion: '',
        uid: '',
      }),
      status: {},
    };
    const path = `${devices()}?fieldValidation=Strict&fieldManager=test`;
    expect((await cluster.request('POST', path, { body })).code).toBe(201);
  });

  test('an object where a string is meant is refused, whatever its members', async () => {
    const odd = { toString: 1, valueOf: 2 };
    const { path, name, object } = await made();
    const bodies = [
      { kind: odd },
      { apiVersion: odd },
      { metadata: { name: odd } },
      { metadata: { generateName: odd } },
    ];
    for (const body of bodies)
      expect([400, 422]).toContain(
        (await cluster.request('POST', devices(), { body: { ...device('odd'), ...body } })).code,
      );
    for (const member of ['name', 'uid', 'resourceVersion']) {
      const metadata = { ...object.metadata, [member]: odd };
      const { code } = await cluster.request('PUT', path, { body: { ...object, metadata } });
      expect([member, code]).toEqual([member, member === 'name' ? 400 : 409]);
    }
    for (const member of ['uid', 'resourceVersion']) {
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { [member]: odd } };
      expect((await cluster.request('DELETE', path, { body })).code).toBe(409);
    }
    const applied = await cluster.request('PATCH', `${path}?fieldManager=odd`, {
      body: { ...device(name), metadata: { name: odd } },
      headers: { 'Content-Type': 'application/apply-patch+yaml' },
    });
    expect(applied.code).toBe(400);
  });

  test('a generated name begins with generateName', async () => {
    const { code, body } = await cluster.request('POST', devices(), {
      body: device(undefined, undefined, { generateName: 'gen-' }),
    });
    expect(code).toBe(201);
    expect(body.metadata).toMatchObject({ name: expect.stringMatching(/^gen-.{5}$/), generateName: 'gen-' });
  });

  test('PUT replaces labels and annotations', async () => {
    const { path, object } = await made(undefined, { labels: { a: '1', b: '2' }, annotations: { c: '3' } });
    const body = { ...object, metadata: { name: object.metadata.name, labels: { b: '2' } } };
    const { metadata } = (await cluster.request('PUT', path, { body })).body;
    expect(metadata).toMatchObject({ labels: { b: '2' }, generation: 1 });
    expect(metadata.annotations).toBeUndefined();
  });

  test('a write that changes nothing has no effect', async () => {
    const { path, object } = await made();
    const before = await events();
    for (const answer of [
      await cluster.request('PUT', path, { body: object }),
      await cluster.request('PUT', path, { body: { ...object, metadata: { name: object.metadata.name } } }),
      await patch(path, { spec: { location: 'eu' } }),
      await cluster.request('PUT', `${path}/status`, { body: object }),
      await patch(`${path}/status`, { status: { ready: false } }),
    ])
      expect(answer.body).toEqual(object);
    expect(await events()).toBe(before);
  });

  test('one write is one event, with status.version in it', async () => {
    const { path, object } = await made();
    const before = await events();
    const { body } = await patch(path, { spec: { location: 'us' } });
    expect(body).toMatchObject({ metadata: { generation: 2 }, spec: { location: 'us' } });
    expect(body.status.version).not.toBe(object.status.version);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(Number(object.metadata.resourceVersion));
    expect(await events()).toBe(before + 1);
  });

  test.each(['PUT', 'PATCH'])('%s of another revision is a conflict', async (method) => {
    const { path, name, object } = await made();
    await patch(path, { spec: { location: 'us' } });
    const answer =
      method === 'PUT'
        ? await cluster.request('PUT', path, { body: object })
        : await patch(path, { metadata: { resourceVersion: object.metadata.resourceVersion } });
    expect(answer.body).toEqual({
      ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 409, reason: 'Conflict' },
      message: `Operation cannot be fulfilled on devices.example.svc.dev "${name}": the object has been modified; please apply your changes to the latest version and try again`,
      details: { name, group: 'example.svc.dev', kind: 'devices' },
    });
  });

  test('a JSON patch may test the revision', async () => {
    const { path, object } = await made();
    const test = (value: string) => ({ op: 'test', path: '/metadata/resourceVersion', value });
    const add = { op: 'add', path: '/spec/model', value: 'm' };
    expect((await patch(path, [test('99'), add], JSON_PATCH)).body).toMatchObject({
      code: 422,
      reason: 'Invalid',
    });
    const { code } = await patch(path, [test(object.metadata.resourceVersion), add], JSON_PATCH);
    expect(code).toBe(200);
  });

  test('the status is written apart', async () => {
    const { path, object } = await made();
    const body = { ...object, spec: { location: 'us' }, status: { phase: 'Ready' } };
    const written = await cluster.request('PUT', `${path}/status`, { body });
    expect(written.body).toMatchObject({
      spec: { location: 'eu' },
      status: { phase: 'Ready', ready: false },
    });
    expect((await patch(path, { status: { phase: 'Pending' } })).body.status.phase).toBe('Ready');
    expect((await patch(`${path}/status`, { status: { phase: 'Pending' } })).body.status.phase).toBe(
      'Pending',
    );
    expect((await cluster.get(`${path}/status`)).body.status.phase).toBe('Pending');
  });

  test('what the other version cannot express is preserved', async () => {
    const { path, name } = await made({ location: 'eu' });
    const old = `${devices('v2beta1')}/${name}`;
    await patch(old, { spec: { nickname: 'nick' } });
    await patch(path, { spec: { location: 'us' } });
    expect((await cluster.get(old)).body.spec).toMatchObject({ site: 'us', nickname: 'nick' });
    expect(
      JSON.parse((await send(cluster.port, 'GET', `/devices/${name}`)).text).spec.nickname,
    ).toBeUndefined();
  });

  test.each([
    ['Ignore', 201, undefined],
    ['Warn', 201, '299 - "unknown field \\"spec.colour\\"", 299 - "unknown field \\"spec.ports[0].speed\\""'],
    ['Strict', 400, undefined],
  ])('fieldValidation=%s', async (directive, code, warning) => {
    const body = device(`field-${directive.toLowerCase()}`, {
      location: 'eu',
      colour: 'red',
      ports: [{ name: 'a', speed: 1 }],
    });
    const answer = await cluster.request('POST', `${devices()}?fieldValidation=${directive}`, { body });
    expect(answer.code).toBe(code);
    expect(answer.response.headers['warning']).toBe(warning);
    if (code === 400)
      expect(answer.body).toMatchObject({
        reason: 'BadRequest',
        message: 'strict decoding error: unknown field "spec.colour", unknown field "spec.ports[0].speed"',
      });
    else expect(answer.body.spec).toEqual({ location: 'eu', tier: 'silver', ports: [{ name: 'a' }] });
  });

  test('warnings of unknown fields leave room in the headers', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, i) => ['\u672a'.repeat(150) + i, 1]));
    const answer = await cluster.request('POST', devices(), {
      body: device('long-names', { location: 'eu', ...unknown }),
    });
    expect(answer.code).toBe(201);
    expect(answer.response.headers['warning']!.length).toBeLessThanOrEqual(8_192);
  });

  test.each(['Ignore', 'Warn', 'Strict'])('fieldValidation=%s of an owner reference', async (directive) => {
    const owner = { apiVersion: 'v1', kind: 'Site', name: 'eu', uid: 'site-1' };
    const metadata = { ownerReferences: [{ ...owner, colour: 'red' }] };
    const [created, applied] = ['created', 'applied'].map((name) => `${name}-${directive.toLowerCase()}`);
    const text = 'unknown field "metadata.ownerReferences[0].colour"';
    const write = (method: string, path: string, body: object, headers = {}): Promise<Answer> => {
      const query = `fieldValidation=${directive}&fieldManager=test`;
      return cluster.request(method, `${devices()}${path}?${query}`, { body, headers });
    };
    const apply = (): Promise<Answer> =>
      write('PATCH', `/${applied}`, device(applied, undefined, metadata), {
        'Content-Type': 'application/apply-patch+yaml',
      });
    const creation = await write('POST', '', device(created, undefined, metadata));
    if (directive === 'Strict') {
      expect(creation.body.message).toBe(`strict decoding error: ${text}`);
      expect((await apply()).code).toBe(400);
      return;
    }
    const writes = [creation, await write('PATCH', `/${created}`, { metadata }, MERGE), await apply()];
    for (const { response, body } of [...writes, await apply()]) {
      expect([body.message, body.metadata.ownerReferences]).toEqual([undefined, [owner]]);
      expect(response.headers['warning']).toBe(
        directive === 'Warn' ? `299 - ${JSON.stringify(text)}` : undefined,
      );
    }
    expect((await apply()).body.metadata.resourceVersion).toBe(writes[2].body.metadata.resourceVersion);
  });

  test('every failed field is a cause', async () => {
    const { body } = await cluster.request('POST', devices(), {
      body: device('bad', { price: -1, tier: 'bronze', ports: [{ name: 'a', number: 70000 }] }),
    });
    expect(body).toMatchObject({ code: 422, reason: 'Invalid', details: { name: 'bad', kind: 'Device' } });
    expect(body.message).toMatch(/^Device\.example\.svc\.dev "bad" is invalid: \[/);
    expect(body.details.causes).toEqual(
      expect.arrayContaining([
        { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.location' },
        expect.objectContaining({ reason: 'FieldValueInvalid', field: 'spec.price' }),
        {
          reason: 'FieldValueNotSupported',
          message: 'Unsupported value: "bronze": supported values: "gold", "silver"',
          field: 'spec.tier',
        },
        expect.objectContaining({ field: 'spec.ports[0].number' }),
      ]),
    );
  });

  test('the key of a label that fails is encoded in the plain API, not here', async () => {
    const metadata = { labels: { 'ü x%41': 1 } };
    const { body } = await cluster.request('POST', '/devices', {
      body: { metadata, spec: { location: 'eu' } },
    });
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toEqual(['#/metadata/labels/%C3%BC%20x%2541']);
    const refused = await cluster.request('POST', devices(), {
      body: device('fragment', undefined, metadata),
    });
    const fields = refused.body.details.causes.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['metadata.labels.ü x%41']);
  });

  test('names and unique fields that are taken', async () => {
    const { name } = await made({ location: 'eu', serial: 'only-one' });
    const taken = await cluster.request('POST', devices(), { body: device(name) });
    expect(taken.body).toMatchObject({
      ...{ code: 409, reason: 'AlreadyExists' },
      message: `devices.example.svc.dev "${name}" already exists`,
    });
    const serial = await cluster.request('POST', devices(), {
      body: device('other', { location: 'eu', serial: 'only-one' }),
    });
    expect(serial.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(serial.body.details.causes).toEqual([
      { reason: 'FieldValueDuplicate', message: 'Duplicate value: "only-one"', field: 'spec.serial' },
    ]);
  });

  test.each([
    ['an object without a name', device(undefined), 422, 'Invalid'],
    ['another version', { ...device('x'), apiVersion: 'example.svc.dev/v2beta1' }, 400, 'BadRequest'],
    ['another kind', { ...device('x'), kind: 'Room' }, 400, 'BadRequest'],
    ['a revision', device('x', undefined, { resourceVersion: '1' }), 400, 'BadRequest'],
    ['an invalid name', device('A_B'), 422, 'Invalid'],
    ['a missing target', device('x', { location: 'eu', room: 'nope' }), 422, 'Invalid'],
  ])('POST of %s is refused', async (_what, body, code, reason) => {
    expect((await cluster.request('POST', devices(), { body })).body).toMatchObject({ code, reason });
  });

  test('a strategic merge patch is refused', async () => {
    const { path } = await made();
    const headers = { 'Content-Type': 'application/strategic-merge-patch+json' };
    expect((await patch(path, {}, headers)).body).toMatchObject({
      code: 415,
      reason: 'UnsupportedMediaType',
    });
  });

  test('DELETE honours preconditions and returns the uid', async () => {
    const { path, name, object } = await made();
    const { uid } = object.metadata;
    const wrong = await cluster.request('DELETE', path, { body: { preconditions: { uid: 'other' } } });
    expect(wrong.body).toMatchObject({ code: 409, reason: 'Conflict' });
    const { code, body } = await cluster.request('DELETE', path, {
      body: { preconditions: { uid, resourceVersion: object.metadata.resourceVersion } },
    });
    expect(code).toBe(200);
    expect(body).toEqual({
      ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' },
      details: { name, group: 'example.svc.dev', kind: 'devices', uid },
    });
    expect((await cluster.request('DELETE', path)).code).toBe(404);
  });

  test('DELETE of a collection deletes what is selected', async () => {
    for (let each = 0; each < 3; each++) await made(undefined, { labels: { sweep: 'yes' } });
    const { name } = await made();
    expect((await cluster.request('DELETE', `${devices()}?labelSelector=sweep%3Dyes`)).code).toBe(200);
    expect((await cluster.get(`${devices()}?labelSelector=sweep`)).body.items).toEqual([]);
    expect((await cluster.get(`${devices()}/${name}`)).code).toBe(200);
  });

  test.each<[title: string, body: unknown, message: string]>([
    ['an object', device('x'), 'the body must be DeleteOptions'],
    ['a list', [], 'the body must be DeleteOptions'],
    ['preconditions in a list', { preconditions: [{ uid: 'x' }] }, 'preconditions must be an object'],
  ])('DELETE with %s deletes nothing', async (_title, body, message) => {
    const { path } = await made();
    for (const target of [path, devices()]) {
      const refused = await cluster.request('DELETE', target, { body });
      expect(refused.body).toMatchObject({ code: 400, reason: 'BadRequest', message });
    }
    expect((await cluster.get(path)).code).toBe(200);
  });

  test('DELETE of a collection names the object that it stops at', async () => {
    const rooms = '/k8s/apis/example.svc.dev/v1/rooms';
    for (const name of ['first', 'second'])
      await cluster.request('POST', rooms, { body: { metadata: { name }, spec: {} } });
    const { name } = await made({ location: 'eu', room: 'second' });
    const { body } = await cluster.request('DELETE', rooms);
    expect(body).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on rooms.example.svc.dev "second": Conflict: other resources refer to it: Device "${name}"`,
      details: { name: 'second', kind: 'rooms' },
    });
    await cluster.request('DELETE', `${devices()}/${name}`);
    expect((await cluster.request('DELETE', rooms)).code).toBe(200);
  });

  test.each([
    ['POST', '', 'text/plain', 406],
    ['POST', '?includeObject=Some', 'application/json;as=Table;v=v1;g=meta.k8s.io', 400],
    ['DELETE', '', 'text/plain', 406],
  ])(
    '%s %s for a client that reads no JSON is refused before it writes',
    async (...[method, query, Accept, code]) => {
      await cluster.request('POST', devices(), { body: device('unread') });
      const headers = { Accept };
      const body = method === 'POST' ? device('unmade') : undefined;
      const refused = await cluster.request(method, `${devices()}${query}`, { body, headers });
      expect(refused.code).toBe(code);
      expect((await cluster.get(`${devices()}/unread`)).code).toBe(200);
      expect((await cluster.get(`${devices()}/unmade`)).code).toBe(404);
    },
  );

  /** Calls `meanwhile` once, after the next write and before its response. */
  function afterNextWrite(meanwhile: () => unknown): void {
    const { store } = cluster.service.service;
    const write = store.write.bind(store);
    jest.spyOn(store, 'write').mockImplementationOnce(async (...asked) => {
      const result = await write(...asked);
      await meanwhile();
      return result;
    });
  }

  test('the response shows what the write has made, even where others have written since', async () => {
    const made = await cluster.request('POST', devices(), { body: device('raced', { location: 'eu' }) });
    const { uid } = made.body.metadata;
    afterNextWrite(() =>
      cluster.request('PATCH', `/devices/${uid}`, { body: { spec: { location: 'us' } }, headers: MERGE }),
    );
    const sent = { body: { spec: { model: 'mine' } }, headers: MERGE };
    const { code, body } = await cluster.request('PATCH', `${devices()}/raced`, sent);
    expect([code, body.spec.model, body.spec.location]).toEqual([200, 'mine', 'eu']);
    const stale = await cluster.request('PUT', `${devices()}/raced`, { body });
    expect([stale.code, stale.body.reason]).toEqual([409, 'Conflict']);
  });

  test.each(['POST', 'PUT'])('%s is a success where the store cannot be read after it', async (method) => {
    if (method === 'PUT') await cluster.request('POST', devices(), { body: device('unread-put') });
    const { store } = cluster.service.service;
    afterNextWrite(() =>
      jest.spyOn(store, 'get').mockImplementationOnce(() => {
        throw new StoreUnavailable('lost');
      }),
    );
    const path = method === 'PUT' ? `${devices()}/unread-put` : devices();
    const name = `unread-${method.toLowerCase()}`;
    const { code, body } = await cluster.request(method, path, { body: device(name, { location: 'us' }) });
    expect([code, body.spec?.location]).toEqual([method === 'PUT' ? 200 : 201, 'us']);
    const stale = await cluster.request('PUT', `${devices()}/${name}`, { body });
    expect([stale.code, stale.body.reason]).toEqual([409, 'Conflict']);
  });

  test('DELETE of a collection leaves what is selected no more', async () => {
    for (const name of ['leaving-a', 'leaving-b'])
      await cluster.request('POST', devices(), { body: device(name, undefined, { labels: { old: 'yes' } }) });
    const { uid } = (await cluster.get(`${devices()}/leaving-b`)).body.metadata;
    const body = { metadata: { labels: { old: 'no' } } };
    afterNextWrite(() => cluster.request('PATCH', `/devices/${uid}`, { body, headers: MERGE }));
    expect((await cluster.request('DELETE', `${devices()}?labelSelector=old%3Dyes`)).code).toBe(200);
    expect((await cluster.get(`${devices()}/leaving-a`)).code).toBe(404);
    expect((await cluster.get(`${devices()}/leaving-b`)).code).toBe(200);
  });

  test('a dry run writes nothing', async () => {
    const { path } = await made();
    const before = await events();
    const dry = await cluster.request('POST', `${devices()}?dryRun=All`, { body: device('dry') });
    expect(dry.code).toBe(201);
    expect((await patch(`${path}?dryRun=All`, { spec: { location: 'us' } })).body.spec.location).toBe('us');
    expect((await cluster.request('DELETE', path, { body: { dryRun: ['All'] } })).code).toBe(200);
    expect((await cluster.request('DELETE', `${path}?dryRun=some`)).code).toBe(400);
    expect((await cluster.get(path)).body.spec.location).toBe('eu');
    expect(await events()).toBe(before);
  });
});

test('where the service requires If-Match, PUT names a revision', async () => {
  const cluster = await Cluster.start({ project: deviceProject({ requireIfMatch: true }) });
  const { body } = await cluster.request('POST', devices(), { body: device('d') });
  const path = `${devices()}/d`;
  const unnamed = { ...body, metadata: { name: 'd' }, spec: { location: 'us' } };
  expect((await cluster.request('PUT', path, { body: unnamed })).body).toMatchObject({
    code: 422,
    reason: 'Invalid',
  });
  expect((await cluster.request('PUT', path, { body: { ...body, spec: { location: 'us' } } })).code).toBe(
    200,
  );
  await cluster.close();
});
