import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express, type RequestHandler } from 'express';
import type { Project, SecurityScheme } from '../../../src/model/project';
import { setActor, setIdentified } from '../../../templates/runtime/http/security/actor';
import { servedRoutes } from '../../../templates/runtime/mount';
import { documentOf } from '../../openapi/document-of';
import { runTypeScript } from '../../support/run-typescript';
import { openStream } from '../events/sse';
import { create, JSON_TYPE, MERGE, send, sendRaw, statuses } from '../support/client';
import { mountedKinds, startService, type TestOptions, type TestService } from '../support/harness';
import { versionedProject } from '../support/versioned-project';

// Declared security: who is not identified gets nothing, at every route that the service has.

const BEARER: SecurityScheme = { type: 'bearer' };
const KEY: SecurityScheme = { type: 'apiKey', header: 'X-API-Key' };
const OPEN = ['/', '/apis', '/openapi.json', '/healthz', '/readyz', '/docs'];
const isOpen = (path: string): boolean =>
  OPEN.includes(path) ||
  path.startsWith('/docs/') ||
  isConsole(path) ||
  /^\/apis\/[^/]+\/[^/]+\/openapi\.json$/.test(path);

/** The settings of the service are guarded. */
const isConsole = (path: string): boolean => /^\/console(?!\/settings\.json$)/.test(path);

/** Identifies callers by what they say they are. */
const identify: RequestHandler = (req, _res, next) => {
  const { user, known } = req.headers;
  if (known !== undefined) setIdentified(req);
  if (user !== undefined) setActor(req, String(user));
  next();
};

const project = versionedProject();
const secured = (security: SecurityScheme[]): Project => ({ ...project, security });
const start = (security: SecurityScheme[], options: TestOptions = {}): Promise<TestService> =>
  startService(secured(security), {
    middleware: (app) => void app.use(identify),
    openapi: documentOf(secured(security)),
    ...options,
  });

let service: TestService;
beforeAll(async () => void (service = await start([BEARER, KEY])));
afterAll(() => service.close());

const paths = (): string[] => [
  ...new Set(servedRoutes(service.service, mountedKinds(project)).map((route) => route.split(' ')[1])),
];

test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'])(
  '%s of every route: 401 to who is not identified, but for the open pages',
  async (method) => {
    const { resource } = await createAs(service);
    for (const route of paths()) {
      const path = route
        .replace('{uid}', resource.metadata.uid)
        .replace('{versionId}', String(resource.status!['version']));
      for (const credentials of [{}, { Authorization: 'Bearer x' }, { 'X-API-Key': 'x' }]) {
        const body = method === 'GET' || method === 'HEAD' ? undefined : '{';
        const headers = { ...(method === 'PATCH' ? MERGE : JSON_TYPE), ...credentials };
        const response = await send(service.port, method, path, { headers, body });
        if (isOpen(route)) {
          expect([route, response.status]).toEqual([
            route,
            method === 'GET' || method === 'HEAD' ? 200 : 405,
          ]);
          continue;
        }
        expect([route, response.status]).toEqual([route, 401]);
        expect(response.headers['www-authenticate']).toBe('Bearer, ApiKey header="X-API-Key"');
        expect(response.headers['content-type']).toBe('application/problem+json');
        expect(response.text).not.toContain('lamp');
        if (method !== 'HEAD')
          expect(JSON.parse(response.text)).toMatchObject({
            ...{ status: 401, title: 'Unauthorized', instance: path },
            detail: 'This service requires a bearer token, or the header X-API-Key.',
          });
      }
    }
    const unchanged = await send(service.port, 'GET', `/devices/${resource.metadata.uid}`, {
      headers: { known: 'yes' },
    });
    expect(JSON.parse(unchanged.text)).toEqual(resource);
  },
);

async function createAs({ port }: TestService): ReturnType<typeof create> {
  const body = { spec: { name: 'lamp', location: 'hall' } };
  const response = await send(port, 'POST', '/devices', { headers: { ...JSON_TYPE, user: 'ann' }, body });
  return {
    path: response.headers.location!,
    resource: JSON.parse(response.text),
    etag: response.headers.etag!,
  };
}

