import { setTimeout } from 'node:timers/promises';
import { createLogger } from '../../../templates/runtime/service/logger';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { create, JSON_TYPE, send, type Sent } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

const SPEC = { name: 'a', location: 'b' };

let service: TestService;
let lines: { [name: string]: unknown }[];

beforeAll(async () => {
  service = await startService(testProject(), {
    environment: { LOG_REQUESTS: 'true' },
    middleware: (app) => {
      app.use('/closed', (_req, res) => void res.status(401).end());
      app.use('/broken', () => {
        throw Object.assign(new Error('out of order'), { config: { url: '/x?secret=1' }, code: 'EORDER' });
      });
    },
  });
  const write = (line: string): void => void lines.push(JSON.parse(line) as { [name: string]: unknown });
  service.service.logger = createLogger('test', readSettings({}), { write });
});
beforeEach(() => (lines = []));
afterAll(() => service.close());

/** The value of a line of /metrics; undefined when there is no such line. */
async function measured(line: string): Promise<number | undefined> {
  const { text } = await send(service.port, 'GET', '/metrics');
  const found = text.split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

describe('/metrics', () => {
  test('the first scrape tells of the event loop what was measured', async () => {
    const fresh = await startService(testProject());
    const { text } = await send(fresh.port, 'GET', '/metrics');
    const [, least] = /^nodejs_eventloop_lag_min_seconds (.*)$/m.exec(text)!;
    expect(Number(least)).toBeLessThan(60);
    expect(text).not.toMatch(/ nan$/im);
    await fresh.close();
  });

  test.each<[method: string, path: string, labels: string, sent?: Sent]>([
    ['GET', '/books', 'method="GET",route="/books",status="2xx"', {}],
    ['HEAD', '/books', 'method="HEAD",route="/books",status="2xx"', {}],
    ['POST', '/books', 'method="POST",route="/books",status="4xx"', { headers: JSON_TYPE, body: {} }],
    [
      'GET',
      '/apis/example.svc.dev/v1/books',
      'method="GET",route="/apis/example.svc.dev/v1/books",status="2xx"',
      {},
    ],
    ['GET', '/books/boo-0123456789abcdef', 'method="GET",route="/books/{uid}",status="4xx"', {}],
    ['PATCH', '/books/x/status', 'method="PATCH",route="/books/{uid}/status",status="4xx"', {}],
    ['POST', '/books/x/status', 'method="POST",route="/books/{uid}/status",status="4xx"', {}],
    ['GET', '/devices/x/versions', 'method="GET",route="/devices/{uid}/versions",status="4xx"', {}],
    [
      'GET',
      '/devices/x/versions/y',
      'method="GET",route="/devices/{uid}/versions/{versionId}",status="4xx"',
      {},
    ],
    ['GET', '/books/x/versions', 'method="GET",route="none",status="4xx"', {}],
    ['GET', '/nothing', 'method="GET",route="none",status="4xx"', {}],
    ['PROPFIND', '/nothing', 'method="other",route="none",status="4xx"', {}],
    ['MKCOL', '/nothing', 'method="other",route="none",status="4xx"', {}],
    ['GET', '/healthz', 'method="GET",route="/healthz",status="2xx"', {}],
    ['GET', '/closed', 'method="GET",route="middleware",status="4xx"', {}],
    ['GET', '/broken', 'method="GET",route="middleware",status="5xx"', {}],
  ])('%s %s counts for %s', async (method, path, labels, sent) => {
    const line = `http_requests_total{${labels}}`;
    const before = (await measured(line)) ?? 0;
    await send(service.port, method, path, sent);
    expect(await measured(line)).toBe(before + 1);
  });

  test('a histogram of the latency, whose buckets add up', async () => {
    await send(service.port, 'GET', '/things');
    const labels = 'method="GET",route="/things"';
    const count = await measured(`http_request_duration_seconds_count{${labels}}`);
    expect(count).toBeGreaterThan(0);
    expect(await measured(`http_request_duration_seconds_bucket{${labels},le="+Inf"}`)).toBe(count);
    expect(await measured(`http_request_duration_seconds_sum{${labels}}`)).toBeGreaterThan(0);
    const { text } = await send(service.port, 'GET', '/metrics');
    const bounds = (name: string): string[] =>
      [...text.matchAll(new RegExp(`^${name}_bucket\\{(?:.*,)?le="([^"]*)"`, 'gm'))].map(
        ([, bound]) => bound,
      );
    const seconds = '0.0005 0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf';
    expect([...new Set(bounds('http_request_duration_seconds'))].join(' ')).toBe(seconds);
    expect(bounds('store_commit_writes').join(' ')).toBe('1 2 5 10 20 50 100 200 500 1000 +Inf');
  });

  test('the commits of the store', async () => {
    const before = (await measured('store_commit_writes_sum'))!;
    await Promise.all(Array.from({ length: 20 }, () => create(service.port, '/devices', SPEC)));
    expect(await measured('store_commit_writes_sum')).toBe(before + 20);
    const commits = await measured('store_commit_duration_seconds_count');
    expect(await measured('store_commit_writes_count')).toBe(commits);
    expect(commits).toBeLessThanOrEqual(before + 20);
  });

  test('how far a consumer of events is behind', async () => {
    const publishing = await startService({ ...testProject(), events: true });
    let deliver = (): void => undefined;
    const held = new Promise<void>((resolve) => (deliver = resolve));
    publishing.service.events.subscribe('*', () => held, { name: 'audit', from: 'oldest' });
    const lag = async (): Promise<number> => {
      const { text } = await send(publishing.port, 'GET', '/metrics');
      return Number(/^event_delivery_lag_seconds\{consumer="subscriber:audit"\} (.*)$/m.exec(text)![1]);
    };
    expect(await lag()).toBe(0);
    await create(publishing.port, '/devices', SPEC);
    while ((await lag()) === 0) await setTimeout(10);
    deliver();
    while ((await lag()) > 0) await setTimeout(10);
    await publishing.close();
  });

  test('the process, as text for Prometheus, never kept', async () => {
    const { status, headers, text } = await send(service.port, 'GET', '/metrics');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ]);
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    expect(text).not.toMatch(/boo-0123/);
    for (const line of text.split('\n'))
      expect(line).toMatch(/^$|^# (HELP|TYPE) |^\w+(\{.*\})? (NaN|-?[\d.e+-]+)$/i);
  });

  test('only GET and HEAD', async () => {
    expect((await send(service.port, 'POST', '/metrics')).status).toBe(405);
    expect((await send(service.port, 'HEAD', '/metrics')).text).toBe('');
  });

  test('METRICS=false: none, and nothing is measured', async () => {
    const off = await startService(testProject(), { environment: { METRICS: 'false' } });
    expect((await send(off.port, 'GET', '/metrics')).status).toBe(404);
    expect(off.service.parts.filter(({ responded }) => responded !== undefined)).toEqual([]);
    await off.close();
  });
});

