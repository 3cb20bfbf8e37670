import type { Express, RequestHandler } from 'express';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import type { Policy } from '../../../templates/runtime/model/kinds/kind';
import { HttpProblem } from '../../../templates/runtime/model/problem';
import type { Resource, Snapshot } from '../../../templates/runtime/model/resource';
import {
  create,
  type HttpResponse,
  JSON_PATCH,
  JSON_TYPE,
  MERGE,
  send,
  SHORTHAND_PATCH,
} from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

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
): Promise<HttpResponse> {
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
    const response = await send(service.port, method, method === 'POST' ? '/devices' : path, {
      headers,
      body,
    });
    expect(response.status).toBe(want);
    if (want !== 403) expect((JSON.parse(response.text) as Resource).metadata.labels).toEqual(stored);
  });

  test('the labels of the scope count among the 1,000 of a resource', async () => {
    const labels = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`label-${index}`, '']));
    const post = (of: object): Promise<HttpResponse> => {
      const body = { metadata: { labels: of }, spec: SPEC };
      return send(service.port, 'POST', '/devices', { headers: { ...JSON_TYPE, tenant: 'acme' }, body });
    };
    const { status, text } = await post(labels);
    expect([status, text]).toEqual([400, expect.stringContaining('1000 labels, not 1001')]);
    delete labels['label-0'];
    const created = await post(labels);
    expect(created.status).toBe(201);
    const change = { headers: { ...MERGE, tenant: 'acme' }, body: { spec: { model: 'a' } } };
    expect((await send(service.port, 'PATCH', created.headers.location!, change)).status).toBe(200);
  });

  test('a scope of a key of Object.prototype', async () => {
    const odd = await startService(testProject(), {
      middleware: (app) => void app.use((req, _res, next) => next(setLabelScope(req, { constructor: 'x' }))),
    });
    const { path, resource } = await create(odd.port, '/devices', SPEC);
    expect(resource.metadata.labels).toEqual({ constructor: 'x' });
    expect((await send(odd.port, 'GET', path)).status).toBe(200);
    await odd.close();
  });

  test('snapshots from outside the scope are not there: of a resource that has moved, each tenant sees its own time', async () => {
    const { port } = service;
    const { path } = await create(
      port,
      '/devices',
      { ...SPEC, model: 'of acme' },
      { labels: { tenant: 'acme' } },
    );
    const move = { metadata: { labels: { tenant: 'umbrella' } }, spec: { model: 'of umbrella' } };
    expect((await send(port, 'PATCH', path, { headers: MERGE, body: move })).status).toBe(200);
    const read = (suffix: string, headers: object, method = 'GET'): Promise<HttpResponse> =>
      send(port, method, path + suffix, { headers: { ...headers } });
    const [before, after] = JSON.parse((await read('/versions', {})).text) as Snapshot[];
    const umbrella = { tenant: 'umbrella' };
    const listed = await read('/versions', umbrella);
    expect((JSON.parse(listed.text) as Snapshot[]).map(({ versionId }) => versionId)).toEqual([
      after.versionId,
    ]);
    expect(listed.text).not.toContain('of acme');
    for (const sort of ['createdAt', '-createdAt']) {
      const page = await read(`/versions?limit=1&sort=${sort}`, umbrella);
      expect([page.text, page.headers['link']]).toEqual([listed.text, undefined]);
    }
    expect((await read(`/versions/${after.versionId}`, umbrella)).status).toBe(200);
    for (const method of ['GET', 'HEAD', 'DELETE'])
      expect((await read(`/versions/${before.versionId}`, umbrella, method)).status).toBe(404);
    expect((await read('/versions', { tenant: 'acme' })).status).toBe(404);
    expect((await read(`/versions/${before.versionId}`, {})).text).toBe(JSON.stringify(before));
    expect((await read(`/versions/${after.versionId}`, umbrella, 'DELETE')).status).toBe(200);
    expect((await read('/versions', umbrella)).text).toBe('[]');
    expect(JSON.parse((await read('/versions', {})).text)).toEqual([before]);
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
      const response = await send(service.port, 'GET', `/devices${query}`, { headers: { tenant: 't1' } });
      return (JSON.parse(response.text) as Resource[]).map(({ spec }) => String(spec['name']));
    };
    expect(await names('')).toEqual(['t1prod', 't1dev']);
    expect(await names('?label=env=prod')).toEqual(['t1prod']);
    expect(await names('?limit=1')).toEqual(['t1prod']);
    expect(await names('?label=tenant=t2')).toEqual([]);
  });
});

