import { connect } from 'node:net';
import type { Response } from 'express';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import { create, JSON_TYPE, send } from '../support/client';
import { startService, type TestOptions, type TestService } from '../support/harness';
import { testProject } from '../support/projects';
import { createDevice, remove, rename, setPhase, startDevices, until } from './devices';
import { names, openStream } from './sse';

let running: TestService[] = [];

async function start(options: TestOptions = {}): Promise<TestService> {
  const service = await startDevices(options);
  running.push(service);
  return service;
}

afterEach(async () => {
  await Promise.all(running.map((service) => service.close()));
  running = [];
});

test('a stream starts now and carries whole CloudEvents with their positions', async () => {
  const { port } = await start();
  await createDevice(port, 'before');
  const stream = await openStream(port);
  expect(stream.status).toBe(200);
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-content-type-options': 'nosniff',
  });
  const uid = await createDevice(port, 'after');
  await until(() => stream.received.length === 1);
  const [{ id, event }] = stream.received;
  expect(id).toBe('2');
  expect(event).toMatchObject({
    specversion: '1.0',
    type: 'io.svc.device.created',
    source: `svc-api/resources/Device/${uid}`,
    data: { action: 'created', resourceUID: uid, resource: { spec: { name: 'after' } } },
  });
});

test('0 is the oldest event that is kept', async () => {
  const { port, service } = await start();
  for (const name of ['a', 'b', 'c']) await createDevice(port, name);
  await service.store.events!.prune({ events: 2, days: 7 }, 10);
  const stream = await openStream(port, '/events?lastEventId=0');
  await until(() => stream.received.length === 2);
  expect(names(stream)).toEqual(['b', 'c']);
});

const RESUMES: [path: string, headers: { [name: string]: string }][] = [
  ['/events?lastEventId=1', {}],
  ['/events?Last-Event-ID=1', {}],
  ['/events', { 'last-event-id': '1' }],
  ['/events?lastEventId=3', { 'last-event-id': '1' }],
];
test.each(RESUMES)('%s %j goes on after event 1', async (path, headers) => {
  const { port } = await start();
  for (const name of ['a', 'b', 'c']) await createDevice(port, name);
  const stream = await openStream(port, path, headers);
  await until(() => stream.received.length === 2);
  expect(names(stream)).toEqual(['b', 'c']);
  expect(stream.received.map(({ id }) => id)).toEqual(['2', '3']);
});

test('a client that was sent nothing knows where to go on', async () => {
  const { port } = await start({ environment: { EVENTS_KEEP_ALIVE_MS: '30' } });
  await createDevice(port, 'a');
  const stream = await openStream(port, '/events?kind=Book');
  expect(stream.lastId).toBe('1');
  await createDevice(port, 'b');
  await until(() => stream.comments.length > 0 && stream.lastId === '2');
  expect(stream.received).toEqual([]);
});

test('a stream that is silent for long is not taken for a connection without progress', async () => {
  const { port } = await start({ environment: { STALL_TIMEOUT_MS: '2000' } });
  const stream = await openStream(port);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await createDevice(port, 'late');
  await Promise.race([until(() => stream.received.length === 1), stream.ended]);
  expect(names(stream)).toEqual(['late']);
});

test.each([
  [400, '/events?lastEventId=x'],
  [400, '/events?lastEventId=-1'],
  [400, `/events?lastEventId=${'9'.repeat(30)}`],
  [410, '/events?lastEventId=1'],
  [410, '/events?lastEventId=1000'],
  [410, '/events?lastEventId=17-3'],
  [400, '/events?kind=Nothing'],
  [400, '/events?type='],
  [400, '/events?labelSelector=%3D%3D'],
  [406, '/events?version=v9'],
  [406, '/events?version=other.example%2Fv1'],
])('%i for %s', async (want, path) => {
  const { port, service } = await start();
  for (const name of ['a', 'b', 'c']) await createDevice(port, name);
  await service.store.events!.prune({ events: 1, days: 7 }, 10);
  const stream = await openStream(port, path);
  expect(stream.status).toBe(want);
  expect(stream.headers['content-type']).toBe('application/problem+json');
});

