import type { Express } from 'express';
import type { Resource } from '../../templates/runtime/resource';
import { setLabelScope } from '../../templates/runtime/scope';
import { create, JSON_PATCH, JSON_TYPE, MERGE, send, SHORTHAND_PATCH, type Answer } from './client';
import { startService, type TestService } from './harness';
import { testProject } from './projects';

const SPEC = { name: 'a', location: 'b' };
const UNKNOWN = '20240101000000-1704067200000000000';

/** The eleven endpoints: method, what follows the resource's path (undefined: the collection), type and body. */
type Endpoint = [name: string, method: string, suffix: string | undefined, type?: object, body?: unknown];
const ENDPOINTS: Endpoint[] = [
  ['create', 'POST', undefined, JSON_TYPE, { spec: SPEC }],
  ['list', 'GET', undefined],
  ['get', 'GET', ''],
  ['head', 'HEAD', ''],
  ['replace', 'PUT', '', JSON_TYPE, { spec: SPEC }],
  ['merge patch', 'PATCH', '', MERGE, {}],
  ['JSON Patch', 'PATCH', '', JSON_PATCH, []],
  ['shorthand patch', 'PATCH', '', SHORTHAND_PATCH, {}],
  ['replace status', 'PUT', '/status', JSON_TYPE, { status: {} }],
  ['patch status', 'PATCH', '/status', MERGE, {}],
  ['list versions', 'GET', '/versions'],
  ['get version', 'GET', '/versions/VERSION'],
  ['delete version', 'DELETE', '/versions/VERSION'],
  ['delete', 'DELETE', ''],
];

function call(
  port: number,
  [, method, suffix, type, body]: Endpoint,
  path: string,
  version: string,
  extra = {},
): Promise<Answer> {
  const address = suffix === undefined ? '/devices' : path + suffix.replace('VERSION', version);
  return send(port, method, address, { headers: { ...type, ...extra }, body });
}

describe('a label scope', () => {
  let service: TestService;
  beforeAll(async () => {
    const middleware = (app: Express): void => {
      app.use((req, _res, next) => {
        const { tenant } = req.headers;
        if (tenant !== undefined) setLabelScope(req, { tenant: String(tenant) });
        next();
      });
    };
    service = await startService(testProject(), { middleware });
  });
  afterAll(() => service.close());

  test.each(ENDPOINTS)('what is outside is not there: %s', async (...endpoint) => {
    const [name, method] = endpoint;
    const { path, resource } = await create(service.port, '/devices', SPEC, { labels: { tenant: 'acme' } });
    const version = String(resource.status!['version']);
    const stranger = await call(service.port, endpoint, path, version, { tenant: `not-${name}` });
    if (name === 'list') expect(stranger.text).toBe('[]');
    else if (name === 'create') expect(stranger.status).toBe(201);
    else expect(stranger.status).toBe(404);
    expect((await send(service.port, 'GET', path)).text).toBe(JSON.stringify(resource));
    const owner = await call(service.port, endpoint, path, version, { tenant: 'acme' });
    expect(owner.status).toBe(method === 'POST' ? 201 : 200);
  });

  test.each<[method: string, labels: object | null | undefined, want: number, stored: object]>([
    ['POST', undefined, 201, { tenant: 'acme' }],
    ['POST', { a: 'b' }, 201, { a: 'b', tenant: 'acme' }],
    ['POST', { tenant: 'acme' }, 201, { tenant: 'acme' }],
    ['POST', { tenant: 'other' }, 403, {}],
    ['PUT', undefined, 200, { tenant: 'acme' }],
    ['PUT', {}, 200, { tenant: 'acme' }],
    ['PUT', { tenant: 'other' }, 403, {}],
    ['PATCH', null, 200, { tenant: 'acme' }],
    ['PATCH', { tenant: null, a: 'b' }, 200, { tenant: 'acme', a: 'b' }],
    ['PATCH', { tenant: '' }, 403, {}],
  ])('%s with labels %j: %i', async (method, labels, want, stored) => {
    const { path } = await create(service.port, '/devices', SPEC, { labels: { tenant: 'acme' } });
    const headers = { ...(method === 'PATCH' ? MERGE : JSON_TYPE), tenant: 'acme' };
    const body = { spec: SPEC, metadata: { labels } };
    const answer = await send(service.port, method, method === 'POST' ? '/devices' : path, { headers, body });
    expect(answer.status).toBe(want);
    if (want !== 403) expect((JSON.parse(answer.text) as Resource).metadata.labels).toEqual(stored);
  });

  test('a scope of a key of Object.prototype', async () => {
    const odd = await startService(testProject(), {
      middleware: (app) =>
        void app.use((req, _res, next) => next(void setLabelScope(req, { constructor: 'x' }))),
    });
    const { path, resource } = await create(odd.port, '/devices', SPEC);
    expect(resource.metadata.labels).toEqual({ constructor: 'x' });
    expect((await send(odd.port, 'GET', path)).status).toBe(200);
    await odd.close();
  });

  test('lists are filtered by the scope and by what is asked for', async () => {
    for (const [tenant, env] of [
      ['t1', 'prod'],
      ['t1', 'dev'],
      ['t2', 'prod'],
    ]) {
      await create(service.port, '/devices', { ...SPEC, name: tenant + env }, { labels: { tenant, env } });
    }
    const names = async (query: string): Promise<string[]> => {
      const answer = await send(service.port, 'GET', `/devices${query}`, { headers: { tenant: 't1' } });
      return (JSON.parse(answer.text) as Resource[]).map(({ spec }) => String(spec['name']));
    };
    expect(await names('')).toEqual(['t1prod', 't1dev']);
    expect(await names('?label=env=prod')).toEqual(['t1prod']);
    expect(await names('?limit=1')).toEqual(['t1prod']);
    expect(await names('?label=tenant=t2')).toEqual([]);
  });
});