describe('several label scopes', () => {
  let service: TestService;
  beforeAll(async () => {
    const scopes = ['x-scope', 'x-second-scope'].map((header): RequestHandler => (req, _res, next) => {
      const given = req.headers[header];
      if (given !== undefined) setLabelScope(req, JSON.parse(String(given)) as { [key: string]: string });
      next();
    });
    service = await startService(testProject(), { middleware: (app) => void app.use(...scopes) });
  });
  afterAll(() => service.close());

  const scoped = (first: object, second: object): { [header: string]: string } => ({
    'X-Scope': JSON.stringify(first),
    'X-Second-Scope': JSON.stringify(second),
  });
  const names = async (headers: object): Promise<unknown[]> => {
    const { text } = await send(service.port, 'GET', '/devices', { headers: { ...headers } });
    return (JSON.parse(text) as Resource[]).map(({ spec }) => spec['name']);
  };

  test('they add up', async () => {
    for (const labels of [{ tenant: 'acme', env: 'prod' }, { tenant: 'acme' }, { env: 'prod' }])
      await create(service.port, '/devices', { ...SPEC, name: Object.keys(labels).join() }, { labels });
    const both = scoped({ tenant: 'acme' }, { env: 'prod' });
    expect(await names(both)).toEqual(['tenant,env']);
    const body = { spec: { ...SPEC, name: 'new' } };
    const response = await send(service.port, 'POST', '/devices', {
      headers: { ...JSON_TYPE, ...both },
      body,
    });
    expect((JSON.parse(response.text) as Resource).metadata.labels).toEqual({ tenant: 'acme', env: 'prod' });
    expect(await names(scoped({ tenant: 'acme' }, { tenant: 'acme', env: 'prod' }))).toEqual([
      'tenant,env',
      'new',
    ]);
    expect(await names(scoped({ tenant: 'acme' }, {}))).toEqual(['tenant,env', 'tenant', 'new']);
  });

  test.each<[first: object, second: object]>([
    [{ tenant: 'acme' }, { tenant: 'umbrella' }],
    [{ tenant: 'umbrella' }, { tenant: 'acme' }],
    [{ tenant: 'acme' }, { tenant: 'umbrella', env: 'prod' }],
  ])('%j and %j contradict each other: nothing is shown, nothing is written', async (first, second) => {
    const headers = scoped(first, second);
    for (const tenant of ['acme', 'umbrella']) {
      const { path, resource } = await create(service.port, '/devices', SPEC, {
        labels: { tenant, env: 'prod' },
      });
      const version = String(resource.status!['version']);
      for (const endpoint of ENDPOINTS) {
        const response = await call(service.port, endpoint, path, version, headers);
        if (endpoint[0] === 'list') expect(response.text).toBe('[]');
        else expect(response.status).toBe(endpoint[0] === 'create' ? 403 : 404);
      }
      expect((await send(service.port, 'GET', path)).text).toBe(JSON.stringify(resource));
    }
    const created = await call(service.port, ENDPOINTS[0], '', '', headers);
    expect((JSON.parse(created.text) as { detail: string }).detail).toContain(
      'contradict each other in tenant',
    );
  });

  test.each([{ tenant: null }, { tenant: 7 }, { tenant: ['acme'] }])(
    '%j is no scope: 500, not everything',
    async (scope) => {
      expect((await send(service.port, 'GET', '/devices', { headers: scoped(scope, {}) })).status).toBe(500);
    },
  );
});

