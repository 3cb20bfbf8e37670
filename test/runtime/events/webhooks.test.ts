import dns from 'node:dns';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CloudEvent, HTTP } from 'cloudevents';
import type { StoredResourceEvent } from '../../../templates/runtime/events/log/cloud-event';
import { unmatchedTypes } from '../../../templates/runtime/events/log/known-kinds';
import { retryAfter } from '../../../templates/runtime/events/webhooks/webhook';
import { readWebhooks } from '../../../templates/runtime/events/webhooks/webhook-list';
import { signatureHeaders } from '../../../templates/runtime/events/webhooks/webhook-signature';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { JSON_TYPE, send } from '../support/client';
import type { TestService } from '../support/harness';
import { createDevice, rename, startDevices, until } from './devices';
import { namesOf, startReceiver } from './receiver';

let running: TestService[] = [];

async function start(environment: { [name: string]: string }): Promise<TestService> {
  const service = await startDevices({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true', ...environment } });
  running.push(service);
  return service;
}

afterEach(async () => {
  await Promise.all(running.map((service) => service.close()));
  running = [];
});

test('an event is sent in structured mode, as the SDK reads it, signed', async () => {
  const receiver = await startReceiver();
  const { port } = await start({
    WEBHOOK_URLS: `${receiver.url}/hook?x=1`,
    WEBHOOK_SECRET: 'old,whsec_bmV3',
  });
  const uid = await createDevice(port);
  await until(() => receiver.messages.length === 1);
  const [{ path, headers, body, event }] = receiver.messages;
  expect(path).toBe('/hook?x=1');
  expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
  expect(HTTP.toEvent({ headers, body })).toMatchObject({
    type: 'io.svc.device.created',
    source: `svc-api/resources/Device/${uid}`,
  });
  const time = Number(headers['webhook-timestamp']) * 1000;
  expect(Math.abs(Date.now() - time)).toBeLessThan(60_000);
  expect(headers).toMatchObject(signatureHeaders(event.id, time, body, ['old', 'whsec_bmV3']));
});

test('an event in structured mode is the stored text, byte for byte', async () => {
  const receiver = await startReceiver();
  const { port, service } = await start({ WEBHOOK_URLS: receiver.url });
  await createDevice(port, 'ünï 中 "🚲"', { env: 'prod' });
  await until(() => receiver.messages.length === 1);
  const events = await service.store.events!.read('0', { events: 10, bytes: 1_000_000 });
  expect(receiver.messages.map(({ body }) => body)).toEqual(events.map(({ text }) => text));
});

test('an event in binary mode has its attributes in headers, its data in the body, signed', async () => {
  const receiver = await startReceiver();
  const { port, service } = await start({
    WEBHOOK_URLS: receiver.url,
    WEBHOOK_MODE: 'binary',
    WEBHOOK_SECRET: 'old,new',
  });
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const body = { metadata: { name: 'ünï 中 "🚲"' }, spec: { name: 'a', location: 'b' } };
  await send(port, 'POST', '/devices', { headers: { ...JSON_TYPE, traceparent }, body });
  await until(() => receiver.messages.length === 1);
  const [{ headers, body: text }] = receiver.messages;
  const [stored] = await service.store.events!.read('0', { events: 10, bytes: 1_000_000 });
  const event = JSON.parse(stored.text) as StoredResourceEvent;
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'ce-specversion': '1.0',
    'ce-id': event.id,
    'ce-type': 'io.svc.device.created',
    'ce-source': event.source,
    'ce-time': event.time,
    'ce-traceparent': traceparent,
  });
  expect(text).toBe(JSON.stringify(event.data));
  expect((HTTP.toEvent({ headers, body: text }) as CloudEvent<unknown>).toJSON()).toEqual({ ...event });
  const time = Number(headers['webhook-timestamp']) * 1000;
  expect(headers).toMatchObject(signatureHeaders(event.id, time, text, ['old', 'new']));
});

