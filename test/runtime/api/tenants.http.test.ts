import { join } from 'node:path';
import { sign } from 'jsonwebtoken';
import { loadProject } from '../../../src/load/load-project';
import type { Resource } from '../../../templates/runtime/model/resource';
import { documentOf } from '../../openapi/document-of';
import { documentedRoutes } from '../../openapi/documented-routes';
import { openStream } from '../events/sse';
import { type HttpResponse, JSON_TYPE, MERGE, send } from '../support/client';
import { type ExampleApp, SECRET, startExampleApp } from '../support/example-app';

// Every route of the demo, in both of its versions, with the examples of the specification, "Authentication", in front: who
// has no token, a token without a tenant, or that of another tenant.

const { project } = loadProject(join(__dirname, '../../../examples/device-service'));
const ROUTES = documentedRoutes(documentOf(project));
const isOpenPage = (route: string): boolean =>
  ['/', '/apis', '/docs', '/console', '/openapi.json', '/healthz', '/readyz'].includes(route) ||
  route.endsWith('/openapi.json');

let app: ExampleApp;
beforeAll(async () => void (app = await startExampleApp('tenants', project)));
afterAll(() => app.close());

const bearer = (claims: object): { Authorization: string } => ({
  Authorization: `Bearer ${sign(claims, SECRET, { algorithm: 'HS256', expiresIn: '1h' })}`,
});
const OWNER = bearer({ tenant_id: 'acme', roles: ['admin'] });
const STRANGER = bearer({ tenant_id: 'umbrella', roles: ['admin'] });

/** A request that would succeed for the owner. */
function call(method: string, path: string, headers: object): Promise<HttpResponse> {
  const place = path.includes('/v2beta1/') ? 'site' : 'location';
  const body = path.endsWith('/status')
    ? { status: { phase: 'Ready' } }
    : { spec: { name: 'lamp', [place]: 'hall' } };
  const type = { PATCH: MERGE, POST: JSON_TYPE, PUT: JSON_TYPE }[method];
  return send(app.port, method, path, { headers: { ...type, ...headers }, ...(type && { body }) });
}

/** A new device of the owner. */
async function created(headers = OWNER): Promise<Resource> {
  return JSON.parse((await call('POST', '/devices', headers)).text) as Resource;
}

describe.each(ROUTES)('%s %s', (method, route) => {
  const isOpen = isOpenPage(route);
  const somewhere = route.replace('{uid}', 'dev-0000000000000000').replace(/\{.*?\}/, '1');

  test(`without a token: ${isOpen ? 'answered' : '401'}`, async () => {
    const { status, text } = await call(method, somewhere, {});
    if (isOpen) expect(status).toBe(200);
    else expect([status, text]).toEqual([401, 'Unauthorized']);
  });

  test(`with a token that is none: ${isOpen ? 'answered' : '401'}`, async () => {
    const { status, text } = await call(method, somewhere, { Authorization: 'Bearer x' });
    if (isOpen) expect(status).toBe(200);
    else expect([status, text]).toEqual([401, 'Invalid token']);
  });

  test(`without a tenant: ${isOpen ? 'answered' : '400'}`, async () => {
    const { status, text } = await call(method, somewhere, bearer({ roles: ['admin'] }));
    if (isOpen) expect(status).toBe(200);
    else expect([status, text]).toEqual([400, 'Missing tenant information']);
  });

  if (!route.includes('/devices')) return;

  test('of another tenant: as if nothing were there', async () => {
    const mine = await created();
    const path = route
      .replace('{uid}', mine.metadata.uid)
      .replace('{versionId}', String(mine.status!['version']));
    const response = await call(method, path, STRANGER);
    if (route.includes('{uid}')) expect(response.status).toBe(404);
    else if (method === 'GET') expect(response.text).not.toContain(mine.metadata.uid);
    else expect((JSON.parse(response.text) as Resource).metadata.labels).toEqual({ tenant: 'umbrella' });
    expect(JSON.parse((await call('GET', `/devices/${mine.metadata.uid}`, OWNER)).text)).toEqual(mine);

    const own = await call(method, path, OWNER);
    expect(own.status).toBe(method === 'POST' ? 201 : 200);
    if (method === 'GET') expect(own.text).toContain(mine.metadata.uid);
  });
});

test('the routes are all of them', () => {
  const paths = ROUTES.map(([, path]) => path);
  for (const start of ['', '/apis/example.svc.dev/v1', '/apis/example.svc.dev/v2beta1'])
    expect(paths.filter((path) => path.startsWith(`${start}/devices`))).toHaveLength(11);
  expect(paths).toEqual(expect.arrayContaining(['/events', '/events/dead-letters']));
});

test.each(['', '&version=v2beta1', '&kind=Device', '&labelSelector=tenant%3Dumbrella', '&labelSelector=!x'])(
  'events of another tenant do not come: /events?lastEventId=0%s',
  async (query) => {
    const theirs = await created(STRANGER);
    const mine = await created();
    await call('PUT', `/devices/${mine.metadata.uid}/status`, OWNER);
    await call('DELETE', `/devices/${mine.metadata.uid}`, OWNER);
    const seen = (tenant: object): Promise<string[]> => uidsOfEvents(`/events?lastEventId=0${query}`, tenant);
    const isElsewhere = query.includes('umbrella');
    expect(await seen(OWNER)).not.toContain(theirs.metadata.uid);
    expect((await seen(OWNER)).includes(mine.metadata.uid)).toBe(!isElsewhere);
    expect(await seen(STRANGER)).toContain(theirs.metadata.uid);
    expect(await seen(STRANGER)).not.toContain(mine.metadata.uid);
  },
);

/** Returns the uids of a stream's events, up to that of a resource created after it began. */
async function uidsOfEvents(path: string, tenant: object): Promise<string[]> {
  const stream = await openStream(app.port, path, tenant as { [name: string]: string });
  await created(OWNER);
  await created(STRANGER);
  const list = await call('GET', '/devices', tenant);
  const { metadata } = (JSON.parse(list.text) as Resource[]).at(-1)!;
  if (!path.includes('umbrella') || tenant === STRANGER)
    while (!stream.received.some(({ event }) => event.data.resourceUID === metadata.uid))
      await new Promise((resolve) => setTimeout(resolve, 5));
  stream.close();
  return stream.received.map(({ event }) => event.data.resourceUID);
}