describe('request ids', () => {
  const MADE_UP = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;

  test.each<[given: string | string[] | undefined, want: string | RegExp]>([
    [undefined, MADE_UP],
    ['abc-123', 'abc-123'],
    ['Root=1-67891233-abcdef012345678912345678', 'Root=1-67891233-abcdef012345678912345678'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), MADE_UP],
    ['', MADE_UP],
    ['a b', MADE_UP],
    ['<script>', MADE_UP],
    ['"}', MADE_UP],
    [['a', 'b'], MADE_UP],
  ])('%j: an error answers %s, and the log says so', async (given, want) => {
    const headers = given === undefined ? {} : { 'X-Request-Id': given };
    const response = await send(service.port, 'GET', '/nothing', { headers });
    expect(response.headers['x-request-id']).toMatch(
      typeof want === 'string' ? new RegExp(`^${want}$`) : want,
    );
    expect(lines).toMatchObject([{ requestId: response.headers['x-request-id'], status: 404 }]);
  });

  test('a response of 500 has the id of what was logged', async () => {
    const response = await send(service.port, 'GET', '/broken?secret=1');
    expect(response.status).toBe(500);
    const id = response.headers['x-request-id'];
    expect(lines).toMatchObject([
      { msg: 'failed', requestId: id, path: '/broken', err: { message: 'out of order', code: 'EORDER' } },
      { msg: 'answered', requestId: id, status: 500 },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});

test('LOG_REQUESTS=true: a line for each response, without the query', async () => {
  const { path } = await create(service.port, '/devices', SPEC);
  lines = [];
  await send(service.port, 'GET', `${path}?token=secret`);
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'answered',
      method: 'GET',
      path,
      route: '/devices/{uid}',
      status: 200,
      ms: expect.any(Number) as number,
      requestId: expect.any(String) as string,
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

describe('traceparent', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const parent = 'b7ad6b7169203331';
  test.each<[traceparent: string, noted: boolean]>([
    [`00-${trace}-${parent}-01`, true],
    [`01-${trace}-${parent}-01-more`, true],
    [`00-${trace}-${parent}-01-more`, false],
    [`ff-${trace}-${parent}-01`, false],
    [`00-${'0'.repeat(32)}-${parent}-01`, false],
    [`00-${trace}-${'0'.repeat(16)}-01`, false],
    [`00-${trace.toUpperCase()}-${parent}-01`, false],
    ['abc', false],
    ['', false],
  ])('%s is noted: %s', async (traceparent, noted) => {
    await send(service.port, 'GET', '/books', { headers: { traceparent } });
    const { traceId, parentId } = lines[0];
    expect([traceId, parentId]).toEqual(noted ? [trace, parent] : [undefined, undefined]);
  });

  test('the events of a write carry it', async () => {
    const traceparent = `00-${trace}-${parent}-01`;
    const traced = await startService({ ...testProject(), events: true });
    const written = async (method: string, path: string, headers: object, body?: object): Promise<void> => {
      const { status } = await send(traced.port, method, path, {
        headers: { ...JSON_TYPE, ...headers },
        body,
      });
      expect(status).toBeLessThan(300);
    };
    const { path } = await create(traced.port, '/devices', SPEC);
    await written('PUT', path, { traceparent }, { spec: SPEC });
    await written('PUT', `${path}/status`, { traceparent: `cc${traceparent.slice(2)}-more` }, { status: {} });
    await written('PUT', path, { traceparent: `${traceparent}"` }, { spec: SPEC });
    await written('DELETE', path, { traceparent });
    const events = await traced.service.store.events!.read('0', { events: 10, bytes: 1_000_000 });
    const traces = events.map(({ text }) => (JSON.parse(text) as { traceparent?: string }).traceparent);
    expect(traces).toEqual([undefined, traceparent, traceparent, undefined, traceparent]);
    await traced.close();
  });
});