test('patterns of types that no event of the service has are found', async () => {
  const { service } = await start({});
  const patterns = ['io.svc.device.*', 'io.svc.*.deleted', '*', 'io.svc.devise.*', 'io.svc.device.changed'];
  expect(unmatchedTypes(service.definition.groups, patterns)).toEqual(patterns.slice(3));
});

test('a webhook of the file may have a mode of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-events-'));
  const file = join(folder, 'webhooks.json');
  const [structured, binary] = [await startReceiver(), await startReceiver()];
  const hooks = [{ url: structured.url, mode: 'structured' }, { url: binary.url }];
  writeFileSync(file, JSON.stringify(hooks));
  const { port } = await start({ WEBHOOK_FILE: file, WEBHOOK_MODE: 'binary' });
  await createDevice(port);
  await until(() => structured.messages.length === 1 && binary.messages.length === 1);
  expect(structured.messages[0].headers['content-type']).toMatch(/^application\/cloudevents\+json/);
  expect(binary.messages[0].headers['content-type']).toBe('application/json');
  rmSync(folder, { recursive: true });
});

test('the trace of the request goes on, with a span for each attempt', async () => {
  const refused = new Set<string>();
  const receiver = await startReceiver((res, { event: { id } }) => {
    res.writeHead(refused.has(id) ? 204 : 503).end();
    refused.add(id);
  });
  const { port } = await start({ WEBHOOK_URLS: receiver.url });
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const headers = { ...JSON_TYPE, traceparent };
  await send(port, 'POST', '/devices', { headers, body: { spec: { name: 'a', location: 'b' } } });
  await until(() => receiver.messages.length === 2);
  expect(receiver.messages.map(({ event }) => event.traceparent)).toEqual([traceparent, traceparent]);
  const spans = receiver.messages.map(({ headers }) => String(headers['traceparent']));
  for (const span of spans) expect(span).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-01$/);
  expect(new Set([traceparent, ...spans]).size).toBe(3);
  await createDevice(port);
  await until(() => receiver.messages.length > 2);
  expect(receiver.messages[2].headers).not.toHaveProperty('traceparent');
});

test('a signature is that of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = signatureHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330_000, '{"test": 2432232314}', [
    secret,
  ]);
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('without a secret there is no signature', () => {
  expect(signatureHeaders('a', 0, '', [])).toEqual({ 'webhook-id': 'a', 'webhook-timestamp': '0' });
});

test.each([
  ['500', { status: 500 }],
  ['404', { status: 404 }],
  ['a redirect, which is not followed', { status: 302, headers: { Location: '/elsewhere' } }],
  ['503 with Retry-After', { status: 503, headers: { 'Retry-After': '0' } }],
])(
  'after %s an event is sent again with the same id',
  async (_, { status, headers }: { status: number; headers?: { [name: string]: string } }) => {
    let failures = 3;
    const receiver = await startReceiver((res) => {
      if (failures-- > 0) res.writeHead(status, headers).end('no');
      else res.writeHead(200).end('yes');
    });
    const { port } = await start({ WEBHOOK_URLS: receiver.url });
    const uid = await createDevice(port, 'a');
    await rename(port, uid, 'b');
    await until(() => receiver.messages.length === 5);
    expect(namesOf(receiver)).toEqual(['a', 'a', 'a', 'a', 'b']);
    expect(receiver.messages.map(({ path }) => path)).not.toContain('/elsewhere');
    expect(new Set(receiver.messages.map(({ event }) => event.id)).size).toBe(2);
  },
);

test('a receiver that does not respond is given up after a time; a response without end too', async () => {
  let count = 0;
  const receiver = await startReceiver((res) => {
    count += 1;
    if (count === 2) res.writeHead(200).write('…');
    if (count === 3) res.end();
  });
  const { port } = await start({ WEBHOOK_URLS: receiver.url, WEBHOOK_TIMEOUT_MS: '50' });
  await createDevice(port);
  await until(() => count >= 3);
});

