import { STATUS_CODES } from 'node:http';
import { JSON_PATCH, JSON_TYPE, MERGE } from '../support/client';
import { deviceProject } from './device-project';
import { type Answer, Cluster, device, devices } from './devices';

// Limits, validation modes and required conditions hold through both doors: the plain API and that of Kubernetes clients.

type Sent = { body?: unknown; headers?: { [name: string]: string } };

/** The doors, with the path of each. */
const DOORS = { plain: '/devices', kubernetes: devices() };
type Door = keyof typeof DOORS;

/** Sends a request for one device, or for all, through a door. */
function through(cluster: Cluster, door: Door, method: string, suffix: string, sent: Sent): Promise<Answer> {
  return cluster.request(method, `${DOORS[door]}${suffix}`, sent);
}

async function both(cluster: Cluster, method: string, suffix: string, sent: Sent): Promise<Answer[]> {
  return [
    await through(cluster, 'plain', method, suffix, sent),
    await through(cluster, 'kubernetes', method, suffix, sent),
  ];
}

function nested(levels: number): object {
  return levels === 0 ? {} : { a: nested(levels - 1) };
}

describe('limits', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    const environment = {
      ...{ MAX_BODY_BYTES: '3000', MAX_DEPTH: '8', MAX_PATCH_OPERATIONS: '3', MAX_PATCHED_BYTES: '2000' },
      ...{ MAX_PAGE_SIZE: '2' },
    };
    cluster = await Cluster.start({ environment });
    for (const name of ['a', 'b', 'c'])
      expect((await cluster.request('POST', devices(), { body: device(name) })).code).toBe(201);
  });
  afterAll(() => cluster?.close());

  const long = (length: number): object => ({ metadata: { annotations: { text: 'x'.repeat(length) } } });
  const operation = { op: 'add', path: '/spec/model', value: 'm' };

  test.each<[title: string, method: string, suffix: string, sent: Sent, code: number, reason: string]>([
    [
      'the size of a body',
      'POST',
      '',
      { body: { ...device('new'), ...long(4_000) } },
      413,
      'RequestEntityTooLarge',
    ],
    [
      'the size of a patch',
      'PATCH',
      '/a',
      { body: long(4_000), headers: MERGE },
      413,
      'RequestEntityTooLarge',
    ],
    [
      'the size of what is patched',
      'PATCH',
      '/a',
      { body: long(2_500), headers: MERGE },
      413,
      'RequestEntityTooLarge',
    ],
    ['the depth of a body', 'POST', '', { body: device('new', nested(10)) }, 400, 'BadRequest'],
    [
      'the number of operations',
      'PATCH',
      '/a',
      { body: Array.from({ length: 4 }, () => operation), headers: JSON_PATCH },
      413,
      'RequestEntityTooLarge',
    ],
  ])('%s', async (_title, method, suffix, sent, code, reason) => {
    const replies = await both(cluster, method, suffix, { headers: JSON_TYPE, ...sent });
    expect(replies.map((reply) => reply.code)).toEqual([code, code]);
    expect(replies[1].body).toMatchObject({ kind: 'Status', status: 'Failure', code, reason });
    for (const door of Object.values(DOORS)) expect((await cluster.get(`${door}/new`)).code).toBe(404);
  });

  test('the size of a page', async () => {
    const [plain, kubernetes] = await both(cluster, 'GET', '?limit=100', {});
    expect([plain.body.length, kubernetes.body.items.length]).toEqual([2, 2]);
    expect(plain.response.headers['link']).toContain('rel="next"');
    expect(kubernetes.body.metadata.continue).not.toBe('');
  });
});

describe('validation modes', () => {
  const clusters: { [mode: string]: Cluster } = {};
  const MODES = ['strict', 'warn', 'disabled'] as const;
  beforeAll(async () => {
    for (const validation of MODES)
      clusters[validation] = await Cluster.start({ project: deviceProject({ validation }) });
  });
  afterAll(() => Promise.all(Object.values(clusters).map((cluster) => cluster.close())));

  const BROKEN: [title: string, spec: object, count: number][] = [
    ['a rule', { location: 'eu', tier: 'bronze' }, 1],
    ['a wrong type', { location: 'eu', price: 'high' }, 1],
    ['a required field', { tier: 'bronze' }, 2],
    ['a repeated key', { location: 'eu', ports: [{ name: 'http' }, { name: 'http' }] }, 1],
  ];

  describe.each(['POST', 'PUT', 'PATCH'] as const)('%s', (method) => {
    test.each(BROKEN)('%s', async (title, spec, count) => {
      for (const [mode, cluster] of Object.entries(clusters))
        for (const door of ['plain', 'kubernetes'] as const) {
          const name = `${method}-${title}-${door}`.toLowerCase().replaceAll(' ', '-');
          const created = await cluster.request('POST', devices(), { body: device(`${name}-old`) });
          expect(created.code).toBe(201);
          const named = method === 'POST' ? name : `${name}-old`;
          // A merge patch removes what is null.
          const sent = method === 'PATCH' ? { location: null, ...spec } : spec;
          const headers = method === 'PATCH' ? MERGE : JSON_TYPE;
          const suffix = method === 'POST' ? '' : `/${named}`;
          const body = method === 'PATCH' ? { spec: sent } : device(named, sent);
          const reply = await through(cluster, door, method, suffix, { body, headers });
          const refused = { plain: 400, kubernetes: 422 }[door];
          const accepted = method === 'POST' ? 201 : 200;
          expect([mode, door, reply.code]).toEqual([mode, door, mode === 'strict' ? refused : accepted]);
          const { errors, details } = reply.body;
          if (mode === 'strict') expect((errors ?? details.causes).length).toBe(count);
          else expect(reply.body.spec).toMatchObject(spec);
          const warnings = (reply.response.headers['warning'] ?? '').split(/, (?=299 )/).filter(Boolean);
          expect([mode, door, warnings.length]).toEqual([mode, door, mode === 'warn' ? count : 0]);
        }
    });
  });
});

