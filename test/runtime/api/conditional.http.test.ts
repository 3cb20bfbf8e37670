import type { OutgoingHttpHeaders } from 'node:http';
import type { Resource } from '../../../templates/runtime/model/resource';
import { create, failures, type HttpResponse, JSON_PATCH, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

let service: TestService;
/** The same service with `requireIfMatch`. */
let strict: TestService;
/** The clock of `service`: within a second that is not over. */
const NOW = Date.UTC(2024, 4, 6, 7, 8, 9, 750);
const EARLIER = 'Mon, 06 May 2024 07:08:08 GMT';
const SAME = 'Mon, 06 May 2024 07:08:09 GMT';
const LATER = 'Mon, 06 May 2024 07:08:10 GMT';

/** Refuses those who say so. */
const policy = {
  canUpdate: ({ request }: { request: { headers: { [name: string]: unknown } } }) => ({
    allowed: request.headers['x-refuse'] === undefined,
  }),
};

beforeAll(async () => {
  const hooks = {
    Book: { policy: { ...policy, canDelete: policy.canUpdate, canUpdateStatus: policy.canUpdate } },
  };
  service = await startService(testProject(), { hooks });
  strict = await startService(testProject({ requireIfMatch: true }), { hooks });
  service.service.now = () => NOW;
});
afterAll(() => Promise.all([service.close(), strict.close()]));

const SPEC = { title: 'A', author: 'B', price: 0 };

/** Requests that succeed without conditions. */
const METHODS: {
  [name: string]: [method: string, suffix: string, body?: object, type?: OutgoingHttpHeaders];
} = {
  GET: ['GET', ''],
  HEAD: ['HEAD', ''],
  PUT: ['PUT', '', { spec: SPEC }, JSON_TYPE],
  PATCH: ['PATCH', '', { spec: { price: 1 } }, MERGE],
  DELETE: ['DELETE', ''],
  'PUT status': ['PUT', '/status', { status: {} }, JSON_TYPE],
  'PATCH status': ['PATCH', '/status', { phase: 'x' }, MERGE],
};

/** `TAG` stands for the resource's entity tag. Headers in a list are sent as several lines. */
type Row = [name: string, headers: OutgoingHttpHeaders, read: number, write: number];

const ROWS: Row[] = [
  ['no condition', {}, 200, 200],
  ['If-Match holds', { 'If-Match': 'TAG' }, 200, 200],
  ['If-Match *', { 'If-Match': '*' }, 200, 200],
  ['If-Match in a list', { 'If-Match': '"a", TAG ,"b"' }, 200, 200],
  ['If-Match on two lines', { 'If-Match': ['"a"', 'TAG'] }, 200, 200],
  ['If-Match after a quoted comma', { 'If-Match': '"a,b", TAG' }, 200, 200],
  ['If-Match fails', { 'If-Match': '"old"' }, 412, 412],
  ['If-Match is strong', { 'If-Match': 'W/TAG' }, 412, 412],
  ['If-Match invalid', { 'If-Match': 'old' }, 412, 412],
  ['If-Match empty', { 'If-Match': '' }, 412, 412],
  ['If-None-Match holds', { 'If-None-Match': '"old"' }, 200, 200],
  ['If-None-Match fails', { 'If-None-Match': 'TAG' }, 304, 412],
  ['If-None-Match is weak', { 'If-None-Match': '"a", W/TAG' }, 304, 412],
  ['If-None-Match *', { 'If-None-Match': '*' }, 304, 412],
  ['If-None-Match on two lines', { 'If-None-Match': ['"a"', 'TAG'] }, 304, 412],
  ['If-Unmodified-Since earlier', { 'If-Unmodified-Since': EARLIER }, 412, 412],
  ['If-Unmodified-Since the same second', { 'If-Unmodified-Since': SAME }, 200, 200],
  ['If-Unmodified-Since later', { 'If-Unmodified-Since': LATER }, 200, 200],
  ['If-Unmodified-Since invalid', { 'If-Unmodified-Since': 'yesterday' }, 200, 200],
  ['If-Unmodified-Since twice', { 'If-Unmodified-Since': [EARLIER, EARLIER] }, 200, 200],
  ['If-Modified-Since earlier', { 'If-Modified-Since': EARLIER }, 200, 200],
  ['If-Modified-Since the same second', { 'If-Modified-Since': SAME }, 304, 200],
  ['If-Modified-Since in another form', { 'If-Modified-Since': 'Mon May  6 07:08:09 2024' }, 304, 200],
  ['If-Modified-Since invalid', { 'If-Modified-Since': '2024-05-06T07:08:09Z' }, 200, 200],
  ['If-Modified-Since twice', { 'If-Modified-Since': [SAME, SAME] }, 200, 200],
  ['If-Match before a date', { 'If-Match': 'TAG', 'If-Unmodified-Since': EARLIER }, 200, 200],
  ['If-Match fails before a date', { 'If-Match': '"old"', 'If-Unmodified-Since': LATER }, 412, 412],
  ['If-Match, then If-None-Match', { 'If-Match': 'TAG', 'If-None-Match': 'TAG' }, 304, 412],
  ['If-Match fails before If-None-Match', { 'If-Match': '"old"', 'If-None-Match': 'TAG' }, 412, 412],
  ['If-None-Match before a date', { 'If-None-Match': '"old"', 'If-Modified-Since': LATER }, 200, 200],
  ['If-None-Match fails before a date', { 'If-None-Match': 'TAG', 'If-Modified-Since': EARLIER }, 304, 412],
  ['both dates', { 'If-Unmodified-Since': SAME, 'If-Modified-Since': SAME }, 304, 200],
];

describe.each(Object.keys(METHODS))('%s', (name) => {
  const [method, suffix, body, type] = METHODS[name];
  test.each(ROWS)('%s', async (_name, headers, read, write) => {
    const { path, etag } = await create(service.port, '/books', SPEC);
    const before = await send(service.port, 'GET', path);
    const filled = JSON.parse(
      JSON.stringify(headers).replaceAll('TAG', etag.replaceAll('"', '\\"')),
    ) as object;
    const response = await send(service.port, method, path + suffix, {
      headers: { ...type, ...filled },
      body,
    });
    const want = ['GET', 'HEAD'].includes(method) ? read : write;
    expect(response.status).toBe(want);
    if (want === 412) expect((await send(service.port, 'GET', path)).text).toBe(before.text);
    if (want !== 304) return;
    expect(response.text).toBe('');
    expect(response.headers).toMatchObject({
      etag,
      'last-modified': SAME,
      'cache-control': 'no-cache',
      vary: 'Accept',
    });
    expect(response.headers['content-length']).toBeUndefined();
  });
});

describe('POST to a collection', () => {
  test.each<[string, OutgoingHttpHeaders, number]>([
    ['If-None-Match *', { 'If-None-Match': '*' }, 412],
    ['a tag in If-None-Match', { 'If-None-Match': '"a"' }, 201],
    ['If-Match *', { 'If-Match': '*' }, 201],
    ['a tag in If-Match', { 'If-Match': '"a"' }, 412],
    ['dates', { 'If-Unmodified-Since': EARLIER, 'If-Modified-Since': LATER }, 201],
  ])('%s', async (_name, headers, want) => {
    for (const { port } of [service, strict]) {
      const response = await send(port, 'POST', '/books', {
        headers: { ...JSON_TYPE, ...headers },
        body: { spec: SPEC },
      });
      expect(response.status).toBe(want);
    }
  });
});

describe('where If-Match is required', () => {
  test.each(Object.keys(METHODS))('%s', async (name) => {
    const [method, suffix, body, type] = METHODS[name];
    const { path, etag } = await create(strict.port, '/books', SPEC);
    const call = (headers: OutgoingHttpHeaders): Promise<HttpResponse> =>
      send(strict.port, method, path + suffix, { headers: { ...type, ...headers }, body });
    const reads = ['GET', 'HEAD'].includes(method);
    expect((await call({})).status).toBe(reads ? 200 : 428);
    expect((await call({ 'If-Unmodified-Since': LATER })).status).toBe(reads ? 412 : 428);
    expect((await call({ 'If-Match': '"old"' })).status).toBe(412);
    expect((await call({ 'If-Match': etag })).status).toBe(200);
  });

  test('deleting a snapshot knows no conditions', async () => {
    const { path, resource } = await create(strict.port, '/devices', { name: 'a', location: 'b' });
    const headers = { 'If-Match': '"old"' };
    const snapshot = `${path}/versions/${String(resource.status!['version'])}`;
    expect((await send(strict.port, 'DELETE', snapshot, { headers })).status).toBe(200);
  });
});

/** Everything that can be wrong with a PATCH at once; each row corrects the first mistake. */
describe('the order of responses', () => {
  const NOWHERE = '/books/boo-0000000000000000';
  const wrong = {
    syntax: '[{',
    operations: [{ op: 'increment' }],
    content: [{ op: 'add', path: '/spec/price', value: -1 }],
    inapplicable: [{ op: 'remove', path: '/none' }],
    right: [{ op: 'add', path: '/spec/price', value: 1 }],
  };
  const many = Array.from({ length: 1_001 }, () => wrong.right[0]);
  const old = { 'If-Match': '"old"' };
  const refused = { 'X-Refuse': 'yes' };
  const v9 = { Accept: 'application/json;version=v9' };
  const text = { 'Content-Type': 'text/plain' };

  test.each<[want: number, name: string, nowhere: boolean, headers: OutgoingHttpHeaders, body: unknown]>([
    [400, 'syntax before all else', true, { ...refused, ...v9 }, wrong.syntax],
    [400, 'malformed encoding of the path', true, { path: '/books/%zz', ...refused, ...v9 }, wrong.right],
    [403, 'refused before unknown', true, { ...refused }, wrong.right],
    [403, 'refused before another version', false, { ...refused, ...v9 }, wrong.right],
    [403, 'refused before another type', false, { ...refused, ...text }, wrong.syntax],
    [403, 'refused before too large', false, { ...refused }, `"${'x'.repeat(1_048_576)}"`],
    [403, 'refused before too many operations', false, { ...refused }, many],
    [403, 'refused before failed conditions', false, { ...refused, ...old }, wrong.operations],
    [404, 'unknown before 428', true, {}, wrong.right],
    [404, 'unknown before 412', true, old, wrong.operations],
    [405, 'method before all else', true, { method: 'POST', ...refused, ...text }, wrong.syntax],
    [406, 'version before 428', false, v9, wrong.operations],
    [413, 'too large before malformed and 428', false, {}, `{"${'x'.repeat(1_048_576)}`],
    [413, 'too many operations before 412', false, old, many],
    [415, 'type before 428', false, text, wrong.syntax],
    [428, 'no If-Match before wrong operations', false, {}, wrong.operations],
    [428, 'no If-Match before another condition', false, { 'If-None-Match': '*' }, wrong.content],
    [412, 'conditions before wrong operations', false, old, wrong.operations],
    [412, 'conditions before content', false, old, wrong.content],
    [412, 'conditions before what does not apply', false, old, wrong.inapplicable],
    [400, 'wrong operations', false, { 'If-Match': '*' }, wrong.operations],
    [400, 'content', false, { 'If-Match': '*' }, wrong.content],
    [422, 'what does not apply', false, { 'If-Match': '*' }, wrong.inapplicable],
    [200, 'all is well', false, { 'If-Match': '*' }, wrong.right],
  ])('%i: %s', async (want, _name, nowhere, { path: given, method = 'PATCH', ...headers }, body) => {
    const path = nowhere ? ((given as string) ?? NOWHERE) : (await create(strict.port, '/books', SPEC)).path;
    const response = await send(strict.port, method as string, path, {
      headers: { ...JSON_PATCH, ...headers },
      body,
    });
    expect([response.status, response.text]).toEqual([want, expect.anything()]);
  });

  test.each<[want: number, name: string, headers: OutgoingHttpHeaders, body: unknown]>([
    [400, 'syntax', old, '{'],
    [403, 'refused', { ...refused, ...old }, { kind: 'Other' }],
    [428, 'no If-Match', {}, { kind: 'Other' }],
    [412, 'conditions before another kind', old, { kind: 'Other', spec: SPEC }],
    [412, 'conditions before a missing spec', old, {}],
    [412, 'conditions before what is no object', old, []],
    [400, 'another kind', { 'If-Match': '*' }, { kind: 'Other', spec: SPEC, status: {} }],
    [400, 'what is no object', { 'If-Match': '*' }, []],
  ])('PUT, %i: %s', async (want, _name, headers, body) => {
    const { path } = await create(strict.port, '/books', SPEC);
    for (const suffix of ['', '/status']) {
      const response = await send(strict.port, 'PUT', path + suffix, {
        headers: { ...JSON_TYPE, ...headers },
        body,
      });
      expect([suffix, response.status]).toEqual([suffix, want]);
    }
  });
});

test('8 clients, 20 increments each with If-Match: none is lost', async () => {
  const { path } = await create(service.port, '/books', SPEC);
  const increment = async (): Promise<boolean> => {
    const { headers, text } = await send(service.port, 'GET', path);
    const { spec } = JSON.parse(text) as { spec: { price: number } };
    const body = { spec: { ...spec, price: spec.price + 1 } };
    const response = await send(service.port, 'PUT', path, {
      headers: { ...JSON_TYPE, 'If-Match': headers.etag },
      body,
    });
    expect([200, 412]).toContain(response.status);
    return response.status === 200;
  };
  const client = async (): Promise<void> => {
    for (let left = 20; left > 0;) if (await increment()) left -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, client));
  const { spec, metadata } = JSON.parse((await send(service.port, 'GET', path)).text) as Resource;
  expect([spec['price'], metadata.generation]).toEqual([160, 161]);
});