test('a receiver that wants to change the protocol is tried again', async () => {
  let count = 0;
  const receiver = await startReceiver((res) => {
    count += 1;
    res.socket!.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
  });
  const { port } = await start({ WEBHOOK_URLS: receiver.url, WEBHOOK_TIMEOUT_MS: '50' });
  await createDevice(port);
  await until(() => count >= 2);
});

test('the connection of a receiver that responds without reading a message is closed', async () => {
  const receiver = createServer().listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const coming = once(receiver, 'connection');
  const { port, service } = await start({
    WEBHOOK_URLS: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    MAX_BODY_BYTES: '16000000',
  });
  const size = 6_000_000;
  await createDevice(port, 'x'.repeat(size));
  const [socket] = (await coming) as [Socket];
  await once(socket, 'data');
  socket.pause().write('HTTP/1.1 204 No Content\r\n\r\n');
  await until(() => [...service.events.lags().values()][0] === 0);
  let [length, isClosed] = [0, false];
  socket.on('data', (chunk) => (length += chunk.length)).on('close', () => (isClosed = true));
  socket.resume();
  await until(() => isClosed || length >= 3 * size);
  receiver.close();
  expect(length).toBeLessThan(3 * size);
});

test('of a response without end a little is read, and its status counts', async () => {
  let sent = 0;
  let taken: Promise<unknown> | undefined;
  const receiver = await startReceiver((res, { event }) => {
    if (event.data.resourceName !== 'endless') return void res.writeHead(204).end();
    res.writeHead(200);
    taken = once(res, 'close');
    const write = (): void => {
      while (!res.destroyed && res.write('x'.repeat(65_536))) sent += 65_536;
    };
    res.on('drain', write);
    write();
  });
  const { port } = await start({ WEBHOOK_URLS: receiver.url, WEBHOOK_MAX_RESPONSE_BYTES: '1000' });
  await createDevice(port, 'endless');
  await createDevice(port, 'next');
  await until(() => receiver.messages.length === 2);
  await taken;
  expect(namesOf(receiver)).toEqual(['endless', 'next']);
  // What the two sockets hold, on a connection that the service closed.
  expect(sent).toBeLessThan(16_000_000);
});

test('a pause that a receiver asks for is kept', async () => {
  const times: number[] = [];
  const receiver = await startReceiver((res) => {
    times.push(performance.now());
    res.writeHead(times.length === 1 ? 429 : 200, { 'Retry-After': '1' }).end();
  });
  const { port } = await start({ WEBHOOK_URLS: receiver.url });
  await createDevice(port);
  await until(() => times.length === 2);
  expect(times[1] - times[0]).toBeGreaterThanOrEqual(990);
});

test.each([
  ['120', 120_000],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After: %s is %s ms', (header, want) => {
  expect(retryAfter(header, 0)).toBe(want);
});

test('a dead webhook does not delay another; what it does not take becomes a dead letter', async () => {
  const alive = await startReceiver();
  const silent = await startReceiver(() => undefined);
  const { port, service } = await start({
    WEBHOOK_URLS: `http://127.0.0.1:1,${silent.url},${alive.url}`,
    EVENTS_MAX_ATTEMPTS: '3',
  });
  for (let count = 0; count < 20; count++) await createDevice(port, String(count));
  await until(() => alive.messages.length === 20);
  await until(async () => (await service.store.events!.deadLetters(0, 100)).length === 20);
  const response = await send(port, 'GET', '/events/dead-letters?limit=2');
  const letters = JSON.parse(response.text) as { [member: string]: unknown }[];
  expect(letters).toHaveLength(2);
  expect(letters[0]).toEqual({
    id: 1,
    consumer: expect.stringMatching(/^webhook:[0-9a-f]{16}$/) as string,
    attempts: 3,
    error: 'ECONNREFUSED',
    failedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    event: expect.objectContaining({ type: 'io.svc.device.created' }) as object,
  });
  const [, next] = /^<(.*)>; rel="next"$/.exec(response.headers['link'] as string)!;
  const rest = await send(port, 'GET', next.replace('limit=2', 'limit=100'));
  expect(JSON.parse(rest.text)).toHaveLength(18);
});

