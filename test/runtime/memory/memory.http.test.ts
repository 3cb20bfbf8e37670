import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoryBudget } from '../../../templates/runtime/memory/memory-budget';
import type { Resource } from '../../../templates/runtime/model/resource';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { create, JSON_PATCH, JSON_TYPE, MERGE, send, sendRaw, statuses } from '../support/client';
import { startService, type TestOptions, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

let running: TestService[] = [];
afterEach(async () => {
  await Promise.all(running.map((service) => service.close()));
  running = [];
});

async function start(
  environment: { [name: string]: string } = {},
  options: TestOptions = {},
): Promise<TestService> {
  const service = await startService({ ...testProject(), events: true }, { environment, ...options });
  running.push(service);
  return service;
}

const USES = ['body', 'document', 'response', 'stored'] as const;

const usedBy = ({ service }: TestService): number[] => USES.map((use) => service.memory.used(use));

const LARGE = 'x'.repeat(300_000);
const THINGS = { spec: { any: LARGE } };
const NO_WAIT = { MEMORY_BUDGET_BYTES: '1000000', MEMORY_WAIT_MS: '0' };

/** A request whose body of so many bytes stops one byte before its end. */
async function unfinished(port: number, length: number, chunked = false): Promise<Socket> {
  const size = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length + 1}`;
  const body = chunked ? `${length.toString(16)}\r\n${' '.repeat(length)}\r\n` : ' '.repeat(length);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${size}\r\n\r\n${body}`,
  );
  return socket;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(5);
}

test.each([false, true])(
  'bodies beyond the budget get 503, small ones go on (chunked: %s)',
  async (chunked) => {
    const service = await start(NO_WAIT);
    const held = await unfinished(service.port, 300_000, chunked);
    await until(() => service.service.memory.used('body') >= 300_000);
    const refused = await send(service.port, 'POST', '/things', { headers: JSON_TYPE, body: THINGS });
    expect([refused.status, refused.headers['retry-after'], refused.headers['content-type']]).toEqual([
      503,
      '1',
      'application/problem+json',
    ]);
    expect((await send(service.port, 'GET', '/things')).text).toBe('[]');
    await create(service.port, '/things', { any: 1 });
    held.destroy();
    await until(() => service.service.memory.used('body') === 0);
    await create(service.port, '/things', { any: LARGE });
  },
);

test('a body that does not arrive is given up with 503 when another needs its memory', async () => {
  const service = await start({ MEMORY_BUDGET_BYTES: '1000000', MEMORY_WAIT_MS: '2000' });
  const held = await unfinished(service.port, 300_000);
  await until(() => service.service.memory.used('body') >= 300_000);
  const answered = new Promise<string>((resolve) => held.once('data', (data) => resolve(data.toString())));
  await create(service.port, '/things', { any: LARGE });
  expect(await answered).toMatch(/^HTTP\/1\.1 503 [^]*application\/problem\+json/);
});

test('large resources to clients that do not read are bounded, and are there again when they go', async () => {
  const service = await start({ MEMORY_BUDGET_BYTES: '12000000', MEMORY_WAIT_MS: '0' });
  const { path } = await create(service.port, '/things', { any: 'x'.repeat(1_000_000) });
  const sockets: Socket[] = [];
  // What the kernel does not take waits in the service, until there is too much of it.
  while ((await send(service.port, 'GET', path, { alone: true })).status === 200) {
    const socket = connect(service.port, '127.0.0.1').pause();
    socket.on('error', () => undefined).write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(10));
    sockets.push(socket);
  }
  expect(service.service.memory.used('response')).toBeLessThan(12_000_000);
  for (const socket of sockets) socket.destroy();
  await until(() => service.service.memory.used('response') === 0);
  expect((await send(service.port, 'GET', path)).status).toBe(200);
});

