import { request } from 'node:http';
import type { Express } from 'express';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import type { KindHooks, PolicyContext } from '../../../templates/runtime/model/kinds/kind';
import type { Resource } from '../../../templates/runtime/model/resource';
import { servedRoutes } from '../../../templates/runtime/mount';
import { QUICK, until } from '../events/devices';
import { type HttpResponse, JSON_PATCH, JSON_TYPE, MERGE, send, SHORTHAND_PATCH } from '../support/client';
import { mountedKinds, startService, type TestService } from '../support/harness';
import { versionedProject } from '../support/versioned-project';

// Every route of a service with two tenants, whose resources belong to users: whatever a caller asks of whatever route, what
// belongs to another does not come. The routes are those that the service has, so that a new one is in here by itself.

type Caller = { tenant: string; user: string };
const OWNER: Caller = { tenant: 'acme', user: 'ann' };
const OTHERS: [who: string, caller: Caller][] = [
  ['a user of another tenant', { tenant: 'umbrella', user: 'eve' }],
  ['another user of the tenant', { tenant: 'acme', user: 'bob' }],
];
/** In every part of the resource that clients write. */
const SECRET = 'secret-of-ann';
const SPEC = { name: 'new', location: 'x' };

const ofOwner = ({ request, resource }: PolicyContext<Resource>): { allowed: boolean } => ({
  allowed: resource?.metadata.labels?.['owner'] === request.headers['user'],
});
const ofAnybody = (): { allowed: boolean } => ({ allowed: true });
const hooks: { [kind: string]: KindHooks } = {
  Device: {
    policy: {
      canList: ofAnybody,
      canCreate: ofAnybody,
      canManageDeadLetters: ofAnybody,
      canGet: ofOwner,
      canUpdate: ofOwner,
      canUpdateStatus: ofOwner,
      canDelete: ofOwner,
    },
  },
};

const project = versionedProject();
let service: TestService;
let port: number;

beforeAll(async () => {
  const middleware = (app: Express): void => {
    app.use((req, _res, next) => {
      setLabelScope(req, { tenant: String(req.headers['tenant']) });
      next();
    });
  };
  const environment = { ...QUICK, EVENTS_MAX_ATTEMPTS: '1' };
  service = await startService(project, { hooks, middleware, environment });
  ({ port } = service);
  service.service.events.subscribe('*', () => Promise.reject(new Error('no')), {
    name: 'failing',
    from: 'oldest',
  });
});
afterAll(() => service.close());

/** The requests that a caller tries on every route; the tests of JSON Patch ask whether the resource has a value. */
const REQUESTS: { method: string; type?: object; body?: unknown }[] = [
  { method: 'GET' },
  { method: 'HEAD' },
  { method: 'OPTIONS' },
  { method: 'POST', type: JSON_TYPE, body: { spec: SPEC, metadata: { labels: { owner: 'ann' } } } },
  { method: 'PUT', type: JSON_TYPE, body: { spec: SPEC, status: {} } },
  { method: 'PATCH', type: MERGE, body: {} },
  { method: 'PATCH', type: SHORTHAND_PATCH, body: {} },
  { method: 'PATCH', type: JSON_PATCH, body: [{ op: 'test', path: '/metadata/name', value: SECRET }] },
  { method: 'PATCH', type: JSON_PATCH, body: [{ op: 'test', path: '/metadata/name', value: 'other' }] },
  { method: 'DELETE' },
];

const kinds = mountedKinds(project, hooks);
let routes: string[];
const routesOf = (): string[] =>
  (routes ??= [...new Set(servedRoutes(service.service, kinds).map((route) => route.split(' ')[1]))]);

/** A device of the owner, with two snapshots, events and dead letters. */
async function secretDevice(): Promise<Resource> {
  const headers = { ...JSON_TYPE, ...OWNER };
  const metadata = { name: SECRET, labels: { owner: 'ann' }, annotations: { note: SECRET } };
  const body = { metadata, spec: { name: 'lamp', location: 'hall', model: SECRET } };
  const { resource } = await read('POST', '/devices', headers, body);
  const path = `/devices/${resource.metadata.uid}`;
  await read('PATCH', path, { ...MERGE, ...OWNER }, { spec: { serial: SECRET } });
  return (await read('PUT', `${path}/status`, headers, { status: { health: SECRET } })).resource;
}

async function read(
  method: string,
  path: string,
  headers: object,
  body?: unknown,
): Promise<{ text: string; resource: Resource }> {
  const { status, text } = await send(port, method, path, { headers: { ...headers }, body });
  if (status >= 300) throw new Error(`${status} ${text}`);
  return { text, resource: JSON.parse(text) as Resource };
}

