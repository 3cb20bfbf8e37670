import { getEventListeners } from 'node:events';
import { devNull } from 'node:os';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import type { Policy } from '../../../templates/runtime/model/kinds/kind';
import type { Resource } from '../../../templates/runtime/model/resource';
import { create, send } from '../support/client';
import type { TestOptions, TestService } from '../support/harness';
import { startProcess } from '../support/service-process';
import { createDevice, rename, startDevices, until } from './devices';
import { namesOf, type Receiver, startReceiver } from './receiver';

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
  event: { id: string; data: { resourceName: string; resource: Resource } };
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

test('a resend leaves nothing behind', async () => {
  await start();
  const any = jest.spyOn(AbortSignal, 'any');
  await resend();
  const ofResend = any.mock.calls.findIndex(([signals]) =>
    [...signals].includes(service!.service.events.stopping),
  );
  const { value: signal } = any.mock.results[ofResend];
  any.mockRestore();
  await until(() => (signal as AbortSignal).aborted);
  expect(getEventListeners(signal as AbortSignal, 'abort')).toEqual([]);
});

test('Node takes many deliveries of a resend for no leak', async () => {
  const environment = {
    WEBHOOK_URLS: receiver.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    EVENTS_MAX_ATTEMPTS: '1',
    EVENTS_CONCURRENCY: '20',
    AUDIT: devNull,
  };
  const { port, child } = await startProcess(environment, 'events/device-child.ts');
  let errors = '';
  child.stderr!.on('data', (data: Buffer) => (errors += data.toString()));
  const names = Array.from({ length: 12 }, (_, n) => `many ${n}`);
  await Promise.all(names.map((name) => createDevice(port, name)));
  const letters = async (): Promise<Letter[]> =>
    JSON.parse((await send(port, 'GET', '/events/dead-letters')).text) as Letter[];
  await until(async () => (await letters()).length === names.length);
  refused = /none/;
  expect((await send(port, 'POST', '/events/dead-letters/resend')).status).toBe(200);
  expect([await letters(), errors]).toEqual([[], '']);
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

test('a subscription in this process is delivered again; one that is gone cannot be', async () => {
  const { port, service: running } = await start({ environment: { WEBHOOK_URLS: '' } });
  const delivered: string[] = [];
  let fails = true;
  const handler = (): void => {
    if (fails) throw new Error('not now');
    delivered.push('delivered');
  };
  running.events.subscribe('*', handler, { name: 'stays' });
  const leaves = running.events.subscribe('*', handler, { name: 'leaves' });
  await createDevice(port);
  await until(async () => (await listed()).length === 2);
  await leaves.close();
  fails = false;
  const { sent, failed } = await resend();
  expect([sent.length, delivered]).toEqual([1, ['delivered']]);
  expect(failed).toEqual([
    expect.objectContaining({ consumer: 'subscriber:leaves', error: 'the consumer no longer exists' }),
  ]);
});

test('a resend responds before its connection is closed, with what it could not send in time', async () => {
  receiver = await startReceiver((res, { event }) => {
    if (refused.test(String(event.data.resource.spec['name']))) res.writeHead(500).end();
    else setTimeout(() => res.writeHead(204).end(), 400);
  });
  await start({ environment: { EVENTS_CONCURRENCY: '1', STALL_TIMEOUT_MS: '2000' } });
  const letters = await bury('a', 'b', 'c', 'd', 'e', 'f');
  refused = /none/;
  const { sent, failed } = await resend();
  expect(sent.length).toBeGreaterThan(0);
  expect([...sent, ...failed.map(({ id }) => id)]).toEqual(letters.map(({ id }) => id));
  expect(failed.at(-1)!.error).toBe('not tried: the time of the request is over');
  expect((await listed()).map(({ id }) => id)).toEqual(failed.map(({ id }) => id));
});

test('a handler that never ends does not hold up the response to a resend', async () => {
  const { service: running } = await start({ environment: { WEBHOOK_URLS: '', STALL_TIMEOUT_MS: '1000' } });
  let fails = true;
  const handler = (): Promise<void> =>
    fails ? Promise.reject(new Error('not now')) : new Promise(() => undefined);
  running.events.subscribe('*', handler, { name: 'silent' });
  await bury('a');
  fails = false;
  const { failed } = await resend();
  expect(failed.map(({ error }) => error)).toEqual(['the time of the request is over']);
  expect(running.memory.used('document')).toBe(0);
});

test('others get their responses while a resend looks through many letters', async () => {
  const { service: running } = await start();
  await bury('a');
  const log = running.store.events!;
  const [letter] = await log.deadLetters(0, 1);
  const buried = Array.from({ length: 400 }, (_, n) =>
    log.bury({ ...letter, position: String(1_000 + n) }, 1_000),
  );
  await Promise.all(buried);
  let ticks = 0;
  const count = (): void => void ((ticks += 1), (tick = setImmediate(count)));
  let tick = setImmediate(count);
  expect(await resend('?type=io.svc.device.deleted')).toEqual({ sent: [], failed: [] });
  clearImmediate(tick);
  expect(ticks).toBeGreaterThan(40);
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

describe('a policy', () => {
  const allowed = { allowed: true };
  const ofHeader: Policy<Resource>['canManageDeadLetters'] = ({ request, resource }) => {
    expect(resource).toBeUndefined();
    return { allowed: request.headers['x-role'] === 'operator' };
  };
  const statuses = async (query = '', headers = {}): Promise<number[]> => {
    const listing = await send(service!.port, 'GET', `/events/dead-letters${query}`, { headers });
    const resending = await send(service!.port, 'POST', `/events/dead-letters/resend${query}`, { headers });
    for (const { status, headers } of [listing, resending])
      if (status === 403) expect(headers['content-type']).toBe('application/problem+json');
    return [listing.status, resending.status];
  };
  const buried = (count: number): Promise<void> =>
    until(async () => (await service!.service.store.events!.deadLetters(0, 10)).length === count);
  const operator = { 'x-role': 'operator' };

  test.each<
    [name: string, policies: { [kind: string]: Policy<Resource> }, refused: number[], granted: number[]]
  >([
    ['is empty', { Device: {} }, [403, 403], [403, 403]],
    [
      'has other permissions',
      { Device: { canList: () => allowed, canUpdate: () => allowed } },
      [403, 403],
      [403, 403],
    ],
    ['is that of another kind', { Book: { canUpdate: () => allowed } }, [403, 403], [403, 403]],
    ['grants it to some', { Device: { canManageDeadLetters: ofHeader } }, [403, 403], [200, 200]],
    [
      'grants it, but not to list',
      { Device: { canManageDeadLetters: ofHeader, canList: () => ({ allowed: false }) } },
      [403, 403],
      [403, 403],
    ],
  ])('that %s', async (_name, policies, refusedWith, grantedWith) => {
    const hooks = Object.fromEntries(Object.entries(policies).map(([kind, policy]) => [kind, { policy }]));
    await start({ hooks });
    await createDevice(service!.port, 'a');
    await buried(1);
    expect(await statuses()).toEqual(refusedWith);
    expect(await statuses('?kind=Device')).toEqual(refusedWith);
    expect(await service!.service.store.events!.deadLetters(0, 10)).toHaveLength(1);
    receiver.messages.length = 0;
    refused = /none/;
    expect(await statuses('?kind=Device', operator)).toEqual(grantedWith);
    expect(await statuses('', operator)).toEqual(grantedWith);
    expect(namesOf(receiver)).toEqual(grantedWith[0] === 200 ? ['a'] : []);
  });

  test('of one kind grants the letters of that kind alone', async () => {
    const canManageDeadLetters = ofHeader;
    await start({ hooks: { Device: { policy: { canManageDeadLetters } } } });
    await createDevice(service!.port, 'a');
    await create(service!.port, '/books', { title: 'b', author: 'c' }, { name: 'b' });
    await buried(2);
    expect(await statuses('?kind=Book', operator)).toEqual([403, 403]);
    const { text } = await send(service!.port, 'GET', '/events/dead-letters', { headers: operator });
    expect((JSON.parse(text) as Letter[]).map(({ event }) => event.data.resourceName)).toEqual(['a']);
    refused = /none/;
    expect((await resend('', operator)).sent).toHaveLength(1);
    const [left] = await service!.service.store.events!.deadLetters(0, 10);
    expect(left.kind).toBe('example.svc.dev/Book');
  });

  test('hides the letters of resources that the caller may not get', async () => {
    const policy: Policy<Resource> = {
      canManageDeadLetters: () => allowed,
      canGet: ({ resource }) => ({ allowed: resource?.metadata.name === 'mine' }),
    };
    await start({ hooks: { Device: { policy } } });
    for (const name of ['theirs', 'mine']) await createDevice(service!.port, name);
    await buried(2);
    expect((await listed()).map(({ event }) => event.data.resourceName)).toEqual(['mine']);
    refused = /none/;
    expect((await resend()).sent).toHaveLength(1);
    expect(await service!.service.store.events!.deadLetters(0, 10)).toHaveLength(1);
  });
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
  const response = await send(port, method, path);
  expect([response.status, response.headers['allow']]).toEqual([status, allow]);
});

test('the listing names a parameter that it does not have', async () => {
  const { port } = await start();
  const known = 'type=*&kind=Device&labelSelector=&label=a&version=v1&limit=1&after=0';
  const response = await send(port, 'GET', `/events/dead-letters?${known}&colour=red`);
  expect([response.status, response.headers['warning']]).toEqual([
    200,
    '299 - "unknown query parameter colour"',
  ]);
});

test('a page of large events ends early, and the next ones have the rest', async () => {
  const { port } = await start();
  const text = 'x'.repeat(450_000);
  for (let n = 0; n < 40; n++) await createDevice(port, `${n} ${text}`);
  await until(async () => (await service!.service.store.events!.deadLetters(0, 100)).length === 40);
  const seen: number[] = [];
  const lengths: number[] = [];
  for (let next: string | undefined = '/events/dead-letters?limit=1000'; next !== undefined;) {
    const response = await send(port, 'GET', next);
    seen.push(...(JSON.parse(response.text) as Letter[]).map(({ id }) => id));
    lengths.push(response.text.length);
    next = /^<(.*)>; rel="next"$/.exec(String(response.headers['link']))?.[1];
  }
  expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  expect(Math.max(...lengths)).toBeLessThan(30_000_000);
});

test('a page of the listing has as many letters as its limit, whatever its filters leave out', async () => {
  await start();
  await bury('a', 'b', 'c');
  refused = /none/;
  await resend('?type=*.created&limit=1');
  const uid = (await listed())[0].event.data.resource.metadata.uid;
  refused = /./;
  for (const name of ['d', 'e']) await rename(service!.port, uid, name);
  await until(async () => (await listed()).length === 4);
  const [first, second] = (await listed('?type=*.updated')).map(({ id }) => id);
  const pages = ['', `&after=${first}`].map((after) => listed(`?type=*.updated&limit=1${after}`));
  expect((await Promise.all(pages)).map((page) => page.map(({ id }) => id))).toEqual([[first], [second]]);
});

test('the next page of the listing keeps the filters', async () => {
  await start();
  await bury('a', 'b', 'c');
  const { headers } = await send(service!.port, 'GET', '/events/dead-letters?limit=2&kind=Device&after=0');
  const [, next] = /^<(.*)>; rel="next"$/.exec(String(headers['link']))!;
  expect(next).toBe('/events/dead-letters?limit=2&kind=Device&after=2');
  expect(await listed(next.slice('/events/dead-letters'.length))).toHaveLength(1);
});