test.each([
  ['1', 503],
  ['2', 200],
])('of two pipelined streams only the first takes one of %s places', async (places, left) => {
  const service = await start({ EVENTS_MAX_STREAMS: places });
  const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
  const begun = new Promise((resolve) => socket.once('data', resolve));
  socket.write('GET /events HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
  await begun;
  expect((await send(service.port, 'HEAD', '/events')).status).toBe(left);
  socket.destroy();
  while ((await send(service.port, 'HEAD', '/events')).status !== 200) await setTimeout(5);
});

test('a list to a client that does not read is cut off after a time', async () => {
  const service = await start({ SEND_TIMEOUT_MS: '300' });
  for (let count = 0; count < 12; count++)
    await create(service.port, '/things', { any: 'x'.repeat(1_000_000) });
  const socket = connect(service.port, '127.0.0.1').pause();
  socket.on('error', () => undefined).write('GET /things?limit=100 HTTP/1.1\r\nHost: a\r\n\r\n');
  await until(() => service.service.memory.used('response') > 0);
  await until(() => service.service.memory.used('response') === 0);
  let length = 0;
  socket.on('data', (data) => (length += data.length));
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.resume();
  await closed;
  expect(length).toBeLessThan(12_000_000);
});

test('lists that wait for memory hold nothing of the parts that they have sent', async () => {
  const service = await start({ MEMORY_BUDGET_BYTES: '16000000', MEMORY_WAIT_MS: '600000' });
  for (let count = 0; count < 12; count++)
    await create(service.port, '/things', { any: 'x'.repeat(1_000_000) });
  const before = heapUsed();
  const sockets: Socket[] = [];
  const begun = ['/things', '/things?limit=100'].flatMap((path) =>
    Array.from({ length: 30 }, () => {
      const socket = connect(service.port, '127.0.0.1');
      sockets.push(socket.on('error', () => undefined));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      return new Promise((resolve) => socket.once('data', () => resolve(socket.pause())));
    }),
  );
  await Promise.all(begun);
  // On a busy machine the parts that were begun last may still be on their way.
  await until(() => heapUsed() - before < 15_000_000);
  for (const socket of sockets) socket.destroy();
  await until(() => service.service.memory.used('response') === 0);
});

/** Bytes that are in use after a garbage collection, on the heap and outside it. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('while a page is sent, what is created behind its end is not in it', async () => {
  const { port } = await start();
  for (let count = 0; count < 6; count++)
    await create(port, '/things', { any: LARGE }, { name: String(count) });
  const page = await send(port, 'GET', '/things?limit=4');
  const names = ({ text }: { text: string }): string[] =>
    (JSON.parse(text) as Resource[]).map(({ metadata }) => metadata.name);
  expect(names(page)).toEqual(['0', '1', '2', '3']);
  const next = /<([^>]+)>; rel="next"/.exec(page.headers['link'] as string)![1];
  await create(port, '/things', { any: 1 }, { name: '6' });
  const rest = await send(port, 'GET', next);
  expect([names(rest), rest.headers['link']]).toEqual([['4', '5', '6'], undefined]);
});

test('whatever becomes of a request, it gives its memory back', async () => {
  const service = await start(
    {},
    {
      hooks: {
        Thing: {
          validate: ({ spec }) => (spec['any'] === 'no' ? [{ pointer: '/spec/any', detail: 'no' }] : []),
          policy: { canDelete: () => ({ allowed: false }), canGet: () => ({ allowed: true }) },
        },
      },
    },
  );
  const { port } = service;
  const { path } = await create(port, '/things', { any: LARGE });
  const head = `Host: a\r\nContent-Type: application/json`;
  const requests: (() => Promise<unknown>)[] = [
    () => send(port, 'POST', '/things', { headers: JSON_TYPE, body: THINGS }),
    () => send(port, 'POST', '/things', { headers: JSON_TYPE, body: { spec: { any: 'no' } } }),
    () => send(port, 'POST', '/things', { headers: JSON_TYPE, body: '{"spec": ' }),
    () => send(port, 'POST', '/things', { headers: JSON_TYPE, body: Buffer.from([0x22, 0xff, 0x22]) }),
    () => send(port, 'POST', '/things', { headers: JSON_TYPE, body: '['.repeat(100_000) }),
    () => send(port, 'POST', '/things', { headers: JSON_TYPE, body: 'x'.repeat(1_100_000), alone: true }),
    () => send(port, 'PUT', path, { headers: { 'Content-Type': 'text/plain' }, body: 'x' }),
    () => send(port, 'PUT', path, { headers: { ...JSON_TYPE, 'If-Match': '"x"' }, body: THINGS }),
    () => send(port, 'PUT', '/things/thi-0000000000000000', { headers: JSON_TYPE, body: THINGS }),
    () => send(port, 'PATCH', path, { headers: MERGE, body: { metadata: { name: 'a' } } }),
    () => send(port, 'PATCH', path, { headers: JSON_PATCH, body: [{ op: 'remove', path: '/x' }] }),
    () => send(port, 'PATCH', path, { headers: MERGE, body: { spec: null } }),
    () => send(port, 'DELETE', path),
    () => send(port, 'GET', path),
    () => send(port, 'HEAD', path),
    () => send(port, 'GET', '/things'),
    () => send(port, 'HEAD', '/things?limit=2'),
    () => send(port, 'GET', '/things?limit=2'),
    () => send(port, 'GET', '/things?limit=1000'),
    () => sendRaw(port, `POST /things HTTP/1.1\r\n${head}\r\nContent-Length: 200000\r\n\r\n{`, 20),
    () => sendRaw(port, `POST /things HTTP/1.1\r\n${head}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{`, 20),
    () => sendRaw(port, `PUT ${path} HTTP/1.1\r\n${head}\r\nTransfer-Encoding: chunked\r\n\r\n!`, 20),
    () => sendRaw(port, `GET /things HTTP/1.1\r\n${head}\r\n\r\n`, 5),
    () => sendRaw(port, `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`.repeat(8), 5),
    () => sendRaw(port, `GET /events?lastEventId=0 HTTP/1.1\r\n${head}\r\n\r\n`, 30),
  ];
  for (const request of requests) {
    await request();
    await until(() => usedBy(service).every((used) => used === 0));
  }
  await Promise.all(requests.map((request) => request()));
  await until(() => usedBy(service).every((used) => used === 0));
});

test('a service that is broken under a request gets its memory back', async () => {
  const service = await start();
  const { store } = service.service;
  const { path } = await create(service.port, '/things', { any: LARGE });
  const methods = ['get', 'list', 'listTexts', 'write'] as const;
  for (const method of methods) {
    const real = store[method];
    Object.assign(store, { [method]: () => Promise.reject(new Error('broken')) });
    const headers = MERGE;
    await send(service.port, 'PATCH', path, { headers, body: { spec: { any: 1 } } });
    await send(service.port, 'GET', path);
    await send(service.port, 'GET', '/things').catch(() => undefined);
    await send(service.port, 'GET', '/things?limit=2').catch(() => undefined);
    Object.assign(store, { [method]: real });
    await until(() => usedBy(service).every((used) => used === 0));
  }
});

test('two services in one process have budgets of their own', async () => {
  const [one, other] = [await start(NO_WAIT), await start(NO_WAIT)];
  const held = await unfinished(one.port, 300_000);
  await until(() => one.service.memory.used('body') >= 300_000);
  await create(other.port, '/things', { any: LARGE });
  held.destroy();
});

test('a page of health, readiness or metrics needs no memory of the budget', async () => {
  const service = await start(NO_WAIT);
  for (const use of USES) {
    service.service.memory.take(use, 1_000);
    service.service.memory.take(use, 1_000_000);
  }
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect((await send(service.port, 'GET', path)).status).toBe(200);
  expect(statuses(await sendRaw(service.port, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n', 200))).toEqual([
    200,
  ]);
});

test('patches that make small resources large are bounded, too', async () => {
  const service = await start(NO_WAIT);
  const things = await Promise.all(
    Array.from({ length: 20 }, () => create(service.port, '/things', { any: ['x'.repeat(60_000)] })),
  );
  const body = Array.from({ length: 6 }, () => ({ op: 'copy', from: '/spec/any', path: '/spec/any/-' }));
  const found = new Set<number>();
  while (!found.has(503)) {
    const answers = await Promise.all(
      things.map(({ path }) => send(service.port, 'PATCH', path, { headers: JSON_PATCH, body })),
    );
    for (const { status } of answers) found.add(status);
    for (const { path } of things)
      await send(service.port, 'PUT', path, {
        headers: JSON_TYPE,
        body: { spec: { any: ['x'.repeat(60_000)] } },
      });
  }
  expect([...found].sort()).toEqual([200, 503]);
});

test('the budget is a quarter of what the process may have, and workers divide it', () => {
  const bytes = (environment: { [name: string]: string }): number =>
    memoryBudget(readSettings(environment)).bytes;
  expect(bytes({})).toBeGreaterThan(16_000_000);
  expect(bytes({ MEMORY_BUDGET_BYTES: '1000' })).toBe(1_000);
  expect(bytes({ MEMORY_BUDGET_BYTES: '1000', WORKERS: '4' })).toBe(250);
  expect(bytes({ WORKERS: '64' })).toBeLessThan(bytes({}));
});

test('the largest document that is allowed has room among the writes that wait', async () => {
  const service = await start({
    MEMORY_BUDGET_BYTES: '1000000',
    MAX_BODY_BYTES: '8388608',
    STORE_QUEUE_BYTES: '33554432',
  });
  // The body, a snapshot, an event and a response to repeat.
  const body = { spec: { name: 'a', location: 'b', config: { a: 'x'.repeat(8_300_000) } } };
  const headers = { ...JSON_TYPE, 'Idempotency-Key': 'once' };
  expect((await send(service.port, 'POST', '/devices', { headers, body })).status).toBe(201);
});

test.each(['', '/versions', '/versions/{versionId}'])(
  'pipelined requests for large resources read one row in each turn of the event loop: %s',
  async (suffix) => {
    const service = await start();
    const { store } = service.service;
    const spec = { name: 'a', location: 'b', config: { a: LARGE } };
    const { path, resource } = await create(service.port, '/devices', spec);
    const target = path + suffix.replace('{versionId}', String(resource.status?.['version']));
    let [now, most] = [0, 0];
    const counting = <Name extends string>(reads: { [name in Name]: unknown }, ...names: Name[]): void => {
      for (const name of names) {
        const read = (reads[name] as (...values: unknown[]) => unknown).bind(reads);
        reads[name] = (...values: unknown[]) => {
          if (now === 0) setImmediate(() => (now = 0));
          most = Math.max(most, (now += 1));
          return read(...values);
        };
      }
    };
    counting(store, 'get');
    counting(store.snapshots!, 'find', 'list');
    const request = `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const last = request.replace('Host', 'Connection: close\r\nHost');
    const found = await sendRaw(service.port, request.repeat(50) + last);
    expect(statuses(found)).toEqual(Array<number>(51).fill(200));
    // A policy and a snapshot need one more.
    expect(most).toBeLessThanOrEqual(3);
  },
);