describe('a policy that shows owners their own resources', () => {
  let service: TestService;
  beforeAll(async () => {
    const canGet: Policy<Resource>['canGet'] = async ({ request, resource }) => {
      await Promise.resolve();
      if (request.headers['user'] === 'banned') throw new HttpProblem(403, 'Banned.');
      return { allowed: resource?.spec['model'] === request.headers['user'] };
    };
    service = await startService(testProject(), { hooks: { Device: { policy: { canGet } } } });
    for (let index = 0; index < 30; index++)
      await create(service.port, '/devices', {
        ...SPEC,
        name: `${index}`,
        model: index % 10 === 7 ? 'ann' : 'bob',
      });
  });
  afterAll(() => service.close());

  const list = (query: string, user: string, headers = {}): Promise<HttpResponse> =>
    send(service.port, 'GET', query, { headers: { user, ...headers } });
  const namesOf = ({ text }: HttpResponse): unknown[] =>
    (JSON.parse(text) as Resource[]).map(({ spec }) => spec['name']);

  test.each(['/devices', '/apis/example.svc.dev/v1/devices'])(
    'a list leaves out what it may not get: %s',
    async (path) => {
      expect(namesOf(await list(path, 'ann'))).toEqual(['7', '17', '27']);
      expect(namesOf(await list(path, 'bob'))).toHaveLength(27);
      for (const user of ['nobody', 'banned']) expect((await list(path, user)).text).toBe('[]');
      const head = await send(service.port, 'HEAD', path, { headers: { user: 'nobody' } });
      expect(head.headers['content-length']).toBe('2');
    },
  );

  test.each([1, 4, 7, 29, 30, 100])('pages of %i visit everything once, some are shorter', async (limit) => {
    const found: unknown[] = [];
    let pages = 0;
    for (let next: string | undefined = `/devices?limit=${limit}`; next !== undefined; pages++) {
      const page: HttpResponse = await list(next, 'ann');
      found.push(...namesOf(page));
      next = /<([^>]*)>; rel="next"/.exec(String(page.headers.link))?.[1];
    }
    expect(found).toEqual(['7', '17', '27']);
    expect(pages).toBe(Math.ceil(30 / limit));
  });

  test('a selector and a policy both apply', async () => {
    const labels = { env: 'prod' };
    for (const model of ['ann', 'bob'])
      await create(service.port, '/devices', { ...SPEC, name: `labelled ${model}`, model }, { labels });
    expect(namesOf(await list('/devices?label=env=prod', 'ann'))).toEqual(['labelled ann']);
    expect(namesOf(await list('/devices?label=env=prod&limit=1', 'bob'))).toEqual(['labelled bob']);
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
    const response = await send(service.port, 'PUT', `${path}/status`, { headers, body: { status: {} } });
    expect(JSON.parse(response.text)).toMatchObject({
      status: 403,
      title: 'Forbidden',
      detail: 'Forbidden - requires update_status permission: not yours',
    });
  });
});

test.each([undefined, null, true, {}, { allowed: 'yes' }])(
  'a policy that returns %j refuses',
  async (decision) => {
    const policy = Object.fromEntries(
      ['canGet', 'canList', 'canUpdate', 'canDelete'].map((ask) => [ask, () => decision as never]),
    );
    const service = await startService(testProject(), { hooks: { Device: { policy } } });
    try {
      const { path } = await create(service.port, '/devices', SPEC);
      const refused = [];
      for (const [method, place] of [
        ['GET', path],
        ['GET', '/devices'],
        ['DELETE', path],
      ])
        refused.push((await send(service.port, method, place)).status);
      expect(refused).toEqual([403, 403, 403]);
    } finally {
      await service.close();
    }
  },
);
