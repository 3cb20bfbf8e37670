import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { documentedRoutes, openApi } from '../../src/openapi';
import type { JsonObject } from '../../src/openapi/document';
import { everything } from '../openapi-projects';
import { startService, type TestService } from './harness';

/** What the service answers is what the document says: status, headers, bodies. */

/** One version: what conversions do is not at stake. */
const project = {
  ...everything,
  groups: everything.groups.map((group) => ({
    ...group,
    versions: ['v1'],
    kinds: group.kinds.map((kind) => ({ ...kind, versions: kind.versions.slice(0, 1) })),
  })),
};
const document = openApi(project);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(document, 'document');

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
  const response = await send(method, await filledIn(path), body, headers);
  const described = responseOf(method, path, want);
  expect(response.status).toBe(want);

  const text = await response.text();
  const content = described['content'] as { [type: string]: JsonObject } | undefined;
  if (content === undefined) expect(text).toBe('');
  else {
    const type = response.headers.get('content-type')!;
    expect(Object.keys(content)).toContain(type);
    const validate = ajv.compile(absolute(content[type]!['schema']));
    expect([validate(JSON.parse(text)), validate.errors]).toEqual([true, null]);
  }

  const named = Object.keys((described['headers'] ?? {}) as object).map((name) => name.toLowerCase());
  const sent = DESCRIBED_HEADERS.filter((name) => response.headers.has(name));
  expect(named).toEqual(expect.arrayContaining(sent));
});

/** Headers that the document must name wherever they are sent; problem answers are never kept. */
const DESCRIBED_HEADERS = [
  'etag',
  'last-modified',
  'location',
  'link',
  'warning',
  'accept-patch',
  'retry-after',
];

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

/** What the document says of an answer, its reference followed. */
function responseOf(method: string, path: string, status: number): JsonObject {
  const plain = path.split('?', 1)[0]!.replace(':uid', '{uid}').replace(':versionId', '{versionId}');
  const [, template = ''] = documentedRoutes(document).find(
    ([verb, candidate]) => verb === method && matches(candidate, plain),
  )!;
  const paths = document['paths'] as { [path: string]: { [method: string]: { responses: JsonObject } } };
  const response = paths[template]![method.toLowerCase()]!.responses[status] as JsonObject;
  const components = document['components'] as { responses: { [name: string]: JsonObject } };
  const name = (response['$ref'] as string | undefined)?.slice('#/components/responses/'.length);
  return name === undefined ? response : components.responses[name]!;
}

function matches(template: string, path: string): boolean {
  const segments = path.split('/');
  const parts = template.split('/');
  return (
    parts.length === segments.length &&
    parts.every((part, index) => part.startsWith('{') || part === segments[index])
  );
}

function absolute(schema: unknown): JsonObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as JsonObject;
}