/** All that the owner sees, and that nobody else may change. */
async function everythingOf({ metadata }: Resource): Promise<string> {
  const path = `/devices/${metadata.uid}`;
  const texts = [path, `${path}/versions`].map((each) => read('GET', each, OWNER));
  return (await Promise.all(texts)).map(({ text }) => text).join('\n');
}

const lettersOf = async ({ metadata }: Resource): Promise<number> =>
  (await service.service.store.events!.deadLetters(0, 10_000)).filter(({ text }) =>
    text.includes(metadata.uid),
  ).length;

/** Returns the path of a route for one resource. Throws for an unknown placeholder. */
function pathOf(route: string, uid: string, versionId: string): string {
  const path = route.replace('{uid}', uid).replace('{versionId}', versionId);
  if (path.includes('{')) throw new Error(`${route}: what stands in its place?`);
  return path === '/events' ? '/events?lastEventId=0' : path;
}

/** A response, as far as it comes: a stream is read up to an event that the caller has caused. */
async function responseOf(
  method: string,
  path: string,
  headers: object,
  body?: unknown,
): Promise<HttpResponse> {
  if (method !== 'GET' || !path.startsWith('/events?'))
    return send(port, method, path, { headers: { ...headers }, body });
  const { tenant, user } = headers as Caller;
  const own = {
    spec: { name: 'own', location: 'hall' },
    metadata: { labels: { owner: user } },
  };
  const { resource } = await read('POST', '/devices', { ...JSON_TYPE, tenant, user }, own);
  return new Promise((resolve, reject) => {
    const stream = request({ port, path, headers: { ...headers } }, (res) => {
      let text = '';
      res.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (!text.includes(resource.metadata.uid)) return;
        stream.destroy();
        resolve({ status: res.statusCode!, headers: res.headers, text });
      });
    });
    stream.on('error', reject).end();
  });
}

test('the owner sees the secret wherever resources are shown', async () => {
  const device = await secretDevice();
  await until(async () => (await lettersOf(device)) === 3);
  const shown: string[] = [];
  for (const route of routesOf()) {
    const path = pathOf(route, device.metadata.uid, String(device.status!['version']));
    const { text } = await responseOf('GET', path, OWNER);
    if (text.includes(device.metadata.uid) && text.includes(SECRET)) shown.push(route);
  }
  const starts = ['', ...['v1', 'v2beta1', 'v1alpha1'].map((version) => `/apis/example.svc.dev/${version}`)];
  const ofDevices = ['', '/{uid}', '/{uid}/versions', '/{uid}/versions/{versionId}'];
  expect(shown.sort()).toEqual(
    [
      ...starts.flatMap((start) => ofDevices.map((end) => `${start}/devices${end}`)),
      '/events',
      '/events/dead-letters',
    ].sort(),
  );
});

describe.each(OTHERS)('%s', (_who, caller) => {
  test.each(REQUESTS)(
    '$method of every route ($body) neither shows nor changes it',
    async ({ method, type, body }) => {
      const device = await secretDevice();
      const { uid } = device.metadata;
      const versionId = String(device.status!['version']);
      await until(async () => (await lettersOf(device)) === 3);
      const before = await everythingOf(device);
      for (const route of routesOf()) {
        const path = pathOf(route, uid, versionId);
        // In a path with a version, Accept decides nothing.
        for (const version of route.startsWith('/apis/') ? ['v1'] : ['v1', 'v2beta1']) {
          const headers = { ...type, ...caller, Accept: `application/json;version=${version}, */*` };
          const response = await responseOf(method, path, headers, body);
          const shown = [response.text, JSON.stringify(response.headers)].join('\n');
          const place = `${method} ${route} as ${version}: ${response.status} ${shown.slice(0, 2_000)}`;
          if (shown.includes(SECRET)) throw new Error(place);
          if (route.includes('{uid}')) {
            // The path is repeated in `instance` and in `detail`.
            const absent = 'dev-0000000000000000';
            const other = await responseOf(method, pathOf(route, absent, versionId), headers, body);
            expect([place, other.status]).toEqual([place, response.status]);
            expect(other.text.replaceAll(absent, uid)).toBe(response.text);
          } else if (shown.includes(uid)) throw new Error(place);
        }
      }
      expect(await everythingOf(device)).toBe(before);
      expect(await lettersOf(device)).toBe(3);
    },
  );
});