test('200 clients patch one resource without conditions: each is answered, none is lost', async () => {
  const fields = Array.from({ length: 200 }, (_, index) => `f${index}`);
  const { path } = await create(service.port, '/things', { any: {} });
  const responses = await Promise.all(
    fields.map((field) =>
      send(service.port, 'PATCH', path, { headers: MERGE, body: { spec: { any: { [field]: 1 } } } }),
    ),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const { spec, metadata } = JSON.parse((await send(service.port, 'GET', path)).text) as Resource;
  expect([Object.keys(spec['any'] as object).sort(), metadata.generation]).toEqual([fields.sort(), 201]);
});

test('the response of every write has the ETag and Last-Modified of the next GET', async () => {
  const call = async (
    method: string,
    path: string,
    type: OutgoingHttpHeaders,
    body: unknown,
  ): Promise<string> => {
    const response = await send(service.port, method, path, { headers: type, body });
    const item = (response.headers.location ?? path).replace('/status', '');
    const { headers, text } = await send(service.port, 'GET', item);
    expect([headers.etag, headers['last-modified'], text]).toEqual([
      response.headers.etag,
      response.headers['last-modified'],
      response.text,
    ]);
    expect(headers.etag).toMatch(/^"[0-9a-f]{64}"$/);
    return item;
  };
  const spec = { name: 'é\u0000\ud800', location: 'x' };
  const item = await call('POST', '/devices', JSON_TYPE, { spec });
  await call('PUT', item, JSON_TYPE, { spec });
  await call('PATCH', item, MERGE, { spec: { config: { a: 'b' } } });
  await call('PUT', `${item}/status`, JSON_TYPE, { status: { phase: 'Ready' } });
  await call('PATCH', `${item}/status`, MERGE, { ready: true });
});

test('Last-Modified, updatedAt and the order of snapshots do not follow a clock that steps back', async () => {
  const { path } = await create(service.port, '/devices', { name: 'a', location: 'b' });
  const seen: string[] = [];
  try {
    for (const step of [1_000, -60_000, 500, -3_600_000, 2_000]) {
      service.service.now = () => NOW + step;
      const body = { spec: { name: `at ${step}`, location: 'b' } };
      const response = await send(service.port, 'PUT', path, { headers: JSON_TYPE, body });
      seen.push((JSON.parse(response.text) as Resource).metadata.updatedAt);
      expect(Date.parse(response.headers['last-modified']!)).toBe(
        Math.floor(Date.parse(seen.at(-1)!) / 1000) * 1000,
      );
    }
  } finally {
    service.service.now = () => NOW;
  }
  const at = (offset: number): string => new Date(NOW + offset).toISOString();
  expect(seen).toEqual([at(1_000), at(1_000), at(1_000), at(1_000), at(2_000)]);
  const snapshots = JSON.parse((await send(service.port, 'GET', `${path}/versions`)).text) as {
    versionId: string;
    spec: { name: string };
  }[];
  expect(snapshots.map(({ spec }) => spec.name).slice(1)).toEqual(
    [1_000, -60_000, 500, -3_600_000, 2_000].map((step) => `at ${step}`),
  );
});

test('a condition that fails says so, and nothing of the content', async () => {
  const { path } = await create(service.port, '/books', SPEC);
  const response = await send(service.port, 'PUT', path, {
    headers: { ...JSON_TYPE, 'If-Match': '"old"' },
    body: { spec: {} },
  });
  expect(JSON.parse(response.text)).toMatchObject({
    title: 'Precondition Failed',
    status: 412,
    instance: path,
  });
  expect(failures(response)).toEqual([]);
});