test('a position is gone also for those who were at it a moment ago', async () => {
  const { port, service } = await start();
  for (const name of ['a', 'b', 'c']) await createDevice(port, name);
  const stream = await openStream(port, '/events?lastEventId=1');
  await until(() => stream.received.length === 2);
  await service.store.events!.prune({ events: 1, days: 7 }, 10);
  expect((await openStream(port, '/events?lastEventId=1')).status).toBe(410);
});

test('there is no stream where events are off', async () => {
  const service = await startService(testProject());
  running.push(service);
  expect((await send(service.port, 'GET', '/events')).status).toBe(404);
});

test('other methods, HEAD and unknown parameters', async () => {
  const { port } = await start();
  expect((await send(port, 'POST', '/events')).status).toBe(405);
  const head = await send(port, 'HEAD', '/events?colour=red');
  expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream']);
  expect(head.headers['warning']).toContain('colour');
});

test.each([
  ['type=io.svc.device.updated', ['a updated', 'b updated', 'b updated']],
  ['type=io.svc.device.created&type=io.svc.book.created', ['a created', 'b created', 'undefined created']],
  ['type=io.svc.book.*', ['undefined created']],
  ['type=io.svc.*.deleted', ['a deleted']],
  ['kind=Book', ['undefined created']],
  ['kind=example.svc.dev/Book', ['undefined created']],
  ['kind=Device&type=*', ['a created', 'b created', 'a updated', 'b updated', 'b updated', 'a deleted']],
  ['labelSelector=env%3Dprod', ['a created', 'a updated', 'a deleted']],
  ['label=env=prod&type=io.svc.device.deleted', ['a deleted']],
  ['labelSelector=!env&kind=Device', ['b created', 'b updated', 'b updated']],
  ['version=v1&kind=Book', ['undefined created']],
  ['version=example.svc.dev/v1&kind=Book', ['undefined created']],
])('?%s', async (query, want) => {
  const { port } = await start();
  const stream = await openStream(port, `/events?${query}`);
  const a = await createDevice(port, 'a', { env: 'prod' });
  const b = await createDevice(port, 'b');
  await rename(port, a, 'a');
  await rename(port, b, 'b');
  await setPhase(port, b, 'Ready');
  await remove(port, a);
  await create(port, '/books', { title: 'x', author: 'y' });
  const all = await openStream(port, '/events?lastEventId=0');
  await until(() => all.received.length === 7 && stream.received.length >= want.length);
  expect(
    stream.received.map(({ event: { data } }) => `${String(data.resource.spec['name'])} ${data.action}`),
  ).toEqual(want);
});

async function relabel(port: number, uid: string, labels: { [key: string]: string }): Promise<void> {
  const body = { metadata: { name: 'lamp', labels }, spec: { name: 'lamp', location: 'hall' } };
  expect((await send(port, 'PUT', `/devices/${uid}`, { headers: JSON_TYPE, body })).status).toBe(200);
}

test('a write that takes a resource out of the selection is the last that is shown of it', async () => {
  const { port } = await start();
  const prod = await openStream(port, '/events?labelSelector=env%20in%20(prod,test),!old');
  const uid = await createDevice(port, 'lamp', { env: 'dev' });
  for (const labels of [{ env: 'prod' }, { env: 'test' }, { env: 'dev' }, { env: 'stage' }, { env: 'prod' }])
    await relabel(port, uid, labels);
  await relabel(port, uid, { env: 'prod', old: '' });
  await remove(port, uid);
  const end = await createDevice(port, 'end', { env: 'prod' });
  await until(() => prod.received.at(-1)?.event.data.resourceUID === end);
  const seen = prod.received.map(({ event: { data } }) => [data.action, data.resource.metadata.labels]);
  expect(seen).toEqual([
    ['updated', { env: 'prod' }],
    ['updated', { env: 'test' }],
    ['updated', { env: 'dev' }],
    ['updated', { env: 'prod' }],
    ['updated', { env: 'prod', old: '' }],
    ['created', { env: 'prod' }],
  ]);
});

