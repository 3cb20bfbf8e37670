import { type Answer, Description, type OpenApi } from '../../../templates/contract/described';
import { documentOf } from '../../openapi/document-of';
import { everything } from '../../openapi/openapi-projects';
import { startService, type TestService } from '../support/harness';

// Responses of the service agree with the document: status, headers, bodies.

/** One version: what conversions do is not at stake. */
const project = {
  ...everything,
  groups: everything.groups.map((group) => ({
    ...group,
    versions: ['v1'],
    kinds: group.kinds.map((kind) => ({ ...kind, versions: kind.versions.slice(0, 1) })),
  })),
};
const description = new Description(documentOf(project) as unknown as OpenApi);

const TIME = '2026-01-02T03:04:05.000Z';
const DEVICE = { spec: { name: 'lamp', location: 'hall', config: { a: 'b' } } };
const MERGE = { 'content-type': 'application/merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const SHORTHAND = { 'content-type': 'application/shorthand-patch+json' };
const FULL_STATUS = { status: { phase: 'Ready', conditions: [{ type: 'Up', status: 'True' }] } };

/** A request; `:uid` and `:versionId` stand for those of a resource that exists. */
type Row = [want: number, method: string, path: string, body?: unknown, headers?: { [name: string]: string }];

const ROWS: Row[] = [
  [201, 'POST', '/devices', DEVICE],
  [201, 'POST', '/apis/example.svc.dev/v1/devices', { ...DEVICE, metadata: { labels: { env: 'prod' } } }],
  [
    201,
    'POST',
    '/device-versions',
    { spec: { count: 3, code: 'ABC', address: '::1', site: 'https://a.example/x', extra: [1] } },
  ],
  [400, 'POST', '/devices', { spec: { name: 1, colour: 'red' } }],
  [400, 'POST', '/devices', '{'],
  [406, 'POST', '/devices', { ...DEVICE, apiVersion: 'v9' }],
  [412, 'POST', '/devices', DEVICE, { 'if-none-match': '*' }],
  [413, 'POST', '/devices', { spec: { name: 'x'.repeat(2_000_000) } }],
  [415, 'POST', '/devices', DEVICE, { 'content-type': 'text/plain' }],
  [200, 'GET', '/devices'],
  [200, 'GET', '/devices?limit=1&colour=red'],
  [400, 'GET', '/devices?labelSelector=%3D%3D'],
  [406, 'GET', '/devices', undefined, { accept: 'application/json;version=v9' }],
  [200, 'GET', '/devices/:uid'],
  [304, 'GET', '/devices/:uid', undefined, { 'if-none-match': '*' }],
  [412, 'GET', '/devices/:uid', undefined, { 'if-match': '"x"' }],
  [404, 'GET', '/devices/dev-0000000000000000'],
  [200, 'PUT', '/devices/:uid', DEVICE],
  [400, 'PUT', '/devices/:uid', { spec: {} }],
  [404, 'PUT', '/devices/dev-0000000000000000', DEVICE],
  [200, 'PATCH', '/devices/:uid', { spec: { model: 'x' } }, MERGE],
  [200, 'PATCH', '/devices/:uid', [{ op: 'remove', path: '/spec/config' }], JSON_PATCH],
  [200, 'PATCH', '/devices/:uid', { 'spec.config.region': 'eu' }, SHORTHAND],
  [415, 'PATCH', '/devices/:uid', {}],
  [422, 'PATCH', '/devices/:uid', [{ op: 'remove', path: '/spec/none' }], JSON_PATCH],
  [500, 'PATCH', '/devices/:uid', { spec: null }, MERGE],
  [200, 'PUT', '/devices/:uid/status', FULL_STATUS],
  [400, 'PUT', '/devices/:uid/status', {}],
  [200, 'PATCH', '/devices/:uid/status', { phase: 'Error' }, MERGE],
  [200, 'GET', '/devices/:uid/versions'],
  [200, 'GET', '/devices/:uid/versions/:versionId'],
  [404, 'GET', '/devices/:uid/versions/x'],
  [200, 'DELETE', '/devices/:uid/versions/:versionId'],
  [412, 'DELETE', '/devices/:uid', undefined, { 'if-match': '"x"' }],
  [200, 'DELETE', '/devices/:uid'],
  [200, 'GET', '/'],
  [200, 'GET', '/apis'],
  [200, 'GET', '/healthz'],
  [200, 'GET', '/readyz'],
];

let service: TestService;

beforeAll(async () => void (service = await startService(project)));
afterAll(() => service.close());

test.each(ROWS)('%i for %s %s', async (...row: Row) => {
  const [want, method, path, body, headers] = row;
  const target = await filledIn(path);
  const response = await send(method, target, body, headers);
  const text = await response.text();
  expect([response.status, text.slice(0, 500)]).toEqual([want, text.slice(0, 500)]);
  const answer = { status: response.status, headers: Object.fromEntries(response.headers), text };
  description.check(method, target, answer, headers?.['accept']);
});

describe('what is not described is seen', () => {
  const headers = {
    'content-type': 'application/json',
    etag: '"a"',
    'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT',
    vary: 'Accept',
    'cache-control': 'no-cache',
  };
  const metadata = { name: 'a', uid: 'dev-1', createdAt: TIME, updatedAt: TIME, generation: 1 };
  const resource = { apiVersion: 'example.svc.dev/v1', kind: 'Device', metadata, spec: DEVICE.spec };
  const without = (name: string): object => ({ ...headers, [name]: undefined });
  const GOOD: Answer = { status: 200, headers, text: JSON.stringify(resource) };
  const ITEM = '/devices/dev-1';

  test.each<[title: string, method: string, path: string, answer: object, want: string | undefined]>([
    ['nothing', 'GET', ITEM, {}, undefined],
    ['a status', 'GET', ITEM, { status: 201 }, 'The document has no 201'],
    ['a type', 'GET', ITEM, { headers: { ...headers, 'content-type': 'text/plain' } }, 'the type text/plain'],
    ['no ETag', 'GET', ITEM, { headers: JSON.parse(JSON.stringify(without('etag'))) as object }, 'ETag'],
    ['a header', 'GET', ITEM, { headers: { ...headers, location: '/' } }, 'location'],
    ['a member', 'GET', ITEM, { text: JSON.stringify({ ...resource, more: 1 }) }, 'additional properties'],
    ['a value', 'GET', ITEM, { text: JSON.stringify({ ...resource, kind: 'Other' }) }, '/kind'],
    ['a body of HEAD', 'HEAD', ITEM, {}, 'A body'],
    ['a path', 'GET', '/nowhere', {}, 'instead of a problem 404'],
    ['Allow', 'OPTIONS', ITEM, { status: 204, text: '', headers: { allow: 'GET' } }, 'PATCH'],
  ])('%s', (_, method, path, answer, want) => {
    const check = (): void => description.check(method, path, { ...GOOD, ...answer });
    if (want === undefined) check();
    else expect(check).toThrow(want);
  });
});

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: { [name: string]: string } = {},
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(service.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  });
}

/** The path with a new resource's uid and snapshot in it. */
async function filledIn(path: string): Promise<string> {
  if (!path.includes(':uid')) return path;
  const created = (await (await send('POST', '/devices', DEVICE)).json()) as {
    metadata: { uid: string };
    status: { version: string };
  };
  return path.replace(':uid', created.metadata.uid).replace(':versionId', created.status.version);
}
