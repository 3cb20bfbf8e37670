import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import type { PolicyContext } from '../../../templates/runtime/model/kinds/kind';
import type { Resource } from '../../../templates/runtime/model/resource';
import { create, type HttpResponse, JSON_PATCH, JSON_TYPE, MERGE, send, type Sent } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

// A change may begin with a row from memory that another process has replaced. No response may show it.

const folder = mkdtempSync(join(tmpdir(), 'svcgen-remembered-'));
const COLLECTION = 'example.svc.dev/Device';
const TENANT = { tenant: 'a' };
/** The states of books that the policy of `here` was asked about. */
const asked: unknown[] = [];
const canUpdate = ({ resource }: PolicyContext<Resource>): { allowed: boolean } => {
  asked.push(resource?.spec);
  return { allowed: true };
};
/** Service `here` remembers a row that service `there` replaces. */
let [here, there]: TestService[] = [];

beforeAll(async () => {
  const environment = { DATABASE_URL: `sqlite:${folder}/service.db` };
  const middleware = (app: Express): void => {
    app.use((req, _res, next) => {
      if (req.headers['tenant'] !== undefined) setLabelScope(req, { tenant: String(req.headers['tenant']) });
      next();
    });
  };
  const hooks = { Book: { policy: { canUpdate } } };
  here = await startService(testProject(), { environment, middleware, hooks });
  there = await startService(testProject(), { environment });
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
  rmSync(folder, { recursive: true });
});

const rememberedIn = ({ service }: TestService, uid: string): number | undefined =>
  service.store.remembered!(COLLECTION, uid)?.revision;

/** Makes a device that `here` remembers in its first state, while it is in the one that `there` makes of it. */
async function replaced(
  method: string,
  { headers, body }: Sent,
): Promise<{ path: string; tags: { former: string; present: string } }> {
  const { path, resource, etag } = await create(
    here.port,
    '/devices',
    { name: 'first', location: 'x' },
    { labels: TENANT },
  );
  for (let times = 0; times < 3; times++) await send(here.port, 'GET', path);
  const response = await send(there.port, method, path, { headers, body });
  expect([response.status, rememberedIn(here, resource.metadata.uid)]).toEqual([200, 1]);
  return { path, tags: { former: etag, present: response.headers.etag ?? '' } };
}

const second = { headers: MERGE, body: { spec: { model: 'second' } } };

const specOf = ({ text }: HttpResponse): object => (JSON.parse(text) as Resource).spec;

/** Patches of the device, by what they are, and the statuses of the responses. A tag is the former or the present one. */
const PATCHES: { [what: string]: [status: number, sent: Sent, tag?: 'former' | 'present'] } = {
  'a merge patch': [200, { headers: MERGE, body: { spec: { location: 'y' } } }],
  'a merge patch on condition of the present tag': [
    200,
    { headers: MERGE, body: { spec: { location: 'y' } } },
    'present',
  ],
  'a merge patch on condition of the former tag': [412, { headers: MERGE, body: { spec: {} } }, 'former'],
  'a patch that breaks a rule': [400, { headers: MERGE, body: { spec: { location: null } } }],
  'a JSON patch that tests the present state': [
    200,
    {
      headers: JSON_PATCH,
      body: [
        { op: 'test', path: '/spec/model', value: 'second' },
        { op: 'replace', path: '/spec/location', value: 'y' },
      ],
    },
  ],
  'a JSON patch that tests the former state': [
    422,
    { headers: JSON_PATCH, body: [{ op: 'test', path: '/metadata/generation', value: 1 }] },
  ],
};

describe.each(['', '?dryRun=true'])('PATCH%s', (query) => {
  test.each(Object.entries(PATCHES))('%s', async (_, [status, { headers, body }, tag]) => {
    const { path, tags } = await replaced('PATCH', second);
    const condition = tag && { 'If-Match': tags[tag] };
    const sent = { headers: { ...headers, ...condition }, body };
    const response = await send(here.port, 'PATCH', `${path}${query}`, sent);
    expect(response.status).toBe(status);
    if (status === 200) expect(specOf(response)).toEqual({ name: 'first', location: 'y', model: 'second' });
  });
});

test('a status write keeps the spec of another process', async () => {
  const { path } = await replaced('PATCH', second);
  const body = { status: { phase: 'Ready' } };
  const response = await send(here.port, 'PUT', `${path}/status`, { headers: JSON_TYPE, body });
  expect(JSON.parse(response.text)).toMatchObject({ spec: { model: 'second' }, status: { phase: 'Ready' } });
});

test('a change of a resource that another process has deleted is 404', async () => {
  const { path } = await replaced('DELETE', {});
  expect((await send(here.port, 'PATCH', path, second)).status).toBe(404);
});

test('the scope is that of the present labels', async () => {
  const { path } = await replaced('PATCH', {
    headers: MERGE,
    body: { metadata: { labels: { tenant: 'b' } } },
  });
  const patch = (tenant: string): Promise<HttpResponse> =>
    send(here.port, 'PATCH', path, { ...second, headers: { ...MERGE, tenant } });
  expect([(await patch('a')).status, (await patch('b')).status]).toEqual([404, 200]);
});

test('a policy is asked once, about the present state', async () => {
  const { path } = await create(here.port, '/books', { title: 'first', author: 'a' });
  for (let times = 0; times < 3; times++) await send(here.port, 'GET', path);
  await send(there.port, 'PATCH', path, { headers: MERGE, body: { spec: { title: 'second' } } });
  const response = await send(here.port, 'PATCH', path, { headers: MERGE, body: { spec: { price: 1 } } });
  expect([response.status, asked]).toEqual([200, [{ title: 'second', author: 'a' }]]);
});