test('a name without an answer is looked up once at a time, however many deliveries wait for it', async () => {
  const { lookup } = dns;
  const asked: string[] = [];
  const spy = jest.spyOn(dns, 'lookup').mockImplementation(((name: string, ...rest: never[]) => {
    asked.push(name);
    if (name !== 'silent.example') (lookup as (...args: unknown[]) => void)(name, ...rest);
  }) as typeof dns.lookup);
  try {
    const receiver = await startReceiver();
    const { port, service } = await start({
      WEBHOOK_URLS: `http://silent.example,${receiver.url.replace('127.0.0.1', 'localhost')}`,
      WEBHOOK_TIMEOUT_MS: '1000',
      EVENTS_RETRY_MS: '1',
      EVENTS_MAX_ATTEMPTS: '2',
    });
    for (const name of ['a', 'b', 'c']) await createDevice(port, name);
    await until(async () => (await service.store.events!.deadLetters(0, 10)).length === 3);
    expect(asked.filter((name) => name === 'silent.example')).toHaveLength(1);
    expect(namesOf(receiver).toSorted()).toEqual(['a', 'b', 'c']);
  } finally {
    spy.mockRestore();
  }
});

test('a receiver is asked for no more than it takes at once', async () => {
  const open: ServerResponse[] = [];
  let most = 0;
  const receiver = await startReceiver((res) => {
    most = Math.max(most, open.push(res));
    // Both end together, a moment after the second has come: a third one would be noticed.
    if (open.length === 2) setTimeout(() => open.splice(0).forEach((each) => each.end()), 5);
  });
  const { port } = await start({ WEBHOOK_URLS: receiver.url, EVENTS_CONCURRENCY: '2' });
  await Promise.all(Array.from({ length: 30 }, (_, index) => createDevice(port, String(index))));
  await until(() => receiver.messages.length === 30);
  expect(most).toBe(2);
});

test('the position survives a restart, and a webhook that is new starts now', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-events-'));
  const DATABASE_URL = `sqlite:${folder}/service.db`;
  const [first, second] = [await startReceiver(), await startReceiver()];
  const one = await start({ DATABASE_URL, WEBHOOK_URLS: first.url });
  await createDevice(one.port, 'a');
  // What is not known to be delivered is delivered again.
  await until(
    () => first.messages.length === 1 && [...one.service.events.lags().values()].every((lag) => !lag),
  );
  await one.close();
  const two = await start({ DATABASE_URL, WEBHOOK_URLS: '' });
  await createDevice(two.port, 'b');
  await two.close();
  const three = await start({ DATABASE_URL, WEBHOOK_URLS: `${first.url}, ${second.url}` });
  running = [three];
  await createDevice(three.port, 'c');
  await until(() => first.messages.length === 3 && second.messages.length === 1);
  expect(namesOf(first).sort()).toEqual(['a', 'b', 'c']);
  expect(namesOf(second)).toEqual(['c']);
  await three.close();
  running = [];
  rmSync(folder, { recursive: true });
});

test('a file adds webhooks with names, types and secrets', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-events-'));
  const file = join(folder, 'webhooks.json');
  const receiver = await startReceiver();
  const hooks = [{ name: 'deletions', url: receiver.url, types: ['io.svc.device.updated'], secret: 's' }];
  writeFileSync(file, JSON.stringify(hooks));
  const { port } = await start({ WEBHOOK_FILE: file });
  await rename(port, await createDevice(port, 'a'), 'b');
  await until(() => receiver.messages.length === 1);
  expect(namesOf(receiver)).toEqual(['b']);
  expect(receiver.messages[0].headers['webhook-signature']).toMatch(/^v1,/);
  rmSync(folder, { recursive: true });
});

