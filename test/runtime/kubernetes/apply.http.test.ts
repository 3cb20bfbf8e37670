import { JSON_PATCH, MERGE } from '../support/client';
import { onBothStores } from '../support/databases';
import { APPLY, apply, ownersOf, wanted } from './applying';
import { Cluster, device, devices } from './devices';

// Server-side apply, by the rules that Kubernetes documents for it.

onBothStores((makeUrl) => {
  let cluster: Cluster;
  let count = 0;
  let name: string;
  let path: string;

  beforeAll(async () => {
    cluster = await Cluster.start({ environment: { DATABASE_URL: await makeUrl() } });
  });
  beforeEach(() => {
    name = `d-${++count}`;
    path = `${devices()}/${name}`;
  });
  afterAll(() => cluster?.close());

  const applyAs = (manager: string, spec: object, query?: string) =>
    apply(cluster, [manager, name, query], wanted(spec));
  const read = (version?: string) => cluster.get(`${devices(version)}/${name}`);
  const post = (spec: object, query = '') =>
    cluster.request('POST', `${devices()}${query}`, { body: device(name, spec) });

  test('the first apply creates the object, and its manager owns what it names', async () => {
    const labels = { 'example.com/app': 'x' };
    const created = await apply(cluster, ['a', name], wanted({ location: 'eu' }, 'v1', { labels }));
    expect(created.code).toBe(201);
    expect(created.body).toMatchObject({
      metadata: { name, labels, generation: 1 },
      spec: { location: 'eu', tier: 'silver' },
    });
    expect(created.body.metadata.managedFields).toEqual([
      {
        manager: 'a',
        operation: 'Apply',
        apiVersion: 'example.svc.dev/v1',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { 'f:example.com/app': {} } },
          'f:spec': { 'f:location': {} },
        },
      },
    ]);
    expect(await read()).toMatchObject({ body: created.body });
  });

  test('an apply, or a PUT of a new name, next to deletions of the same name finds it or creates it', async () => {
    const several = async (send: () => Promise<{ code: number }>): Promise<number[]> => {
      const codes: number[] = [];
      for (let index = 0; index < 40; index++) codes.push((await send()).code);
      return codes;
    };
    const put = { body: { spec: { location: 'eu' } }, headers: { 'If-None-Match': '*' } };
    const plain = path.replace(devices(), '/devices');
    const [applied, again, made] = await Promise.all([
      several(() => applyAs('a', { location: 'eu' })),
      several(() => applyAs('a', { location: 'eu' })),
      several(() => cluster.request('PUT', plain, put)),
      several(() => cluster.request('DELETE', plain)),
      several(() => cluster.request('DELETE', path)),
    ]);
    expect([...applied, ...again].filter((code) => ![200, 201].includes(code))).toEqual([]);
    expect(made.filter((code) => ![201, 412].includes(code))).toEqual([]);
  });

  test('the body may be YAML', async () => {
    const yaml = `apiVersion: example.svc.dev/v1\nkind: Device\nmetadata:\n  name: ${name}\nspec:\n  location: eu # here\n  price: 3\n`;
    const { code, body } = await apply(cluster, ['a', name], yaml);
    expect([code, body.spec]).toMatchObject([201, { location: 'eu', price: 3 }]);
    const flow = '{ apiVersion: example.svc.dev/v1, kind: Device, spec: { location: eu, price: 4 } }';
    expect((await apply(cluster, ['a', name], flow)).body.spec).toMatchObject({ location: 'eu', price: 4 });
  });

  test('another value of an owned field is a conflict, unless it is forced', async () => {
    await applyAs('a', { location: 'eu', model: 'x' });
    const refused = await applyAs('b', { location: 'us', price: 3 });
    expect(refused.body).toEqual({
      ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 409, reason: 'Conflict' },
      message: 'Apply failed with 1 conflict: conflict with "a": .spec.location',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.spec.location' }],
      },
    });
    expect((await read()).body.spec).toEqual({ location: 'eu', model: 'x', tier: 'silver' });
    const forced = await applyAs('b', { location: 'us', price: 3 }, '&force=true');
    expect(forced.code).toBe(200);
    expect(forced.body.spec).toMatchObject({ location: 'us', model: 'x', price: 3 });
    expect(ownersOf(forced)).toEqual({ 'a Apply': 'spec.model', 'b Apply': 'spec.location spec.price' });
  });

  test('several conflicts are listed by manager', async () => {
    await applyAs('a', { location: 'eu' });
    await applyAs('b', { location: 'eu', model: 'x', price: 1 });
    const { message } = (await applyAs('c', { location: 'us', model: 'y' })).body;
    expect(message).toBe(
      'Apply failed with 3 conflicts: conflicts with "a":\n- .spec.location\nconflicts with "b":\n- .spec.location\n- .spec.model',
    );
  });

  test('managers that apply the same value share the field', async () => {
    await applyAs('a', { location: 'eu', model: 'x' });
    const shared = await applyAs('b', { location: 'eu', model: 'x' });
    expect(ownersOf(shared)).toEqual({
      'a Apply': 'spec.location spec.model',
      'b Apply': 'spec.location spec.model',
    });
    // It stays while anybody names it.
    const left = await applyAs('b', { location: 'eu' });
    expect(left.body.spec.model).toBe('x');
    expect(ownersOf(left)).toEqual({ 'a Apply': 'spec.location spec.model', 'b Apply': 'spec.location' });
    const gone = await applyAs('a', { location: 'eu' });
    expect(gone.body.spec).toEqual({ location: 'eu', tier: 'silver' });
  });

  test('fields and labels that a manager no longer names are removed', async () => {
    const metadata = { labels: { a: '1', b: '2' }, annotations: { note: 'x' } };
    await apply(cluster, ['a', name], wanted({ location: 'eu', price: 2 }, 'v1', metadata));
    await cluster.request('PATCH', `${path}?fieldManager=c`, {
      body: { metadata: { labels: { c: '3' } } },
      headers: MERGE,
    });
    const { body } = await apply(
      cluster,
      ['a', name],
      wanted({ location: 'eu' }, 'v1', { labels: { b: '2' } }),
    );
    expect(body.metadata.labels).toEqual({ b: '2', c: '3' });
    expect(body.metadata.annotations).toBeUndefined();
    expect(body.spec).toEqual({ location: 'eu', tier: 'silver' });
  });

  test('an apply that changes nothing has no effect', async () => {
    const { body } = await applyAs('a', { location: 'eu', price: 2 });
    const again = await applyAs('a', { location: 'eu', price: 2 });
    expect([again.code, again.body]).toEqual([200, body]);
  });

  test('other writes own what they change, under the name of the client', async () => {
    expect(ownersOf(await post({ location: 'eu' }, '?fieldManager=kubectl-create'))).toEqual({
      'kubectl-create Update': 'spec.location spec.tier',
    });
    const refused = await applyAs('kubectl', { location: 'us' });
    expect(refused.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-create" using example.svc.dev/v1: .spec.location',
    );
    const agent = { ...JSON_PATCH, 'User-Agent': 'robot/1.2 (linux)' };
    const patch = [{ op: 'add', path: '/spec/model', value: 'm' }];
    const patched = await cluster.request('PATCH', path, { body: patch, headers: agent });
    expect(ownersOf(patched)).toEqual({
      'kubectl-create Update': 'spec.location spec.tier',
      'robot Update': 'spec.model',
    });
    const { uid } = patched.body.metadata;
    const plain = await cluster.request('PATCH', `/devices/${uid}`, {
      body: { spec: { model: 'n' } },
      headers: MERGE,
    });
    expect(plain.body.metadata.managedFields).toBeUndefined();
    expect(ownersOf(await read())).toEqual({
      'kubectl-create Update': 'spec.location spec.tier',
      'http Update': 'spec.model',
    });
  });

  test('a client that sends managedFields back changes nothing, and an empty entry resets them', async () => {
    const { body } = await applyAs('a', { location: 'eu' });
    const put = await cluster.request('PUT', `${path}?fieldManager=b`, { body });
    expect(put.body).toEqual(body);
    const cleared = await cluster.request('PATCH', path, {
      body: { metadata: { managedFields: [] } },
      headers: MERGE,
    });
    expect(cleared.body).toEqual(body);
    const reset = await cluster.request('PATCH', path, {
      body: { metadata: { managedFields: [{}] } },
      headers: MERGE,
    });
    expect(reset.body.metadata.managedFields).toBeUndefined();
    const first = await applyAs('c', { location: 'us' });
    expect(first.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using example.svc.dev/v1: .spec.location',
    );
  });

  test('a client may hand the fields of one manager to another, as kubectl does after a client-side apply', async () => {
    const { body } = await post({ location: 'eu' }, '?fieldManager=kubectl-client-side-apply');
    const managedFields = body.metadata.managedFields.map((each: object) => ({
      ...each,
      manager: 'kubectl',
      operation: 'Apply',
    }));
    const patch = [{ op: 'replace', path: '/metadata/managedFields', value: managedFields }];
    const patched = await cluster.request('PATCH', path, { body: patch, headers: JSON_PATCH });
    expect(ownersOf(patched)).toEqual({ 'kubectl Apply': 'spec.location spec.tier' });
  });

  test('the annotation of client-side apply follows the server-side apply of kubectl', async () => {
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const note = (spec: object): object => ({
      annotations: { [annotation]: `${JSON.stringify({ spec })}\n` },
    });
    const noted = async (): Promise<object> =>
      JSON.parse((await read()).body.metadata.annotations[annotation]).spec;
    await applyAs('kubectl', { location: 'eu', model: 'x' });
    await apply(cluster, ['kubectl-last-applied', name], { metadata: note({ location: 'eu', model: 'x' }) });
    await applyAs('team', { price: 5 });
    expect(await noted()).toEqual({ location: 'eu', model: 'x' });
    const { code, body } = await applyAs('kubectl', { location: 'us' });
    expect([code, body.spec.location, body.spec.model]).toEqual([200, 'us', undefined]);
    expect(await noted()).toEqual({ location: 'us' });
    expect(ownersOf(await read())).toEqual({
      'kubectl Apply': 'spec.location',
      'kubectl-last-applied Apply': `metadata.annotations.${annotation}`,
      'team Apply': 'spec.price',
    });
    const again = await applyAs('kubectl', { location: 'us' });
    expect(again.body).toEqual(body);
    await apply(
      cluster,
      ['kubectl', name, '&force=true'],
      wanted({ location: 'us' }, 'v1', note({ model: 'y' })),
    );
    expect(await noted()).toEqual({ model: 'y' });
  });

  test('the status has owners of its own', async () => {
    await applyAs('a', { location: 'eu' });
    const status = { apiVersion: 'example.svc.dev/v1', kind: 'Device', status: { phase: 'Ready' } };
    const applied = await apply(cluster, ['c', name], status, { part: '/status' });
    expect([applied.code, applied.body.status.phase]).toEqual([200, 'Ready']);
    expect(ownersOf(applied)).toEqual({ 'a Apply': 'spec.location', 'c Apply status': 'status.phase' });
    const refused = await apply(
      cluster,
      ['d', name],
      { ...status, status: { phase: 'Pending' } },
      { part: '/status' },
    );
    expect(refused.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "c" with subresource "status": .status.phase',
    );
    const none = await apply(cluster, ['c', name], { ...status, status: {} }, { part: '/status' });
    expect(none.body.status.phase).toBeUndefined();
  });

  test('a list without a key is one field', async () => {
    const list = (...tags: string[]) => ({ location: 'eu', tags });
    await applyAs('a', list('x'));
    expect((await applyAs('b', list('y'))).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "a": .spec.tags',
    );
    expect(ownersOf(await applyAs('b', list('x')))['b Apply']).toBe('spec.location spec.tags');
  });

  describe('a list with a key', () => {
    const spec = (...ports: object[]) => ({ location: 'eu', ports });
    const [http, https] = [
      { name: 'http', number: 80 },
      { name: 'https', number: 443 },
    ];

    test('has owners for each element', async () => {
      await applyAs('a', spec(http));
      const both = await applyAs('b', spec(https));
      expect(both.body.spec.ports).toEqual([http, https]);
      expect(both.body.metadata.managedFields[1].fieldsV1['f:spec']['f:ports']).toEqual({
        'k:{"name":"https"}': { 'f:name': {}, 'f:number': {} },
      });
      const refused = await applyAs('b', spec({ name: 'http', number: 8080 }, https));
      expect(refused.body.message).toBe(
        'Apply failed with 1 conflict: conflict with "a": .spec.ports[name="http"].number',
      );
      const forced = await applyAs('b', spec({ name: 'http', number: 8080 }, https), '&force=true');
      expect(forced.body.spec.ports).toEqual([{ name: 'http', number: 8080 }, https]);
      expect(ownersOf(forced)['a Apply']).toBe('spec.location spec.ports[name="http"].name');
      // An element goes with its last owner, wherever it is in the list.
      expect((await applyAs('a', spec())).body.spec.ports).toEqual([{ name: 'http', number: 8080 }, https]);
      expect((await applyAs('b', spec(https))).body.spec.ports).toEqual([https]);
      expect((await applyAs('b', { location: 'eu' })).body.spec.ports).toBeUndefined();
    });

    test('has the order of the last apply, with the elements of others in between', async () => {
      await applyAs('a', spec(http, https));
      const [dns, ssh] = [{ name: 'dns' }, { name: 'ssh' }];
      const ports = async (manager: string, ...wantedPorts: object[]) =>
        (await applyAs(manager, spec(...wantedPorts))).body.spec.ports;
      expect(await ports('b', dns, https)).toEqual([http, dns, https]);
      expect(await ports('a', https, http)).toEqual([dns, https, http]);
      const before = (await read('v1')).body.metadata.resourceVersion;
      expect(await ports('a', https, http)).toEqual([dns, https, http]);
      expect((await read('v1')).body.metadata.resourceVersion).toBe(before);
      expect(await ports('c', ssh, http)).toEqual([dns, https, ssh, http]);
    });

    test('keeps an element of which somebody else owns a field', async () => {
      await applyAs('a', spec({ name: 'http' }, https));
      const patch = [{ op: 'add', path: '/spec/ports/0/number', value: 8080 }];
      await cluster.request('PATCH', `${path}?fieldManager=c`, { body: patch, headers: JSON_PATCH });
      const left = await applyAs('a', spec());
      expect(left.body.spec.ports).toEqual([{ name: 'http', number: 8080 }]);
    });

    test('is the same in another version', async () => {
      await applyAs('a', spec(http));
      const shown = await apply(cluster, ['b', name], wanted({ site: 'eu', ports: [https] }, 'v2beta1'), {
        version: 'v2beta1',
      });
      expect(shown.body.spec.ports).toEqual([http, https]);
      expect(ownersOf(await read('v1'))).toEqual({
        'a Apply': 'spec.location spec.ports[name="http"].name spec.ports[name="http"].number',
        'b Apply': 'spec.location spec.ports[name="https"].name spec.ports[name="https"].number',
      });
      expect(ownersOf(await read('v2beta1'))).toEqual({
        'a Apply': 'spec.ports[name="http"].name spec.ports[name="http"].number spec.site',
        'b Apply': 'spec.ports[name="https"].name spec.ports[name="https"].number spec.site',
      });
    });
  });

  test('null counts as absent in the elements of a list, too', async () => {
    await apply(cluster, ['one', 'nulls'], wanted({ location: 'eu', ports: [{ name: 'http', number: 80 }] }));
    const { code, body } = await apply(
      cluster,
      ['two', 'nulls'],
      wanted({ ports: [{ name: 'http', number: null }] }),
    );
    expect(code).toBe(200);
    expect(body.spec.ports).toEqual([{ name: 'http', number: 80 }]);
  });

  test('each finalizer and each owner reference has owners', async () => {
    const owner = (uid: string, of = 'Room') => ({ apiVersion: 'v1', kind: of, name: uid, uid });
    const applyMetadata = (manager: string, metadata: object, query?: string) =>
      apply(cluster, [manager, name, query], wanted({ location: 'eu' }, 'v1', metadata));
    await applyMetadata('a', { finalizers: ['a.dev/x', 'shared'], ownerReferences: [owner('1')] });
    const forced = await applyMetadata(
      'b',
      { finalizers: ['b.dev/y', 'shared'], ownerReferences: [owner('2')] },
      '&force=true',
    );
    expect(forced.body.metadata).toMatchObject({
      finalizers: ['a.dev/x', 'b.dev/y', 'shared'],
      ownerReferences: [owner('1'), owner('2')],
    });
    const [, managed] = forced.body.metadata.managedFields;
    expect(managed.fieldsV1['f:metadata']).toEqual({
      'f:finalizers': { 'v:"b.dev/y"': {}, 'v:"shared"': {} },
      'f:ownerReferences': { 'k:{"uid":"2"}': {} },
    });
    const refused = await applyMetadata('b', { ownerReferences: [owner('1', 'House'), owner('2')] });
    expect(refused.body.message).toBe(
      'Apply failed with 1 conflict: conflict with "a": .metadata.ownerReferences[uid="1"]',
    );
    const left = await applyMetadata('a', {});
    expect(left.body.metadata).toMatchObject({
      finalizers: ['b.dev/y', 'shared'],
      ownerReferences: [owner('2')],
    });
    const none = await applyMetadata('b', {});
    expect(none.body.metadata).not.toHaveProperty('finalizers');
    expect(none.body.metadata).not.toHaveProperty('ownerReferences');
  });

  test('the fields of all managers that apply have a limit together', async () => {
    const own = await Cluster.start({
      environment: { DATABASE_URL: await makeUrl(), MAX_PATCHED_BYTES: '2000' },
    });
    try {
      const labels = Object.fromEntries(
        Array.from({ length: 10 }, (_, at) => [`label-${at}-${'x'.repeat(40)}`, 'a']),
      );
      const codes: [code: number, managers: number][] = [];
      for (const manager of ['a', 'b', 'c', 'd', 'c']) {
        const { code } = await apply(own, [manager, name], wanted({ location: 'eu' }, 'v1', { labels }));
        const { body } = await own.get(path);
        codes.push([code, body.metadata.managedFields.length]);
      }
      expect(codes).toEqual([201, 200, 200, 413, 200].map((code, at) => [code, Math.min(at + 1, 3)]));
      const refused = await apply(own, ['d', name], wanted({ location: 'eu' }, 'v1', { labels }));
      expect(refused.body).toMatchObject({
        reason: 'RequestEntityTooLarge',
        message: expect.stringMatching(
          /^4 managers would own fields of \d+ bytes .*metadata\.managedFields\.$/,
        ),
      });
      await own.request('PATCH', path, { body: { metadata: { managedFields: [{}] } }, headers: MERGE });
      expect((await apply(own, ['d', name], wanted({ location: 'eu' }, 'v1', { labels }))).code).toBe(200);
    } finally {
      await own.close();
    }
  });

  test('a dry run shows the owners and writes nothing', async () => {
    const { body } = await applyAs('a', { location: 'eu' });
    const dry = await applyAs('b', { location: 'us' }, '&force=true&dryRun=All');
    expect(ownersOf(dry)).toEqual({ 'b Apply': 'spec.location' });
    expect((await read()).body).toEqual(body);
    name = `${name}-new`;
    expect((await applyAs('a', { location: 'eu' }, '&dryRun=All')).code).toBe(201);
    expect((await read()).code).toBe(404);
  });

  test.each<[title: string, query: string, body: object | string, code: number, message: string]>([
    [
      'no manager',
      '',
      {},
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ],
    ['another value of force', 'fieldManager=a&force=yes', {}, 400, 'force: Invalid value: "yes"'],
    ['managedFields', 'fieldManager=a', { metadata: { managedFields: [{}] } }, 400, 'must be nil'],
    [
      'another name',
      'fieldManager=a',
      { metadata: { name: 'x' } },
      400,
      'does not match the name on the URL',
    ],
    ['malformed YAML', 'fieldManager=a', 'a: [1', 400, 'error decoding YAML: '],
    ['YAML without an end', 'fieldManager=a', '- '.repeat(60_000), 400, 'more than 500 levels deep'],
    ['aliases', 'fieldManager=a', 'a: &x [1]\nb: *x\n', 400, 'error decoding YAML: '],
    [
      'a key twice',
      'fieldManager=a',
      'a: 1\nb: 2\n"a": 3\n',
      400,
      'Map keys must be unique at line 3, column 1',
    ],
    ['malformed JSON', 'fieldManager=a', '{ "a": [1', 400, 'The body is not valid JSON: '],
    ['a number that JSON has not', 'fieldManager=a', 'spec: { price: .inf }', 400, 'error decoding YAML: '],
    ['several documents', 'fieldManager=a', 'a: 1\n---\nb: 2\n', 400, 'error decoding YAML: '],
    [
      'an element without its key',
      'fieldManager=a',
      wanted({ location: 'eu', ports: [{ number: 1 }] }),
      400,
      '.spec.ports: element 0: associative list with keys has an element that omits key field "name"',
    ],
    [
      'a finalizer that is there twice',
      'fieldManager=a',
      wanted({ location: 'eu' }, 'v1', { finalizers: ['a/b', 'a/b'] }),
      400,
      '.metadata.finalizers: duplicate entries for key [="a/b"]',
    ],
    ['a revision of an object that is absent', 'fieldManager=a', wanted({}, 'v1', { uid: 'x' }), 409, 'uid'],
    ['a required field that is absent', 'fieldManager=a', wanted({}), 422, 'spec.location: Required value'],
    [
      'an unknown field',
      'fieldManager=a&fieldValidation=Strict',
      wanted({ location: 'eu', colour: 'red' }),
      400,
      'unknown field "spec.colour"',
    ],
  ])('%s: refused', async (_title, query, body, code, message) => {
    const refused = await cluster.request('PATCH', `${path}?${query}`, { body, headers: APPLY });
    expect([refused.code, refused.body.message]).toEqual([code, expect.stringContaining(message)]);
    expect((await read()).code).toBe(404);
  });

  test('owners follow their fields through the versions', async () => {
    await apply(cluster, ['a', name], wanted({ location: 'eu' }));
    const spec = { site: 'us', nickname: 'uno' };
    const refused = await apply(cluster, ['b', name], wanted(spec, 'v2beta1'), { version: 'v2beta1' });
    expect(refused.body.message).toBe('Apply failed with 1 conflict: conflict with "a": .spec.site');
    const forced = await apply(cluster, ['b', name, '&force=true'], wanted(spec, 'v2beta1'), {
      version: 'v2beta1',
    });
    expect(ownersOf(forced)).toEqual({ 'b Apply': 'spec.nickname spec.site' });
    expect(ownersOf(await read('v1'))).toEqual({ 'b Apply': 'spec.location' });
    // The fields that only v2beta1 has stay when the manager applies through v1.
    await apply(cluster, ['b', name], wanted({ location: 'us', model: 'x' }));
    const shown = await read('v2beta1');
    expect(shown.body.spec).toMatchObject({ nickname: 'uno', model: 'x', site: 'us' });
    expect(ownersOf(shown)).toEqual({ 'b Apply': 'spec.model spec.nickname spec.site' });
    const left = await apply(cluster, ['b', name], wanted({ site: 'us' }, 'v2beta1'), { version: 'v2beta1' });
    expect(left.body.spec).toEqual({ site: 'us', tier: 'silver' });
  });
});