describe('fieldValidation=Strict', () => {
  test.each(['strict', 'warn', 'disabled'] as const)(
    'refuses unknown fields where validation is %s',
    async (mode) => {
      const cluster = await Cluster.start({ project: deviceProject({ validation: mode }) });
      const body = device('new', { location: 'eu', colour: 'red' });
      const refused = await cluster.request('POST', `${devices()}?fieldValidation=Strict`, { body });
      expect([refused.code, refused.body.message]).toEqual([
        400,
        'strict decoding error: unknown field "spec.colour"',
      ]);
      const { code, body: created } = await cluster.request('POST', devices(), { body });
      expect([code, created.spec.colour]).toEqual([201, mode === 'strict' ? undefined : 'red']);
      await cluster.close();
    },
  );
});

describe('where the service requires If-Match', () => {
  let cluster: Cluster;
  let count = 0;
  beforeAll(
    async () => void (cluster = await Cluster.start({ project: deviceProject({ requireIfMatch: true }) })),
  );
  afterAll(() => cluster?.close());

  /** The present state as a request names it, and the codes of both doors. */
  const ROWS: [
    method: string,
    named: 'nothing' | 'an old state' | 'the state',
    plain: number,
    other: number,
  ][] = [
    ['PUT', 'nothing', 428, 422],
    ['PUT', 'an old state', 412, 409],
    ['PUT', 'the state', 200, 200],
    // Kubernetes clients never name a revision here, unless they mean it.
    ['PATCH', 'nothing', 428, 200],
    ['PATCH', 'an old state', 412, 409],
    ['PATCH', 'the state', 200, 200],
    ['DELETE', 'nothing', 428, 200],
    ['DELETE', 'an old state', 412, 409],
    ['DELETE', 'the state', 200, 200],
  ];

  test.each(ROWS)('%s that names %s', async (method, named, plain, other) => {
    const replies: number[] = [];
    for (const door of ['plain', 'kubernetes'] as const) {
      const name = `d-${++count}`;
      const old = await cluster.request('POST', devices(), { body: device(name) });
      const tag = async (): Promise<string> =>
        (await cluster.get(`/devices/${name}`)).response.headers['etag']!;
      const oldTag = await tag();
      const body = { spec: { location: 'us' } };
      const now = await cluster.request('PATCH', `${devices()}/${name}`, { body, headers: MERGE });
      const state = named === 'the state' ? now : old;
      const tags = { nothing: undefined, 'an old state': oldTag, 'the state': await tag() };
      const tagOf = tags[named];
      const metadata =
        named === 'nothing' ? {} : { resourceVersion: state.body.metadata.resourceVersion as string };
      const sent = {
        plain: { PUT: device(name), PATCH: body, DELETE: undefined },
        kubernetes: {
          PUT: device(name, { location: 'asia' }, metadata),
          PATCH: { ...body, metadata },
          DELETE: { preconditions: metadata },
        },
      }[door][method as 'PUT'];
      const headers = {
        ...(method === 'PATCH' ? MERGE : JSON_TYPE),
        ...(door === 'plain' && tagOf !== undefined && { 'If-Match': tagOf }),
      };
      replies.push((await through(cluster, door, method, `/${name}`, { body: sent, headers })).code);
    }
    expect(replies).toEqual([plain, other]);
  });
});

describe('requests that do not reach the routes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await Cluster.start({ environment: { ALLOWED_HOSTS: 'svc.example', MAX_HEADERS: '50' } });
  });
  afterAll(() => cluster?.close());

  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`X-${index}`, 'x']));

  test.each<
    [title: string, method: string, headers: { [name: string]: string }, code: number, reason: string]
  >([
    ['a write from another site', 'POST', { 'Sec-Fetch-Site': 'cross-site' }, 403, 'Forbidden'],
    ['a host that is not allowed', 'GET', { Host: 'evil.example' }, 421, ''],
    ['too many headers', 'GET', many, 431, ''],
    ['an unknown expectation', 'POST', { Expect: 'a-miracle' }, 417, ''],
  ])('%s', async (_, method, headers, code, reason) => {
    const body = method === 'POST' ? device('new') : undefined;
    const [plain, kubernetes] = await both(cluster, method, '', { body, headers });
    expect([plain.code, plain.body.title]).toEqual([code, STATUS_CODES[code]]);
    expect(kubernetes.body).toEqual({
      ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
      ...{ message: plain.body.detail, reason, details: {}, code },
    });
    expect(kubernetes.code).toBe(code);
  });
});
