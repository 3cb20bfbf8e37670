import type { Express } from 'express';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import { isOpenPage } from '../../../templates/runtime/kubernetes/open-page';
import type { Policy } from '../../../templates/runtime/model/kinds/kind';
import type { Resource } from '../../../templates/runtime/model/resource';
import { JSON_TYPE, MERGE } from '../support/client';
import { onBothStores } from '../support/databases';
import { deviceProject } from './device-project';
import { Cluster, device, devices } from './devices';

// What refuses a request on the plain API refuses it for Kubernetes clients too.

type Ask = 'canList' | 'canGet' | 'canCreate' | 'canUpdate' | 'canDelete' | 'canUpdateStatus';
type Reply = Awaited<ReturnType<Cluster['request']>>;
type Row = [ask: Ask, method: string, suffix: string | undefined, body?: object, type?: object];

const SPEC = { location: 'eu' };
const ROWS: Row[] = [
  ['canCreate', 'POST', undefined, device('new')],
  ['canList', 'GET', undefined],
  ['canGet', 'GET', ''],
  ['canUpdate', 'PUT', '', device(undefined)],
  ['canUpdate', 'PATCH', '', { spec: SPEC }, MERGE],
  ['canUpdateStatus', 'PUT', '/status', { status: { phase: 'Ready' } }],
  ['canUpdateStatus', 'PATCH', '/status', { status: { phase: 'Ready' } }, MERGE],
  ['canDelete', 'DELETE', ''],
];
const OF_ONE = ROWS.filter(([, , suffix]) => suffix !== undefined);

onBothStores((makeUrl) => {
  let cluster: Cluster;

  beforeAll(async () => {
    const asks = ROWS.map(([ask]) => ask);
    const denied: Policy<Resource> = Object.fromEntries(
      asks.map((ask) => [
        ask,
        ({ request }: { request: { headers: NodeJS.Dict<unknown> } }) => ({
          allowed: request.headers['x-deny'] !== ask,
          reason: 'not today',
        }),
      ]),
    );
    const middleware = (app: Express): void => {
      app.use((req, _res, next) => {
        const { tenant } = req.headers;
        if (typeof tenant === 'string') setLabelScope(req, { tenant });
        next();
      });
    };
    const environment = { DATABASE_URL: await makeUrl() };
    cluster = await Cluster.start({ environment, hooks: { Device: { policy: denied } }, middleware });
    const body = device('kept', undefined, { labels: { tenant: 'acme' } });
    expect((await cluster.request('POST', devices(), { body })).code).toBe(201);
  });
  afterAll(() => cluster?.close());

  /** Sends a request through both doors. */
  async function both([, method, suffix, body, type = JSON_TYPE]: Row, headers: object): Promise<Reply[]> {
    const end = suffix === undefined ? '' : `/kept${suffix}`;
    const sent = { body, headers: { ...type, ...headers } };
    return [
      await cluster.request(method, `/devices${end}`, sent),
      await cluster.request(method, `${devices()}${end}`, sent),
    ];
  }

  test.each(ROWS)('%s refuses %s %s', async (...row) => {
    const [plain, kubernetes] = await both(row, { 'x-deny': row[0] });
    expect([plain.code, kubernetes.code]).toEqual([403, 403]);
    expect(plain.body.detail).toContain('not today');
    expect(kubernetes.body).toMatchObject({
      kind: 'Status',
      reason: 'Forbidden',
      message: expect.stringMatching(/^devices\.example\.svc\.dev.* is forbidden: .*not today$/),
    });
  });

  test.each(OF_ONE)('what is outside the scope is not there (%s): %s %s', async (...row) => {
    const replies = await both(row, { tenant: 'umbrella' });
    expect(replies.map(({ code }) => code)).toEqual([404, 404]);
    expect(replies[1].body.reason).toBe('NotFound');
  });

  test('lists show what is within the scope', async () => {
    for (const [tenant, count] of Object.entries({ acme: 1, umbrella: 0 })) {
      const [plain, kubernetes] = await both(ROWS[1], { tenant });
      expect([plain.body.length, kubernetes.body.items.length]).toEqual([count, count]);
    }
  });

  test('what is created within a scope has its labels, and gets no others', async () => {
    for (const [door, path] of Object.entries({ plain: '/devices', kubernetes: devices() })) {
      const headers = { ...JSON_TYPE, tenant: 'acme' };
      const { body } = await cluster.request('POST', path, { body: device(`scoped-${door}`), headers });
      expect(body.metadata.labels).toEqual({ tenant: 'acme' });
      const other = device(`other-${door}`, undefined, { labels: { tenant: 'umbrella' } });
      expect((await cluster.request('POST', path, { body: other, headers })).code).toBe(403);
    }
  });

  test('a write through one is a version of the history', async () => {
    const versions = async (): Promise<number> =>
      (await cluster.request('GET', '/devices/kept/versions')).body.length;
    const before = await versions();
    await cluster.request('PATCH', `${devices()}/kept`, { body: { spec: { model: 'm' } }, headers: MERGE });
    expect(await versions()).toBe(before + 1);
  });
});

