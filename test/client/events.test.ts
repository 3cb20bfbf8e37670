import type { ServerResponse } from 'node:http';
import {
  ApiError,
  ConnectionError,
  PositionGoneError,
  ResponseTooLargeError,
} from '../../templates/client/errors';
import { startService, type TestService } from '../runtime/support/harness';
import { testProject } from '../runtime/support/projects';
import { createClient, SPEC } from './devices';
import { type OddServer, startServer } from './server';

// The events of a service, and what breaks their stream.

describe('of a service', () => {
  let service: TestService;
  let client: ReturnType<typeof createClient>;
  beforeAll(async () => {
    service = await startService(
      { ...testProject(), events: true },
      { environment: { EVENTS_POLL_MS: '5' } },
    );
    client = createClient({ baseUrl: service.url });
  });
  afterAll(() => service.close());

  test('from a position on: each write, in order, the status told apart', async () => {
    const { metadata } = await client.devices.create({ spec: SPEC });
    const { uid } = metadata;
    await client.books.create({ spec: { title: 'T', author: 'A' } });
    await client.devices.updateStatus(uid, (status) => (status.ready = true));
    await client.devices.delete(uid);
    const seen: unknown[] = [];
    const stream = client.events({ kinds: ['Device'], lastEventId: '0' });
    for await (const { type, data } of stream) {
      seen.push([type, data.resourceUID, data.metadata.updateType]);
      if (data.action === 'deleted') break;
    }
    expect(seen).toEqual([
      ['io.svc.device.created', uid, undefined],
      ['io.svc.device.updated', uid, 'status'],
      ['io.svc.device.deleted', uid, undefined],
    ]);

    const { metadata: later } = await client.devices.create({ metadata: { name: 'later' }, spec: SPEC });
    for await (const { data } of client.events({
      types: ['io.svc.device.*'],
      lastEventId: stream.position,
    })) {
      expect(data).toMatchObject({ resourceUID: later.uid, resourceName: 'later', resource: { spec: SPEC } });
      break;
    }
  });

  test('from now on: the first connection gives a position', async () => {
    const stream = client.events();
    expect(stream.position).toBeUndefined();
    const events = stream[Symbol.asyncIterator]();
    const next = events.next();
    while (stream.position === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    const { metadata } = await client.devices.create({ spec: SPEC });
    expect((await next).value?.data.resourceUID).toBe(metadata.uid);
    await events.return();
  });

  test('what the service refuses is thrown', async () => {
    const first = (options: object): Promise<unknown> =>
      client.events(options)[Symbol.asyncIterator]().next();
    await expect(first({ kinds: ['Nothing'] })).rejects.toMatchObject({ status: 400 });
    await expect(first({ version: 'v9' })).rejects.toMatchObject({ status: 406 });
    await expect(first({ lastEventId: 'x' })).rejects.toThrow(ApiError);
  });

  test('a signal ends the stream with its reason', async () => {
    const controller = new AbortController();
    const stream = client.events({ signal: controller.signal });
    const next = stream[Symbol.asyncIterator]().next();
    while (stream.position === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });
});

describe('when the stream breaks', () => {
  let server: OddServer | undefined;
  afterEach(() => server?.close());
  const event = (id: string): string => `id: ${id}\ndata: {"id":"${id}"}\n\n`;

  /** Starts a server with one response for each connection, and returns the positions that it was asked for. */
  async function serve(answers: ((res: ServerResponse) => void)[]): Promise<(string | undefined)[]> {
    const asked: (string | undefined)[] = [];
    server = await startServer((req, res) => {
      const response = answers[asked.length];
      asked.push(req.headers['last-event-id'] as string | undefined);
      if (response === undefined) res.destroy();
      else response(res);
    });
    return asked;
  }
  const streaming =
    (...texts: string[]) =>
    (res: ServerResponse): void => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (const text of texts) res.write(text);
    };
  async function take(count: number, options: object = {}): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of createClient({ baseUrl: server!.url }).events(options))
      if (ids.push(id) === count) break;
    return ids;
  }

  test('it goes on after the last event, whatever way the connection ends', async () => {
    const asked = await serve([
      (res) => (streaming('retry: 1\n\n', event('1'), event('2'))(res), res.end()),
      (res) => (streaming(event('3'), 'id: 4\ndata: {"id":')(res), setTimeout(() => res.destroy(), 20)),
      (res) => res.destroy(),
      (res) => res.writeHead(503).end(),
      (res) => (streaming(': keep-alive\nid: 9\n\n')(res), res.end()),
      streaming(event('10')),
    ]);
    expect(await take(4)).toEqual(['1', '2', '3', '10']);
    expect(asked).toEqual([undefined, '2', '3', '3', '3', '9']);
  });

  test('a service that does not respond is given up after the time of the client', async () => {
    await serve([() => undefined]);
    const stream = createClient({ baseUrl: server!.url, timeoutMs: 50 }).events();
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toThrow('no response within 50 milliseconds');
  });

  test('a silent connection is given up', async () => {
    const asked = await serve([streaming('retry: 1\n', event('1')), streaming(event('2'))]);
    expect(await take(2, { idleMs: 2_000 })).toEqual(['1', '2']);
    expect(asked).toEqual([undefined, '1']);
  });

  test.each([0, Infinity, 2 ** 31])('with idleMs %s a silent connection is kept', async (idleMs) => {
    const slowly = (res: ServerResponse): void => {
      streaming('retry: 1\n', event('1'))(res);
      setTimeout(() => res.write(event('2')), 50);
    };
    const asked = await serve([slowly, slowly]);
    expect(await take(2, { idleMs })).toEqual(['1', '2']);
    expect(asked).toEqual([undefined]);
  });

  test('a pause that is longer than a timer can run is no pause of nothing', async () => {
    const asked = await serve([
      (res) => (streaming('retry: 1\n', event('1'))(res), res.end()),
      (res) => res.writeHead(503, { 'Retry-After': '9999999' }).end(),
    ]);
    const controller = new AbortController();
    const ended = expect(take(2, { signal: controller.signal })).rejects.toThrow('enough');
    while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort(new Error('enough'));
    await ended;
    expect(asked).toHaveLength(2);
  });

  const endless: [string, string][] = [
    ['a line', 'x'.repeat(1_000)],
    ['an event', `data: ${'x'.repeat(1_000)}\n`],
  ];
  test.each(endless)('%s without end is given up, and not asked for again', async (_, piece) => {
    const asked = await serve([streaming('retry: 1\n\n', ...Array<string>(200).fill(piece))]);
    const client = createClient({ baseUrl: server!.url, maxResponseBytes: 100_000 });
    await expect(client.events()[Symbol.asyncIterator]().next()).rejects.toThrow(ResponseTooLargeError);
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['410 is told as such', 410, PositionGoneError],
    ['401 will not pass', 401, ApiError],
  ])('%s', async (_, status, type) => {
    await serve([
      (res) => (streaming('retry: 1\n', event('1'))(res), res.end()),
      (res) => res.writeHead(status).end(),
    ]);
    await expect(take(2)).rejects.toThrow(type);
  });

  test('what the first connection meets is thrown', async () => {
    await serve([(res) => res.writeHead(503).end(), (res) => res.destroy()]);
    await expect(take(1)).rejects.toMatchObject({ status: 503 });
    await expect(take(1)).rejects.toThrow(ConnectionError);
  });

  const shapes: [string, string[]][] = [
    ['CRLF', ['retry: 1\r\n\r\nid: 1\r', '\ndata: {"id":\r\ndata: "1"}\r\n\r\n']],
    ['CR', ['id:1\rdata:{"id":"1"}\r\r', ': x\r']],
    ['pieces', [...'id: 1\nevent: x\ndata: {"id":"1"}\nunknown\n\n']],
  ];
  test.each(shapes)('%s', async (_, texts) => {
    await serve([streaming(...texts)]);
    expect(await take(1)).toEqual(['1']);
  });
});
