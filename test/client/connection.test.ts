import { getEventListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import {
  ApiError,
  ConnectionError,
  ResponseTooLargeError,
  TimeoutError,
} from '../../templates/client/errors';
import { createClient, SPEC } from './devices';
import { type OddServer, startServer } from './server';

// What a client meets when the service, or what stands before it, does not respond as it should.

let server: OddServer | undefined;
afterEach(() => server?.close());

async function client(
  listener: RequestListener,
  options: Partial<Parameters<typeof createClient>[0]> = {},
): Promise<ReturnType<typeof createClient>> {
  server = await startServer(listener);
  return createClient({ baseUrl: server.url, ...options });
}

const never: RequestListener = () => undefined;

describe('time', () => {
  test('a time-out of the client', async () => {
    const { devices } = await client(never, { timeoutMs: 30 });
    await expect(devices.list()).rejects.toThrow(TimeoutError);
  });

  test('a time-out of the call; a body that stands still counts', async () => {
    const { devices } = await client((_, res) => void res.writeHead(200).write('['));
    await expect(devices.list({}, { timeoutMs: 30 })).rejects.toThrow(TimeoutError);
  });

  test('a time-out and a signal count while the headers are made', async () => {
    const headers = (): Promise<never> => new Promise(() => undefined);
    const { devices } = await client(never, { headers, timeoutMs: 30 });
    await expect(devices.list()).rejects.toThrow(TimeoutError);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(devices.list({}, { signal, timeoutMs: 0 })).rejects.toThrow('enough');
  });

  test('a time-out and a signal count for a fetch that ignores them', async () => {
    const { devices } = await client(never, { fetch: () => new Promise(() => undefined), timeoutMs: 30 });
    await expect(devices.list()).rejects.toThrow(TimeoutError);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(devices.list({}, { signal, timeoutMs: 0 })).rejects.toThrow('enough');
  });

  test('a signal ends a call with its reason', async () => {
    const controller = new AbortController();
    const { devices } = await client(() => controller.abort(new Error('enough')));
    await expect(devices.get('dev-1', { signal: controller.signal })).rejects.toThrow('enough');
    await expect(devices.get('dev-1', { signal: controller.signal })).rejects.toThrow('enough');
  });
});

test('calls share one listener of a signal, which ends all of them', async () => {
  const { devices } = await client(never);
  const controller = new AbortController();
  const { signal } = controller;
  const calls = Array.from({ length: 20 }, () => devices.list({}, { signal }));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  controller.abort(new Error('enough'));
  for (const { status, reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[])
    expect([status, reason]).toEqual(['rejected', new Error('enough')]);
});

describe('responses', () => {
  test('nobody listens', async () => {
    const { devices } = await client(never);
    server!.close();
    const error = await devices.list().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toMatch(/^GET http:.*\/devices got no response: .*ECONNREFUSED/);
  });

  test('the connection breaks within the body', async () => {
    const { devices } = await client((_, res) => void res.writeHead(200).write('[', () => res.destroy()));
    await expect(devices.list()).rejects.toThrow(ConnectionError);
  });

  const refusals: [string, string, string][] = [
    ['the text of a middleware', 'Invalid token', '401 Unauthorized: Invalid token'],
    ['nothing', '', '401 Unauthorized'],
    ['a problem', '{"title":"Unauthorized","detail":"no"}', '401 Unauthorized: no'],
    ['other JSON', '["x"]', '401 Unauthorized: ["x"]'],
  ];
  test.each(refusals)('a refusal with %s', async (_, body, message) => {
    const { devices } = await client((_, res) => void res.writeHead(401).end(body));
    const error = await devices.create({ spec: SPEC }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 401, message });
  });

  test('a write that is redirected is refused: some would become a GET, and seem to be made', async () => {
    const { devices } = await client(({ method, url }, res) => {
      const isHere = method === 'GET' && url !== '/old/apis/example.svc.dev/v1/books';
      if (isHere) res.end('[]');
      else res.writeHead(301, { Location: url!.replace('/old', '') }).end('<html>');
    });
    const message = /^301 Moved Permanently: the service is at \/apis\/example.svc.dev\/v1\/devices$/;
    await expect(devices.create({ spec: SPEC })).rejects.toThrow(message);
    const { books } = createClient({ baseUrl: `${server!.url}/old` });
    expect(await books.list()).toEqual([]);
  });

  test('a 304 that nobody has asked for is an error', async () => {
    const { devices } = await client((_, res) => void res.writeHead(304, { ETag: '"x"' }).end());
    await expect(devices.get('dev-1')).rejects.toMatchObject({ name: 'ApiError', status: 304 });
    const headers = { 'If-None-Match': '"x"' };
    await expect(devices.get('dev-1', { headers })).rejects.toMatchObject({ name: 'ApiError', status: 304 });
    await expect(devices.list({}, { headers })).rejects.toMatchObject({ name: 'ApiError', status: 304 });
    await expect(devices.create({ spec: SPEC })).rejects.toMatchObject({ name: 'ApiError', status: 304 });
  });

  test('an error by which Next.js interrupts a page is thrown as it is', async () => {
    const interruption = Object.assign(new Error('not static'), { digest: 'DYNAMIC_SERVER_USAGE' });
    const fetch = (): Promise<never> => Promise.reject(interruption);
    const { devices, events } = createClient({ baseUrl: '', fetch });
    expect(await devices.list().catch((reason: unknown) => reason)).toBe(interruption);
    const first = events()[Symbol.asyncIterator]().next();
    expect(await first.catch((reason: unknown) => reason)).toBe(interruption);
  });

  test('the page of something else', async () => {
    const { devices } = await client((_, res) => {
      res.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>');
    });
    await expect(devices.list()).rejects.toThrow(/got text\/html/);
  });
});

test.each([200, 500])('a response without end is given up after so many bytes: %s', async (status) => {
  let sent = 0;
  const { devices } = await client(
    (_, res) => {
      res.writeHead(status);
      const more = (): void => {
        for (let room = true; room && !res.destroyed; sent += 65_536) room = res.write(' '.repeat(65_536));
      };
      res.on('drain', more);
      more();
    },
    { maxResponseBytes: 1_000_000 },
  );
  await expect(devices.list()).rejects.toThrow(ResponseTooLargeError);
  // The kernel and the platform hold some more than our limit.
  expect(sent).toBeLessThan(20_000_000);
});

test('a response as long as the limit is read', async () => {
  const { devices } = await client((_, res) => void res.end('["ö"]'), { maxResponseBytes: 6 });
  expect(await devices.list()).toEqual(['ö']);
});

test.each([undefined, Readable.from([])])('a fetch without the streams of browsers: %#', async (body) => {
  const fetch = (): Promise<unknown> =>
    Promise.resolve({ status: 200, ok: true, headers: new Headers(), body, text: async () => '[1]' });
  const { devices } = createClient({ baseUrl: '', fetch: fetch as typeof globalThis.fetch });
  expect(await devices.list()).toEqual([1]);
});

test('headers are asked for anew for each request; those of the call come last', async () => {
  const seen: unknown[] = [];
  let token = 0;
  const { devices } = await client(
    ({ headers }, res) => {
      seen.push([headers.authorization, headers['x-trace']]);
      res.end('[]');
    },
    { headers: async () => ({ Authorization: `Bearer ${++token}`, 'X-Trace': 'all' }) },
  );
  await devices.list();
  await devices.list({}, { headers: { 'X-Trace': 'this' } });
  expect(seen).toEqual([
    ['Bearer 1', 'all'],
    ['Bearer 2', 'this'],
  ]);
});

test('a header replaces an earlier one, whatever the case of its name', async () => {
  const seen: unknown[] = [];
  const { devices } = await client(
    ({ headers }, res) => {
      seen.push([headers.authorization, headers.accept]);
      res.end('[]');
    },
    { headers: { Authorization: 'Bearer a', accept: 'application/json;version=v1' } },
  );
  await devices.list({}, { headers: { authorization: 'Basic b' } });
  await devices.list({}, { headers: { authorization: undefined, Accept: 'application/json' } });
  expect(seen).toEqual([
    ['Basic b', 'application/json;version=v1'],
    [undefined, 'application/json'],
  ]);
});

test.each(['http://user:s3cr3t@x', 'http://x?a=b', '/path#top'])(
  '%j is not the URL of a service',
  (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(
      new TypeError('baseUrl must have no user, query or fragment; headers send credentials'),
    );
  },
);

test.each(['', '/below', 'http://[::1]:1/a@b/'])('%j may be one', (baseUrl) => {
  expect(() => createClient({ baseUrl })).not.toThrow();
});

test('the service may be below a path, and pages stay there', async () => {
  const seen: (string | undefined)[] = [];
  const { devices } = await client((req, res) => {
    seen.push(req.url);
    const more = seen.length === 1;
    res.writeHead(200, more ? { Link: '</apis/devices?limit=1&continue=x%3D>; rel="next"' } : {});
    res.end(more ? '[1]' : '[2]');
  });
  const below = createClient({ baseUrl: `${server!.url}/below/` });
  const pages: unknown[] = [];
  for await (const page of below.devices.pages({ limit: 1 })) pages.push(page);
  const path = '/below/apis/example.svc.dev/v1/devices';
  expect([pages, seen]).toEqual([
    [[1], [2]],
    [`${path}?limit=1`, `${path}?limit=1&continue=x%3D`],
  ]);
  expect(devices).toBeDefined();
});