test('a request in the name of somebody else is refused, not made with the rights of its caller', async () => {
  const cluster = await Cluster.start();
  const headers = { 'Impersonate-User': 'viewer' };
  for (const [method, path] of [
    ['GET', devices()],
    ['DELETE', `${devices()}/one`],
  ]) {
    const { code, body } = await cluster.request(method, path, { headers });
    expect([code, body.reason, body.message]).toEqual([
      403,
      'Forbidden',
      'users "viewer" is forbidden: this service does not impersonate',
    ]);
  }
  expect((await cluster.request('GET', '/k8s/apis', { headers })).code).toBe(200);
  await cluster.close();
});

test('who is not identified gets 401 from both, and discovery without', async () => {
  const cluster = await Cluster.start({ project: deviceProject({ security: [{ type: 'bearer' }] }) });
  for (const path of ['/devices', devices(), `${devices()}/one`, `${devices()}?watch=1`])
    expect([(await cluster.get(path)).code, isOpenPage(path)]).toEqual([401, false]);
  const ofKinds = [
    '/apis/example.svc.dev',
    '/apis/example.svc.dev/v1',
    '/openapi/v3/apis/example.svc.dev/v1',
  ];
  const others = [
    '/livez',
    '/readyz',
    '/healthz',
    '/version',
    '/api',
    '/api/v1',
    '/apis',
    '/openapi/v3',
    '/openapi/v2',
  ];
  // A middleware that asks for credentials leaves the same pages open.
  for (const path of [...ofKinds, ...others].flatMap((each) => [`/k8s${each}`, `/k8s${each}/`]))
    expect([(await cluster.get(path)).code, isOpenPage(path)]).toEqual([200, true]);
  await cluster.close();
});

describe('pages of a list of which a policy hides some', () => {
  const clusters: Cluster[] = [];
  const [SHOWN, HIDDEN] = [Array.from({ length: 9 }, (_, n) => `n${n}`), ['a', 'n4-x', 'z']];
  const names = [HIDDEN[0], ...SHOWN.slice(0, 4), HIDDEN[1], ...SHOWN.slice(4), HIDDEN[2]];

  beforeAll(async () => {
    const canGet: Policy<Resource>['canGet'] = ({ resource }) => ({
      allowed: resource === undefined || !HIDDEN.includes(resource.metadata.name),
    });
    // The second has only what the first shows.
    for (const created of [names, SHOWN]) {
      const cluster = await Cluster.start({ hooks: { Device: { policy: { canGet } } } });
      clusters.push(cluster);
      for (const name of created) {
        const body = device(
          name,
          { location: 'eu', price: 1 + names.indexOf(name) },
          { labels: { in: 'all' } },
        );
        expect((await cluster.request('POST', devices(), { body })).code).toBe(201);
      }
    }
  });
  afterAll(() => Promise.all(clusters.map((cluster) => cluster.close())));

  /** Returns the names on a page, and whether there is another. */
  async function page(cluster: Cluster, path: string): Promise<unknown> {
    const { body, response } = await cluster.get(path);
    const items: Resource[] = body.items ?? body;
    const follows = response.headers.link !== undefined || body.metadata?.continue !== undefined;
    return [items.map(({ metadata }) => metadata.name), follows];
  }

  test.each([
    '/devices?fieldSelector=spec.price%3E0',
    '/devices?labelSelector=in%3Dall',
    '/devices?sort=spec.price',
    '/devices?sort=-spec.price&fieldSelector=spec.price%3E2',
    `${devices()}?fieldSelector=spec.price%3E0`,
    `${devices()}?labelSelector=in%3Dall`,
  ])('%s reveals nothing of those', async (path) => {
    for (const limit of [1, 3, 4, 8, 9, 10]) {
      const [one, other] = await Promise.all(
        clusters.map((cluster) => page(cluster, `${path}&limit=${limit}`)),
      );
      expect(one).toEqual(other);
    }
  });
});
