import { setLabelScope } from '../../../templates/runtime/scope';
import type { TestOptions, TestService } from '../harness';
import { send } from '../client';
import { createDevice, rename, startDevices, until } from './devices';
import { namesOf, startReceiver, type Receiver } from './receiver';

let service: TestService | undefined;
let receiver: Receiver;
/** The names of the resources that the receiver refuses. */
let refused: RegExp;

beforeEach(async () => {
  refused = /./;
  receiver = await startReceiver((res, { event }) => {
    res.writeHead(refused.test(String(event.data.resource.spec['name'])) ? 500 : 204).end();
  });
});

afterEach(() => service?.close());

async function start({ environment, ...options }: TestOptions = {}): Promise<TestService> {
  service = await startDevices({
    ...options,
    environment: {
      WEBHOOK_URLS: receiver.url,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      EVENTS_MAX_ATTEMPTS: '1',
      ...environment,
    },
  });
  return service;
}

interface Letter {
  id: number;
  consumer: string;
  event: { id: string; data: { resourceName: string } };
}

async function listed(query = ''): Promise<Letter[]> {
  return JSON.parse((await send(service!.port, 'GET', `/events/dead-letters${query}`)).text) as Letter[];
}

async function resend(
  query = '',
  headers = {},
): Promise<{ sent: number[]; failed: { id: number; error: string }[] }> {
  const { status, text } = await send(service!.port, 'POST', `/events/dead-letters/resend${query}`, {
    headers,
  });
  expect(status).toBe(200);
  return JSON.parse(text) as Awaited<ReturnType<typeof resend>>;
}

/** Has devices of these names made, whose events become dead letters in this order. */
async function bury(...names: string[]): Promise<Letter[]> {
  for (const [index, name] of names.entries()) {
    await createDevice(service!.port, name);
    await until(async () => (await listed()).length === index + 1);
  }
  receiver.messages.length = 0;
  return listed();
}

test('what is taken now is no dead letter any more, with the same id as before', async () => {
  await start();
  const letters = await bury('a', 'b');
  refused = /none/;
  expect(await resend()).toEqual({ sent: letters.map(({ id }) => id), failed: [] });
  expect(receiver.messages.map(({ event }) => event)).toEqual(letters.map(({ event }) => event));
  expect(await listed()).toEqual([]);
  expect(await resend()).toEqual({ sent: [], failed: [] });
});

test('what fails again stays, and says why; others of its resource wait for it', async () => {
  const { port } = await start({ environment: { EVENTS_CONCURRENCY: '1' } });
  const uid = await createDevice(port, 'a');
  await rename(port, uid, 'b');
  await until(async () => (await listed()).length === 2);
  await createDevice(port, 'c');
  await until(async () => (await listed()).length === 3);
  const [a, b, c] = await listed();
  refused = /a/;
  expect(await resend()).toMatchObject({
    sent: [c.id],
    failed: [
      { id: a.id, error: 'HTTP 500' },
      { id: b.id, error: 'not tried: an earlier one of this resource failed' },
    ],
  });
  expect(await listed()).toEqual([a, b]);
});

test('a consumer that fails three times is left alone', async () => {
  await start({ environment: { EVENTS_CONCURRENCY: '1' } });
  await bury('a', 'b', 'c', 'd', 'e');
  const errors = (await resend()).failed.map(({ error }) => error);
  const left = 'not tried: others for this consumer failed';
  expect(errors).toEqual(['HTTP 500', 'HTTP 500', 'HTTP 500', left, left]);
  expect(namesOf(receiver)).toEqual(['a', 'b', 'c']);
});

test('id, consumer, limit and the filters of the listing choose', async () => {
  await start();
  const [a, b, c, d] = await bury('a', 'b', 'c', 'd');
  refused = /none/;
  expect((await resend(`?id=${a.id}&id=${c.id}`)).sent).toEqual([a.id, c.id]);
  expect((await resend('?consumer=nobody')).sent).toEqual([]);
  expect((await resend('?type=io.svc.device.deleted')).sent).toEqual([]);
  expect((await resend(`?limit=1&consumer=${b.consumer}`)).sent).toEqual([b.id]);
  expect(await listed()).toEqual([d]);
});