test('nothing is shown of a resource that was taken out of the scope, and nothing from before it came in', async () => {
  const { port } = await start({
    middleware: (app) =>
      app.use((req, _res, next) => {
        const tenant = req.headers['x-tenant'];
        if (typeof tenant === 'string') setLabelScope(req, { tenant });
        next();
      }),
  });
  const acme = await openStream(port, '/events?label=env=prod', { 'x-tenant': 'acme' });
  const other = await openStream(port, '/events?label=env=prod', { 'x-tenant': 'other' });
  const uid = await createDevice(port, 'lamp', { tenant: 'acme', env: 'prod' });
  await relabel(port, uid, { tenant: 'other', env: 'dev' });
  const end = await createDevice(port, 'end', { tenant: 'acme', env: 'prod' });
  await createDevice(port, 'other end', { tenant: 'other', env: 'prod' });
  await until(() => acme.received.at(-1)?.event.data.resourceUID === end && other.received.length > 0);
  expect(names(acme)).toEqual(['lamp', 'end']);
  expect(names(other)).toEqual(['other end']);
});

test('a client is shown what its label scope and the policies allow', async () => {
  const { port } = await start({
    middleware: (app) =>
      app.use((req, _res, next) => {
        const tenant = req.headers['x-tenant'];
        if (typeof tenant === 'string') setLabelScope(req, { tenant });
        next();
      }),
    hooks: {
      Book: { policy: { canList: () => ({ allowed: false }) } },
      Device: { policy: { canGet: ({ resource }) => ({ allowed: resource?.spec['name'] !== 'secret' }) } },
    },
  });
  const all = await openStream(port);
  const acme = await openStream(port, '/events', { 'x-tenant': 'acme' });
  const books = await openStream(port, '/events?kind=Book');
  await create(port, '/books', { title: 'x', author: 'y' });
  await createDevice(port, 'secret', { tenant: 'acme' });
  await createDevice(port, 'lamp', { tenant: 'acme' });
  await createDevice(port, 'chair', { tenant: 'other' });
  await until(() => all.received.length === 2 && acme.received.length === 1);
  expect(names(all)).toEqual(['lamp', 'chair']);
  expect(names(acme)).toEqual(['lamp']);
  expect(books.status).toBe(403);
});

test('a client that breaks off again and again sees every event once, in order', async () => {
  const { port } = await start();
  const writer = (async () => {
    for (let count = 0; count < 300; count++) await createDevice(port, String(count));
  })();
  const seen: string[] = [];
  let last = '0';
  while (seen.length < 300) {
    const stream = await openStream(port, '/events', { 'last-event-id': last });
    await until(() => stream.received.length > 0);
    stream.close();
    seen.push(...names(stream));
    last = stream.lastId;
  }
  await writer;
  expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => String(index)));
});

test('a stream ends after its time, and its reader goes on without a gap, as the one that it is then', async () => {
  let allowed = true;
  const { port } = await start({
    environment: { EVENTS_MAX_STREAM_MS: '500' },
    middleware: (app) =>
      app.use((_req, res, next) => {
        if (allowed) next();
        else res.writeHead(401).end();
      }),
  });
  const first = await openStream(port);
  await createDevice(port, 'a');
  await first.ended;
  const device = createDevice(port, 'b');
  await device;
  const second = await openStream(port, '/events', { 'last-event-id': first.lastId });
  const rest = first.received.length === 1 ? ['b'] : ['a', 'b'];
  await until(() => second.received.length === rest.length);
  expect(names(second)).toEqual(rest);
  allowed = false;
  await second.ended;
  expect((await openStream(port, '/events', { 'last-event-id': second.lastId })).status).toBe(401);
});

