import type { Express } from 'express';
import { loadProject } from '../../../src/load/load-project';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import { setActor } from '../../../templates/runtime/http/security/actor';
import type { KindHooks } from '../../../templates/runtime/model/kinds/kind';
import { create, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

// How long caches may keep each response, and for whom.

const SPEC = { name: 'a', location: 'b' };
const services: TestService[] = [];
afterAll(() => Promise.all(services.map((service) => service.close())));

/** Every GET path of a service with resources behind it: a resource, lists, history; the headers of each. */
async function cachingOf(service: TestService): Promise<string[]> {
  services.push(service);
  const { path } = await create(service.port, '/devices', SPEC, { labels: { tenant: 'acme' } });
  const [snapshot] = JSON.parse((await send(service.port, 'GET', `${path}/versions`)).text) as {
    versionId: string;
  }[];
  const paths = [
    path,
    '/devices',
    '/devices?limit=1',
    `${path}/versions`,
    `${path}/versions/${snapshot.versionId}`,
  ];
  const headers = await Promise.all(
    paths.map(async (each) => {
      const response = await send(service.port, 'GET', each);
      expect(response.status).toBe(200);
      return [response.headers['cache-control'], response.headers.vary];
    }),
  );
  const { etag } = (await send(service.port, 'GET', path)).headers;
  const unchanged = await send(service.port, 'GET', path, { headers: { 'If-None-Match': etag } });
  expect(unchanged.status).toBe(304);
  headers.push([unchanged.headers['cache-control'], unchanged.headers.vary]);
  return [...new Set(headers.map((each) => each.join(' | ')))];
}

const scoped = (app: Express): void => {
  app.use((req, _res, next) => next(setLabelScope(req, { tenant: 'acme' })));
};
const identified = (app: Express): void => {
  app.use((req, _res, next) => next(setActor(req, 'alice')));
};
const guarded = (policy: KindHooks['policy']): { hooks: { Device: KindHooks } } => ({
  hooks: { Device: { policy } },
});
const allow = (): { allowed: boolean } => ({ allowed: true });

test.each<
  [what: string, cacheControl: string | undefined, options: Parameters<typeof startService>[1], want: string]
>([
  ['by default', undefined, {}, 'no-cache | Accept'],
  ['as the project says', 'public, max-age=60', {}, 'public, max-age=60 | Accept, Authorization'],
  ['as the project says, asked for again', 'public, no-cache', {}, 'public, no-cache | Accept'],
  [
    'a policy of writes',
    'public, max-age=60',
    guarded({ canUpdate: allow }),
    'public, max-age=60 | Accept, Authorization',
  ],
  [
    'a caller whom middleware has identified',
    'public, max-age=60',
    { middleware: identified },
    'private, max-age=60 | Accept, Authorization',
  ],
  ['a label scope', undefined, { middleware: scoped }, 'private, no-cache | Accept, Authorization'],
  [
    'a label scope of a public project',
    'public, s-maxage=9, proxy-revalidate, max-age=60, immutable',
    { middleware: scoped },
    'private, max-age=60, immutable | Accept, Authorization',
  ],
  [
    'a label scope of a private project',
    'no-store, private',
    { middleware: scoped },
    'private, no-store | Accept, Authorization',
  ],
  ['a policy of reads', 'public', guarded({ canGet: allow }), 'private | Accept, Authorization'],
  ['a policy of lists', undefined, guarded({ canList: allow }), 'private, no-cache | Accept, Authorization'],
])('%s', async (_what, cacheControl, options, want) => {
  const service = await startService(
    testProject(cacheControl === undefined ? {} : { cacheControl }),
    options,
  );
  expect(await cachingOf(service)).toEqual([want]);
});

test('a response to a caller without a scope is not for callers with one', async () => {
  const service = await startService(testProject({ cacheControl: 'public, max-age=60' }), {
    middleware: (app) =>
      app.use((req, _res, next) => {
        const tenant = req.get('Authorization');
        if (tenant !== undefined && tenant !== 'admin') setLabelScope(req, { tenant });
        next();
      }),
  });
  services.push(service);
  await create(service.port, '/devices', SPEC, { labels: { tenant: 'acme' } });
  const cachingFor = async (headers: { [name: string]: string }): Promise<unknown> => {
    const response = await send(service.port, 'GET', '/devices', { headers });
    return [response.headers['cache-control'], response.headers.vary];
  };
  const mine = ['private, max-age=60', 'Accept, Authorization'];
  expect(await cachingFor({ Authorization: 'acme' })).toEqual(mine);
  expect(await cachingFor({ Authorization: 'admin' })).toEqual(mine);
  // A cache that has the response for everybody must not show it to a tenant either.
  expect(await cachingFor({})).toEqual(['public, max-age=60', 'Accept, Authorization']);
});

test('what is true at the moment alone is never stored; pages are asked for again', async () => {
  const service = await startService(
    { ...testProject(), events: true },
    { openapi: { info: {}, paths: {}, tags: [], components: {} } },
  );
  services.push(service);
  const caching = async (path: string): Promise<unknown> =>
    (await send(service.port, 'GET', path)).headers['cache-control'];
  for (const path of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/events/dead-letters',
    '/nowhere',
    '/devices/dev-0',
  ])
    expect([path, await caching(path)]).toEqual([path, 'no-store']);
  for (const path of [
    '/',
    '/apis',
    '/openapi.json',
    '/apis/example.svc.dev/v1/openapi.json',
    '/docs',
    '/docs/page.css',
  ])
    expect([path, await caching(path)]).toEqual([path, 'no-cache']);
});

test('the names that middleware has put into Vary stay: a cache needs all of them', async () => {
  const middleware = (app: Express): void => {
    app.use((req, res, next) => {
      const { origin } = req.headers;
      if (origin !== undefined) res.set({ 'Access-Control-Allow-Origin': origin, Vary: 'Origin, accept' });
      next();
    });
  };
  const service = await startService(testProject({ cacheControl: 'public, max-age=60' }), {
    middleware,
    openapi: { info: {}, paths: {}, tags: [], components: {} },
  });
  services.push(service);
  const headers = { Origin: `http://127.0.0.1:${service.port}` };
  const { path } = await create(service.port, '/devices', SPEC);
  const varyOf = async (target: string, more = {}): Promise<unknown> =>
    (await send(service.port, 'GET', target, { headers: { ...headers, ...more } })).headers.vary;
  const { etag } = (await send(service.port, 'GET', path)).headers;
  for (const target of [path, '/devices', '/devices?limit=1', `${path}/versions`])
    expect([target, await varyOf(target)]).toEqual([target, 'Origin, accept, Authorization']);
  expect(await varyOf('/')).toBe('Origin, accept');
  expect(await varyOf(path, { 'If-None-Match': etag })).toBe('Origin, accept, Authorization');
  expect(await varyOf('/docs/page.css')).toBe('Origin, accept, Accept-Encoding');
  expect((await send(service.port, 'GET', path)).headers.vary).toBe('Accept, Authorization');
  for (let index = 0; index < 40; index++)
    await create(service.port, '/devices', { ...SPEC, model: 'm'.repeat(10_000) });
  expect(await varyOf('/devices')).toBe('Origin, accept, Authorization');
});

test('an empty cacheControl is the default', () => {
  const text = 'name: a\ncacheControl: ""\ngroups:\n  - { name: a.dev, versions: [v1], kinds: [] }\n';
  expect(loadProject(__dirname, text).project.cacheControl).toBe('no-cache');
});
