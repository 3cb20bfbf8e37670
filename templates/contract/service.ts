import { servedRoutes } from '../runtime/mount';
import { pages } from './pages';
import { parsers } from './parsers';
import { patchVectors } from './patch-vectors';
import { type TestedService, UNIDENTIFIED } from './tested';

/** Checks the pages that belong to no kind, and that the OpenAPI document has every route and no other. */
export function checkService(service: TestedService): void {
  const { subject, description } = service;
  const routes = description.routes();
  const ended = routes.filter((route) => isPage(service, route));

  test('the routes are those of the OpenAPI document', () => {
    const served = servedRoutes(service.service, subject.kinds);
    // The files that /docs and /console load are no part of the API.
    const described = served.filter((route) => !/^GET \/(docs|console)\//.test(route));
    expect(described.sort()).toEqual(routes.toSorted());
  });

  test.each(ended)('%s, HEAD, OPTIONS and no other method', async (route) => {
    const path = route.slice('GET '.length);
    const response = await service.send('GET', path);
    expect([response.status, response.text]).toEqual([200, response.text]);
    expect(await service.send('HEAD', path)).toMatchObject({ status: 200, text: '' });
    expect((await service.send('OPTIONS', path)).status).toBe(204);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await service.send(method, path)).status).toBe(405);
    }
    const { etag } = response.headers;
    if (etag === undefined) return;
    const known = await service.send('GET', path, { headers: { 'If-None-Match': etag } });
    expect([known.status, known.headers['etag']]).toEqual([304, etag]);
  });

  // Neither groups nor plurals have an underscore.
  test.each(['/no_kind', '/apis/no_group', '/apis/no_group/v1/no_kind', '/docs/no_page'])(
    'nothing at %s',
    async (path) => {
      expect((await service.send('GET', path)).status).toBe(404);
    },
  );

  if (description.hasPages)
    test('the page for browsers has a link to every kind', async () => {
      const { status, headers, text } = await service.send('GET', '/', { headers: { Accept: 'text/html' } });
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      for (const { kind } of subject.kinds) expect(text).toContain(`<b>${kind.kind}</b>`);
      expect(text.match(/<a class="kind"/g)?.length ?? 0).toBe(subject.kinds.length);
    });

  test('OPTIONS *', async () => {
    const { status, headers } = await service.send('OPTIONS', '*');
    expect([status, headers['allow']]).toEqual([204, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS']);
  });

  describe('pages', () => pages(service));
  describe('parsers', parsers);
  describe('patches of a document', patchVectors);
  if (subject.definition.security !== undefined) describe('security', () => identification(service));
  if (description.hasEvents) describe('events', () => events(service));
}

/** Returns whether a route belongs to no kind, and ends: the stream of events does not. */
function isPage({ subject }: TestedService, route: string): boolean {
  if (!route.startsWith('GET ') || route.includes('{') || route === 'GET /events') return false;
  return !subject.kinds.some(({ kind }) => route.endsWith(`/${kind.plural}`));
}

/** Checks that everything is guarded but the pages that show no data, as the document marks them. */
function identification(service: TestedService): void {
  const { description } = service;
  const [guarded, open] = [true, false].map((wanted) =>
    description.routes().filter((route) => description.isGuarded(route) === wanted),
  );

  test.each(guarded)('%s by a caller who is not identified: 401', async (route) => {
    const [method, path] = route.split(' ') as [string, string];
    const { status, headers } = await service.send(method, path.replace(/\{\w+\}/g, 'x'), {
      headers: UNIDENTIFIED,
    });
    expect([status, headers['www-authenticate']]).toEqual([401, expect.any(String)]);
  });

  test.each(open)('%s is open', async (route) => {
    const { status } = await service.send('GET', route.slice('GET '.length), { headers: UNIDENTIFIED });
    expect(status).toBe(200);
  });

  test('every kind, the events and the metrics are guarded', () => {
    const pages = open.filter((route) => !/^GET \/(apis\/.*\/openapi\.json)?$/.test(route));
    expect(pages.sort()).toEqual([
      'GET /apis',
      ...(description.hasConsole ? ['GET /console'] : []),
      ...(description.hasPages ? ['GET /docs'] : []),
      'GET /healthz',
      'GET /openapi.json',
      'GET /readyz',
    ]);
  });
}

function events(service: TestedService): void {
  test.each([
    ['lastEventId=x', 400],
    ['lastEventId=-1', 400],
    ['lastEventId=999999999', 410],
    ['lastEventId=1-1', 410],
    ['labelSelector=%3D%3D', 400],
    ['label=', 400],
    ['type=', 400],
    ['kind=No_kind', 400],
    ['version=no_version', 406],
  ])('?%s: %i', async (query, want) => {
    for (const method of ['GET', 'HEAD'])
      expect([method, (await service.send(method, `/events?${query}`)).status]).toEqual([method, want]);
  });

  test('the head of a stream', async () => {
    const { status, headers } = await service.send('HEAD', '/events?unknown=1');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      ...[200, 'text/event-stream', 'no-store, no-transform'],
    ]);
    expect(headers['warning']).toContain('unknown query parameter unknown');
  });

  test('no other method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await service.send(method, '/events')).status).toBe(405);
    }
    expect((await service.send('OPTIONS', '/events')).status).toBe(204);
  });
}