describe('a policy', () => {
  const ASKS = ['canList', 'canGet', 'canCreate', 'canUpdate', 'canDelete', 'canUpdateStatus'] as const;
  const OF: { [name: string]: (typeof ASKS)[number] } = {
    create: 'canCreate',
    list: 'canList',
    get: 'canGet',
    head: 'canGet',
    'list versions': 'canGet',
    'get version': 'canGet',
    'replace status': 'canUpdateStatus',
    'patch status': 'canUpdateStatus',
    delete: 'canDelete',
  };
  let service: TestService;
  const asked: [ask: string, uid: string | undefined][] = [];
  beforeAll(async () => {
    const policy = Object.fromEntries(
      ASKS.map((ask) => [
        ask,
        ({
          request,
          resource,
        }: {
          request: { headers: { [name: string]: unknown } };
          resource?: Resource;
        }) => {
          asked.push([ask, resource?.metadata.uid]);
          return {
            allowed: request.headers['x-refuse'] !== ask,
            reason: request.headers['x-reason'] as string,
          };
        },
      ]),
    );
    service = await startService(testProject(), { hooks: { Device: { policy } } });
  });
  afterAll(() => service.close());

  test.each(ENDPOINTS)('is asked: %s', async (...endpoint) => {
    const [name, method, suffix] = endpoint;
    const ask = OF[name] ?? 'canUpdate';
    const { path, resource } = await create(service.port, '/devices', SPEC);
    const version = String(resource.status!['version']);
    const refuse = { 'X-Refuse': ask };
    asked.length = 0;
    const refused = await call(service.port, endpoint, path, version, refuse);
    expect(refused.status).toBe(403);
    expect(asked[0]).toEqual([ask, suffix === undefined ? undefined : resource.metadata.uid]);
    if (method !== 'HEAD') {
      const { detail } = JSON.parse(refused.text) as { detail: string };
      const wording = 'Forbidden - requires update_status permission';
      expect(detail).toBe(ask === 'canUpdateStatus' ? wording : 'Forbidden');
    }
    expect((await send(service.port, 'GET', path)).text).toBe(JSON.stringify(resource));

    const unknown: [string, string][] = [
      ['/devices/dev-0000000000000000', version],
      ['/devices/x', version],
    ];
    if (suffix !== undefined) {
      for (const [nowhere, id] of unknown) {
        expect((await call(service.port, endpoint, nowhere, id, refuse)).status).toBe(403);
        expect((await call(service.port, endpoint, nowhere, id)).status).toBe(404);
      }
    }
    if (suffix?.includes('VERSION')) {
      expect((await call(service.port, endpoint, path, UNKNOWN, refuse)).status).toBe(403);
      expect((await call(service.port, endpoint, path, UNKNOWN)).status).toBe(404);
    }
    expect((await call(service.port, endpoint, path, version)).status).toBe(method === 'POST' ? 201 : 200);
  });

  test('its reason is told', async () => {
    const { path } = await create(service.port, '/devices', SPEC);
    const headers = { ...JSON_TYPE, 'X-Refuse': 'canUpdateStatus', 'X-Reason': 'not yours' };
    const answer = await send(service.port, 'PUT', `${path}/status`, { headers, body: { status: {} } });
    expect(JSON.parse(answer.text)).toMatchObject({
      status: 403,
      title: 'Forbidden',
      detail: 'Forbidden - requires update_status permission: not yours',
    });
  });
});