test.each([{ user: 'ann' }, { known: 'yes' }])(
  'who is identified by %j is answered everywhere',
  async (caller) => {
    const { resource } = await createAs(service);
    for (const route of paths()) {
      if (route === '/events') continue;
      const path = route
        .replace('{uid}', resource.metadata.uid)
        .replace('{versionId}', String(resource.status!['version']));
      const { status } = await send(service.port, 'GET', path, { headers: caller });
      // There are no gadgets.
      const wanted = route.includes('/gadgets/') ? 404 : 200;
      expect([route, status]).toEqual([route, /\/(resend|status)$/.test(route) ? 405 : wanted]);
    }
    const stream = await openStream(service.port, '/events?lastEventId=0', { ...caller } as unknown as {
      [name: string]: string;
    });
    expect(stream.status).toBe(200);
    stream.close();
  },
);

test('OPTIONS, and what is not there, need nobody', async () => {
  for (const path of ['/devices', '/devices/x', '/devices/x/status', '/events', '/metrics'])
    expect((await send(service.port, 'OPTIONS', path)).status).toBe(204);
  expect((await send(service.port, 'GET', '/nothing')).status).toBe(404);
});

test.each([
  'GET http://x/devices HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /devices/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /devices?/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'GET /devices HTTP/1.0\r\n\r\n',
  'GET /devices HTTP/1.1\r\nHost: x\r\nUser: \r\nAuthorization: Bearer\r\nConnection: close\r\n\r\n'.replace(
    'User: \r\n',
    '',
  ),
])('%j is 401', async (request) => {
  expect(statuses(await sendRaw(service.port, request))).toEqual([401]);
});

test.each<[security: SecurityScheme[], challenge: string]>([
  [[BEARER], 'Bearer'],
  [[KEY], 'ApiKey header="X-API-Key"'],
  [[KEY, { type: 'apiKey', header: 'X-Other' }], 'ApiKey header="X-API-Key", ApiKey header="X-Other"'],
])('%j challenges with %s', async (security, challenge) => {
  const other = await start(security);
  const { headers } = await send(other.port, 'GET', '/devices');
  expect(headers['www-authenticate']).toBe(challenge);
  await other.close();
});

test('without a middleware it is closed, and the log says once what is missing', async () => {
  const closed = await start([BEARER], { middleware: undefined });
  const warn = jest.spyOn(closed.service.logger, 'warn');
  expect((await send(closed.port, 'GET', '/devices')).status).toBe(401);
  expect(warn).not.toHaveBeenCalled();
  for (let count = 0; count < 3; count++)
    expect(
      (await send(closed.port, 'GET', '/devices', { headers: { Authorization: 'Bearer x' } })).status,
    ).toBe(401);
  expect(warn.mock.calls).toEqual([[expect.stringContaining('setActor')]]);
  await closed.close();
});

test('a project that declares none asks nobody', async () => {
  const open = await start([], { middleware: undefined });
  await create(open.port, '/devices', { name: 'lamp', location: 'hall' });
  for (const path of ['/devices', '/metrics', '/events/dead-letters'])
    expect((await send(open.port, 'GET', path)).status).toBe(200);
  await open.close();
});

test('the API key middleware of the page', async () => {
  const page = readFileSync(join(__dirname, '../../../docs/security.md'), 'utf8');
  const [, source = ''] = /```ts\n(import \{ createHash.*?)```/s.exec(page) ?? [];
  const exports = runTypeScript<{ apiKey: (keys: { [actor: string]: string }) => RequestHandler }>(
    source,
    (id) => (id === '../generated' ? { setActor } : (require(id) as unknown)),
  );
  const middleware = (app: Express): void =>
    void app.use(express.Router().use(exports.apiKey({ ann: 'k1', bob: 'k2' })));
  const keyed = await start([KEY], { middleware });
  const get = async (key?: string): Promise<number> =>
    (await send(keyed.port, 'GET', '/devices', { headers: key === undefined ? {} : { 'X-API-Key': key } }))
      .status;
  expect(await Promise.all([get(), get(''), get('k3'), get('k1'), get('k2')])).toEqual([
    401, 401, 401, 200, 200,
  ]);
  await keyed.close();
});
