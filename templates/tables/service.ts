import { servedRoutes } from '../runtime/mount';
import type { TestedService } from './tested';

/** What belongs to no kind, and that the OpenAPI document has every route and no other. */
export function checkService(service: TestedService): void {
  const { subject, description } = service;
  const routes = description.routes();
  const pages = routes.filter((route) => isPage(service, route));

  test('the routes are those of the OpenAPI document', () => {
    const served = servedRoutes(service.service, subject.kinds);
    // What /docs loads is no part of the API.
    expect(served.filter((route) => !route.startsWith('GET /docs/')).sort()).toEqual(routes.toSorted());
  });

  test.each(pages)('%s, HEAD, OPTIONS and no other method', async (route) => {
    const path = route.slice('GET '.length);
    const answer = await service.send('GET', path);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    expect(await service.send('HEAD', path)).toMatchObject({ status: 200, text: '' });
    expect((await service.send('OPTIONS', path)).status).toBe(204);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await service.send(method, path)).status).toBe(405);
    }
    const { etag } = answer.headers;
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

  test('OPTIONS *', async () => {
    const { status, headers } = await service.send('OPTIONS', '*');
    expect([status, headers['allow']]).toEqual([204, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS']);
  });

  if (subject.definition.events) describe('events', () => events(service));
}

/** Whether a route belongs to no kind, and ends: the stream of events does not. */
function isPage({ subject }: TestedService, route: string): boolean {
  if (!route.startsWith('GET ') || route.includes('{') || route === 'GET /events') return false;
  return !subject.kinds.some(({ kind }) => route.endsWith(`/${kind.plural}`));
}

function events(service: TestedService): void {
  test.each(['lastEventId=x', 'lastEventId=-1', 'labelSelector=%3D%3D'])('?%s: 400', async (query) => {
    expect((await service.send('GET', `/events?${query}`)).status).toBe(400);
  });

  test('no other method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await service.send(method, '/events')).status).toBe(405);
    }
    expect((await service.send('OPTIONS', '/events')).status).toBe(204);
  });
}