test('a reader that takes nothing is bounded and cut off; it goes on later without a gap', async () => {
  const responses: Response[] = [];
  const { port, service } = await start({
    environment: { EVENTS_SLOW_READER_MS: '3000' },
    middleware: (app) =>
      app.use((req, res, next) => {
        if (req.url.startsWith('/events')) responses.push(res);
        next();
      }),
  });
  const stream = await openStream(port);
  stream.response.pause();
  const other = await openStream(port);
  const before = process.memoryUsage.rss();
  const name = 'x'.repeat(450_000);
  for (let count = 0; count < 30; count++) await createDevice(port, name);
  await until(() => other.received.length === 30);
  await until(() => responses[0].destroyed);
  stream.response.resume();
  await stream.ended;
  expect(stream.received.length).toBeLessThan(30);
  expect(process.memoryUsage.rss() - before).toBeLessThan(400e6);
  const rest = await openStream(port, '/events', { 'last-event-id': stream.lastId });
  await until(() => rest.received.length === 30 - stream.received.length);
  expect(service.events.stopping.aborted).toBe(false);
});

test('a reader that reads slowly, but reads, gets a large event whole', async () => {
  const { port } = await start({
    environment: { EVENTS_SLOW_READER_MS: '4000', MAX_BODY_BYTES: '32000000' },
  });
  const [size, step] = [10_000_000, 2_500_000];
  await createDevice(port, 'x'.repeat(size));
  const socket = connect(port).on('error', () => undefined);
  socket.write('GET /events?lastEventId=0 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let [length, next] = [0, step];
  for await (const chunk of socket) {
    length += (chunk as Buffer).length;
    if (length >= 3 * size) break;
    if (length < next) continue;
    next += step;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  expect(length).toBeGreaterThanOrEqual(3 * size);
});

test('what waits for a reader that takes nothing is a chunk and an event, however much there is', async () => {
  const responses: Response[] = [];
  const { port } = await start({
    middleware: (app) =>
      app.use((req, res, next) => {
        if (req.url.startsWith('/events')) responses.push(res);
        next();
      }),
  });
  const name = 'x'.repeat(10_000);
  for (let count = 0; count < 1_000; count++) await createDevice(port, name);
  const stream = await openStream(port, '/events?lastEventId=0');
  stream.response.pause();
  await until(() => responses[0].writableNeedDrain);
  expect(responses[0].writableLength).toBeLessThan(200_000);
  stream.response.resume();
  await until(() => stream.received.length === 1_000);
});

test('streams end at once when the service stops, and no new ones begin', async () => {
  const { port, service } = await start();
  const stream = await openStream(port);
  service.events.stop();
  await stream.ended;
  expect((await openStream(port)).status).toBe(503);
});

test('there are so many streams at most', async () => {
  const { port } = await start({ environment: { EVENTS_MAX_STREAMS: '1' } });
  const stream = await openStream(port);
  const refused = await openStream(port);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
  stream.close();
  await until(async () => {
    const next = await openStream(port);
    next.close();
    return next.status === 200;
  });
});

test('a client that is gone before its stream begins has none', async () => {
  const { port } = await start({
    environment: { EVENTS_MAX_STREAMS: '1' },
    middleware: (app) =>
      app.use((req, res, next) => {
        if (req.headers['x-impatient'] === undefined) return next();
        res.once('close', () => setImmediate(next));
        req.socket.destroy();
      }),
  });
  await expect(openStream(port, '/events', { 'x-impatient': 'yes' })).rejects.toThrow();
  await until(async () => (await openStream(port)).status === 200);
});

test('1,000 readers share the reads', async () => {
  const { port, service } = await start();
  const warnings: string[] = [];
  const warned = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', warned);
  const streams = await Promise.all(Array.from({ length: 1_000 }, () => openStream(port)));
  const reads = jest.spyOn(service.store.events!, 'read');
  for (let count = 0; count < 20; count++) await createDevice(port, String(count));
  await until(() => streams.every(({ received }) => received.length === 20));
  expect(new Set(streams.map((stream) => names(stream).join()))).toEqual(
    new Set([Array.from({ length: 20 }, (_, index) => String(index)).join()]),
  );
  // At most one read of each batch and one that finds no more.
  expect(reads.mock.calls.length).toBeLessThanOrEqual(50);
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});
