import { Cluster } from './devices';

const V2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('discovery', () => {
  let cluster: Cluster;
  beforeAll(async () => void (cluster = await Cluster.start()));
  afterAll(() => cluster?.close());

  test('namespaces exist, and nothing can be done with them', async () => {
    expect((await cluster.get('/k8s/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const { body } = await cluster.get('/k8s/api/v1');
    expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' });
    expect(body.resources).toMatchObject([{ name: 'namespaces', verbs: [] }]);
  });

  test('the groups prefer the storage version', async () => {
    const { body } = await cluster.get('/k8s/apis');
    expect(body).toMatchObject({
      kind: 'APIGroupList',
      groups: [
        {
          name: 'example.svc.dev',
          preferredVersion: { version: 'v1' },
          versions: [{ groupVersion: 'example.svc.dev/v1' }, { groupVersion: 'example.svc.dev/v2beta1' }],
        },
      ],
    });
    expect((await cluster.get('/k8s/apis/example.svc.dev')).body.kind).toBe('APIGroup');
  });

  test('a version lists its kinds and their statuses', async () => {
    const { body } = await cluster.get('/k8s/apis/example.svc.dev/v2beta1');
    expect(body.resources.map(({ name }: { name: string }) => name)).toEqual(['devices', 'devices/status']);
    expect(body.resources[0]).toMatchObject({ singularName: 'device', namespaced: false, kind: 'Device' });
  });

  test('only clients that ask get everything at once', async () => {
    const plain = await cluster.get('/k8s/apis', 'application/json');
    expect(plain.response.headers['content-type']).toBe('application/json');
    const { body, response } = await cluster.get('/k8s/apis', `${V2},application/json`);
    expect(response.headers['content-type']).toBe(V2);
    expect(body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
    expect(body.items[0].versions[0].resources[0]).toMatchObject({
      ...{ resource: 'devices', scope: 'Cluster', singularResource: 'device' },
      subresources: [{ subresource: 'status' }],
    });
  });

  test('the version and the probes are there', async () => {
    expect((await cluster.get('/k8s/version')).body).toMatchObject({ major: '1' });
    for (const probe of ['livez', 'healthz', 'readyz'])
      expect((await cluster.get(`/k8s/${probe}`)).body).toBe('ok');
  });

  // kubectl asks for both before it writes a manifest of the kind List.
  test('the core group has a version, and OpenAPI v2 is empty', async () => {
    const { body } = await cluster.get('/k8s/api', V2);
    expect(body.items).toMatchObject([{ metadata: { name: '' }, versions: [{ version: 'v1' }] }]);
    const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    expect((await cluster.get('/k8s/openapi/v2', protobuf)).response.text).toBe('\n\x032.0');
    expect((await cluster.get('/k8s/openapi/v2')).body).toMatchObject({ swagger: '2.0', paths: {} });
  });

  // The official client in Python asks for these paths.
  test('a slash at the end makes no difference', async () => {
    const paths = ['', '/example.svc.dev', '/example.svc.dev/v1'].map((each) => `/k8s/apis${each}`);
    for (const path of [
      ...paths,
      '/k8s/version',
      '/k8s/api',
      '/k8s/api/v1',
      '/k8s/livez',
      '/k8s/openapi/v3',
    ]) {
      const [plain, slashed] = [await cluster.get(path), await cluster.get(`${path}/`)];
      expect([slashed.code, slashed.body]).toEqual([200, plain.body]);
      expect((await cluster.get(`${path}//`)).code).toBe(404);
    }
    expect((await cluster.get('/k8s/apis/', V2)).body.kind).toBe('APIGroupDiscoveryList');
  });

  test.each([
    ['POST', '/k8s/apis', 'GET, HEAD'],
    ['PUT', '/k8s/apis/example.svc.dev/v1/devices', 'GET, HEAD, POST, DELETE'],
    ['POST', '/k8s/apis/example.svc.dev/v1/devices/hall', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['DELETE', '/k8s/apis/example.svc.dev/v1/devices/hall/status', 'GET, HEAD, PUT, PATCH'],
  ])('%s %s returns 405 with Allow', async (method, path, allowed) => {
    const { body, response } = await cluster.request(method, path);
    expect(body).toMatchObject({ code: 405, reason: 'MethodNotAllowed' });
    expect(response.headers['allow']).toBe(allowed);
  });
});