test.each([
  ['[{"secret":"hidden"', 'webhooks.json is not JSON'],
  ['{}', 'must be a JSON array'],
  ['[{"url":"ftp://a.example"}]', 'http://… or https://…'],
  ['[{"url":"x"}]', 'http://… or https://…'],
  ['[{}]', 'http://… or https://…'],
  ['[{"url":"http://a.example","typs":[]}]', 'unknown typs'],
  ['[{"url":"http://a.example","types":"*"}]', 'must be a list'],
  ['[{"url":"http://a.example","types":[]}]', 'must be a list'],
  ['[{"url":"http://a.example","types":[""]}]', 'must be a list'],
  ['[{"url":"http://a.example","name":1}]', 'name must be a non-empty string'],
  ['[{"url":"http://a.example","secret":1}]', 'secret must be a non-empty string'],
  ['[{"url":"http://a.example","secret":""}]', 'secret must be a non-empty string'],
  [
    '[{"url":"http://a.example","secret":"old,whsec_a-b_"}]',
    'number 1, secret, number 2: whsec_ must be followed by Base64',
  ],
  ['[{"url":"http://a.example","mode":"batch"}]', 'number 1: the mode must be one of structured, binary'],
  ['[{"url":"http://a.example","version":1}]', 'number 1: the version must be one of g/v1, g/v2'],
  ['[{"url":"http://a.example","version":"v3"}]', 'number 1: the version must be one of g/v1, g/v2'],
  ['[{"url":"http://a.example"},{"url":"http://a.example"}]', 'the same'],
])('the file %s is refused', (content, want) => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-events-'));
  const file = join(folder, 'webhooks.json');
  writeFileSync(file, content);
  expect(() => readWebhooks(readSettings({ WEBHOOK_FILE: file }), ['g/v1', 'g/v2'])).toThrow(want);
  rmSync(folder, { recursive: true });
});

test('a file may begin with a byte order mark', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-events-'));
  const file = join(folder, 'webhooks.json');
  writeFileSync(file, '\ufeff[{"url":"http://a.example"}]');
  expect(readWebhooks(readSettings({ WEBHOOK_FILE: file }), [])).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

test('a file that is not there is told by the name of its setting', () => {
  const settings = readSettings({ WEBHOOK_FILE: '/none/hooks.json' });
  expect(() => readWebhooks(settings, [])).toThrow('WEBHOOK_FILE=/none/hooks.json does not exist');
});

test.each([
  ['whsec_', false],
  ['whsec_a', false],
  ['whsec_bmV', true],
  ['whsec_bmV3', true],
  ['whsec_bmV3eA', true],
  ['whsec_bmV3eA==', true],
  ['whsec_bmV3eA=', false],
  ['whsec_bmV3 eA', false],
  ['whsec_bm_3', false],
  ['any text, but "whsec_"', true],
])('WEBHOOK_SECRET=%s is a secret: %s', (secret, want) => {
  const settings = readSettings({ WEBHOOK_SECRET: secret });
  const read = (): unknown => readWebhooks(settings, []);
  if (want) expect(read()).toEqual([]);
  else expect(read).toThrow('WEBHOOK_SECRET, number 1: whsec_ must be followed by Base64');
});

test.each([',', ' ', ' , '])('WEBHOOK_SECRET=%j, which would sign nothing, is refused', (secret) => {
  const settings = readSettings({ WEBHOOK_SECRET: secret });
  expect(() => readWebhooks(settings, [])).toThrow('WEBHOOK_SECRET has only spaces and commas');
});

describe('private addresses', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1'])(
    '%s is refused',
    async (host) => {
      const receiver = await startReceiver();
      const { port, service } = await start({
        WEBHOOK_URLS: receiver.url.replace('127.0.0.1', host),
        WEBHOOK_ALLOW_PRIVATE: 'false',
        EVENTS_MAX_ATTEMPTS: '1',
      });
      await createDevice(port);
      await until(async () => (await service.store.events!.deadLetters(0, 1)).length === 1);
      const [{ error }] = await service.store.events!.deadLetters(0, 1);
      expect(error).toBe('the address is private; WEBHOOK_ALLOW_PRIVATE=true allows it');
      expect(receiver.messages).toEqual([]);
    },
  );
});