test('a subscription in this process is told again; one that is gone cannot be', async () => {
  const { port, service: running } = await start({ environment: { WEBHOOK_URLS: '' } });
  const told: string[] = [];
  let fails = true;
  const handler = (): void => {
    if (fails) throw new Error('not now');
    told.push('told');
  };
  running.events.subscribe('*', handler, { name: 'stays' });
  const leaves = running.events.subscribe('*', handler, { name: 'leaves' });
  await createDevice(port);
  await until(async () => (await listed()).length === 2);
  await leaves.close();
  fails = false;
  const { sent, failed } = await resend();
  expect([sent.length, told]).toEqual([1, ['told']]);
  expect(failed).toEqual([
    expect.objectContaining({ consumer: 'subscriber:leaves', error: 'there is no such consumer any more' }),
  ]);
});

test('nobody has sent again what they may not see', async () => {
  await start({
    middleware: (app) =>
      app.use((req, _res, next) => {
        if (req.headers['x-tenant'] !== undefined)
          setLabelScope(req, { tenant: String(req.headers['x-tenant']) });
        next();
      }),
  });
  await createDevice(service!.port, 'theirs', { tenant: 'other' });
  await createDevice(service!.port, 'ours', { tenant: 'acme' });
  await until(async () => (await listed()).length === 2);
  receiver.messages.length = 0;
  refused = /none/;
  expect((await resend('', { 'x-tenant': 'acme' })).sent).toHaveLength(1);
  expect(namesOf(receiver)).toEqual(['ours']);
});

test.each([
  ['GET', '/events/dead-letters/resend', 405, 'POST, OPTIONS'],
  ['OPTIONS', '/events/dead-letters/resend', 204, 'POST, OPTIONS'],
  ['POST', '/events/dead-letters', 405, 'GET, HEAD, OPTIONS'],
  ['GET', '/events/dead-letters?limit=0', 400, undefined],
  ['POST', '/events/dead-letters/resend?limit=x', 400, undefined],
  ['POST', '/events/dead-letters/resend?kind=Nothing', 400, undefined],
  ['POST', '/events/dead-letters/resend?id=x', 400, undefined],
  ['POST', '/events/dead-letters/resend?id=1&id=', 400, undefined],
  // What is left of it would send everything.
  ['POST', '/events/dead-letters/resend?ids=1', 400, undefined],
])('%s %s is %i', async (method, path, status, allow) => {
  const { port } = await start();
  const answer = await send(port, method, path);
  expect([answer.status, answer.headers['allow']]).toEqual([status, allow]);
});

test('the listing names a parameter that it does not have', async () => {
  const { port } = await start();
  const known = 'type=*&kind=Device&labelSelector=&label=a&version=v1&limit=1&after=0';
  const answer = await send(port, 'GET', `/events/dead-letters?${known}&colour=red`);
  expect([answer.status, answer.headers['warning']]).toEqual([200, '299 - "unknown query parameter colour"']);
});

test('a page of large events ends early, and the next ones have the rest', async () => {
  const { port } = await start();
  const text = 'x'.repeat(450_000);
  for (let n = 0; n < 40; n++) await createDevice(port, `${n} ${text}`);
  await until(async () => (await service!.service.store.events.deadLetters(0, 100)).length === 40);
  const seen: number[] = [];
  const lengths: number[] = [];
  for (let next: string | undefined = '/events/dead-letters?limit=1000'; next !== undefined;) {
    const answer = await send(port, 'GET', next);
    seen.push(...(JSON.parse(answer.text) as Letter[]).map(({ id }) => id));
    lengths.push(answer.text.length);
    next = /^<(.*)>; rel="next"$/.exec(String(answer.headers['link']))?.[1];
  }
  expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  expect(Math.max(...lengths)).toBeLessThan(30_000_000);
});

test('the next page of the listing keeps the filters', async () => {
  await start();
  await bury('a', 'b', 'c');
  const { headers } = await send(service!.port, 'GET', '/events/dead-letters?limit=2&kind=Device&after=0');
  const [, next] = /^<(.*)>; rel="next"$/.exec(String(headers['link']))!;
  expect(next).toBe('/events/dead-letters?limit=2&kind=Device&after=2');
  expect(await listed(next.slice('/events/dead-letters'.length))).toHaveLength(1);
});
