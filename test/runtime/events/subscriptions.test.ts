import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudEvent } from 'cloudevents';
import type { ResourceEvent, ResourceEventData } from '../../../templates/runtime/events/log/cloud-event';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';
import { createDevice, remove, rename, setPhase, startDevices, until } from './devices';

let running: TestService[] = [];

async function start(environment: { [name: string]: string } = {}): Promise<TestService> {
  const service = await startDevices({ environment });
  running.push(service);
  return service;
}

afterEach(async () => {
  await Promise.all(running.map((service) => service.close()));
  running = [];
});

const short = ({ type, data }: ResourceEvent): string =>
  `${type.replace('io.svc.', '')} ${data.resourceName}${data.metadata.updateType ? ' status' : ''}`;

test('every change is an event, in order', async () => {
  const { port, service } = await start();
  const seen: string[] = [];
  service.events.subscribe('*', (event) => void seen.push(short(event)));
  const uid = await createDevice(port);
  await rename(port, uid, 'lantern');
  await setPhase(port, uid, 'Ready');
  await remove(port, uid);
  await until(() => seen.length === 4);
  expect(seen).toEqual([
    'device.created lamp',
    'device.updated lamp',
    'device.updated lamp status',
    'device.deleted lamp',
  ]);
});

test('the event of a deletion carries the last state, in the time of the deletion', async () => {
  const { port, service } = await start();
  const seen: ResourceEvent[] = [];
  service.events.subscribe('io.svc.device.*', (event) => void seen.push(event));
  const uid = await createDevice(port);
  await setPhase(port, uid, 'Ready');
  await remove(port, uid);
  await until(() => seen.length === 3);
  expect(seen[2].data.resource).toEqual(seen[1].data.resource);
  expect(Date.parse(seen[2].time)).toBeGreaterThanOrEqual(Date.parse(seen[1].time));
});

test('an event is a CloudEvent of the SDK, with typed data', async () => {
  const { port, service } = await start();
  const seen: CloudEvent<ResourceEventData>[] = [];
  service.events.subscribe('*', (event) => void seen.push(event));
  const uid = await createDevice(port);
  await until(() => seen.length === 1);
  const [event] = seen;
  expect(event).toBeInstanceOf(CloudEvent);
  expect(event.validate()).toBe(true);
  expect(event.data?.resourceUID).toBe(uid);
  const [stored] = await service.store.events!.read('0', { events: 10, bytes: 1_000_000 });
  expect(JSON.parse(event.toString())).toEqual(JSON.parse(stored.text));
});

test.each([
  ['*', 3],
  ['io.svc.device.*', 3],
  ['io.svc.device.created', 1],
  ['io.svc.*.deleted', 1],
  ['*.device.*ed', 3],
  ['io.*.svc.*', 0],
  ['io.svc.device.created*created', 0],
  ['io.svc.device', 0],
  ['io.svc.book.*', 0],
])('%s matches %i of created, updated and deleted', async (pattern, want) => {
  const { port, service } = await start();
  let count = 0;
  let all = 0;
  service.events.subscribe(pattern, () => void (count += 1));
  service.events.subscribe('*', () => void (all += 1));
  const uid = await createDevice(port);
  await rename(port, uid, 'lantern');
  await remove(port, uid);
  await until(() => all === 3 && count >= want);
  expect(count).toBe(want);
});

test('a failing handler is called again, its resource waits, others go on', async () => {
  const { port, service } = await start();
  const seen: string[] = [];
  let failures = 5;
  const first = await createDevice(port, 'first');
  const second = await createDevice(port, 'second');
  service.events.subscribe('*', async ({ data }) => {
    await Promise.resolve();
    if (data.resourceUID === first && failures-- > 0) throw new Error('not yet');
    seen.push(`${data.resourceName} ${data.resource.spec['name'] as string}`);
  });
  await rename(port, first, 'a');
  await rename(port, first, 'b');
  await rename(port, second, 'c');
  await until(() => seen.length === 3);
  expect(seen).toEqual(['second c', 'first a', 'first b']);
});

test('an event that fails too often is given up; the next of its resource follows', async () => {
  const { port, service } = await start({ EVENTS_MAX_ATTEMPTS: '3' });
  const seen: string[] = [];
  let attempts = 0;
  const subscription = service.events.subscribe(
    '*',
    (event) => {
      if (event.type.endsWith('created')) {
        attempts += 1;
        throw new Error('never');
      }
      seen.push(short(event));
    },
    { name: 'audit' },
  );
  const uid = await createDevice(port);
  await rename(port, uid, 'lantern');
  await until(() => seen.length === 1);
  expect(attempts).toBe(3);
  const [letter] = await service.store.events!.deadLetters(0, 10);
  expect(letter).toMatchObject({ consumer: 'subscriber:audit', attempts: 3, error: 'never' });
  expect((JSON.parse(letter.text) as ResourceEvent).data.resourceUID).toBe(uid);
  await subscription.close();
});

test('a handler that never ends does not hold up requests or other subscribers', async () => {
  const { port, service } = await start();
  let seen = 0;
  service.events.subscribe('*', () => new Promise<void>(() => undefined));
  service.events.subscribe('*', () => void (seen += 1));
  const uid = await createDevice(port);
  for (let count = 0; count < 20; count++) await rename(port, uid, `lamp ${count}`);
  await until(() => seen === 21);
});

test('consumers share the memory of events that they run ahead with', async () => {
  // A sixteenth of it is 4 KiB for each of them.
  const { port, service } = await start({ MEMORY_BUDGET_BYTES: String(2 * 1_048_576) });
  const failing = Array.from({ length: 31 }, () => ({ calls: 0, uids: new Set<string>() }));
  for (const one of failing)
    service.events.subscribe('*', ({ data }) => {
      one.calls += 1;
      one.uids.add(data.resourceUID);
      throw new Error('never');
    });
  let seen = 0;
  service.events.subscribe('*', () => void (seen += 1));
  for (let count = 0; count < 30; count++) await createDevice(port);
  await until(() => seen === 30 && failing.every(({ calls }) => calls >= 60));
  expect(Math.max(...failing.map(({ uids }) => uids.size))).toBeLessThan(15);
});

test('an ended subscription is told nothing more', async () => {
  const { port, service } = await start();
  const seen: string[] = [];
  let others = 0;
  const subscription = service.events.subscribe('*', (event) => void seen.push(short(event)));
  service.events.subscribe('*', () => void (others += 1));
  await createDevice(port, 'a');
  await until(() => seen.length === 1);
  await subscription.close();
  await createDevice(port, 'b');
  await until(() => others === 2);
  expect(seen).toEqual(['device.created a']);
});

test('events that wait for a free handler are not delivered after the end of a subscription', async () => {
  const { port, service } = await start({ EVENTS_CONCURRENCY: '1' });
  const seen: string[] = [];
  let go = (): void => undefined;
  const busy = new Promise<void>((resolve) => (go = resolve));
  let others = 0;
  const subscription = service.events.subscribe('*', (event) => {
    seen.push(short(event));
    return busy;
  });
  service.events.subscribe('*', () => void (others += 1));
  for (const name of ['a', 'b', 'c']) await createDevice(port, name);
  await until(() => others === 3);
  await subscription.close();
  go();
  await createDevice(port, 'd');
  await until(() => others === 4);
  expect(seen).toEqual(['device.created a']);
});

test('every handler has an object of its own', async () => {
  const { port, service } = await start();
  const seen: unknown[] = [];
  for (let count = 0; count < 2; count++) {
    service.events.subscribe('*', (event) => {
      seen.push(event.data.resource.spec['name']);
      event.data.resource.spec['name'] = 'changed';
    });
  }
  await createDevice(port);
  await until(() => seen.length === 2);
  expect(seen).toEqual(['lamp', 'lamp']);
});

describe('a durable subscription', () => {
  let folder: string;
  let environment: { [name: string]: string };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svcgen-events-'));
    environment = { DATABASE_URL: `sqlite:${folder}/service.db` };
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('goes on after a restart where it was', async () => {
    const seen: string[] = [];
    const before = await start(environment);
    before.service.events.subscribe('*', (event) => void seen.push(short(event)), { name: 'audit' });
    await createDevice(before.port, 'a');
    await until(() => seen.length === 1);
    await before.close();
    const between = await start(environment);
    await createDevice(between.port, 'b');
    await between.close();
    const after = await start(environment);
    after.service.events.subscribe('*', (event) => void seen.push(short(event)), { name: 'audit' });
    await until(() => seen.length === 2);
    expect(seen).toEqual(['device.created a', 'device.created b']);
    running = [after];
  });

  test.each([
    ['now', ['device.created b']],
    ['oldest', ['device.created a', 'device.created b']],
  ] as const)('that is new begins %s', async (from, want) => {
    const { port, service } = await start(environment);
    const seen: string[] = [];
    await createDevice(port, 'a');
    service.events.subscribe('*', (event) => void seen.push(short(event)), { name: 'audit', from });
    await createDevice(port, 'b');
    await until(() => seen.length === want.length);
    expect(seen).toEqual(want);
  });

  test('is served by one process at a time; another takes over', async () => {
    const seen: [process: number, event: string][] = [];
    const one = await start(environment);
    const two = await start(environment);
    one.service.events.subscribe('*', (event) => void seen.push([1, short(event)]), { name: 'audit' });
    two.service.events.subscribe('*', (event) => void seen.push([2, short(event)]), { name: 'audit' });
    await createDevice(two.port, 'a');
    await until(() => seen.length === 1);
    await createDevice(one.port, 'b');
    await until(() => seen.length === 2);
    const [[first]] = seen;
    await [one, two][first - 1].close();
    const left = [one, two][2 - first];
    running = [left];
    await createDevice(left.port, 'c');
    await until(() => seen.length === 3);
    expect(seen).toEqual([
      [first, 'device.created a'],
      [first, 'device.created b'],
      [3 - first, 'device.created c'],
    ]);
  });

  test('whose events are no longer kept goes on with the oldest that is', async () => {
    const { port, service } = await start(environment);
    const seen: string[] = [];
    const options = { name: 'audit', from: 'oldest' } as const;
    await service.events.subscribe('*', () => undefined, options).close();
    for (const name of ['a', 'b', 'c']) await createDevice(port, name);
    const hold = { consumer: 'subscriber:audit', owner: 'test', leaseMs: -3_600_001 };
    await service.store.events!.claim(hold, 'oldest');
    await service.store.events!.advance(hold, '1');
    await service.store.events!.prune({ events: 1, days: 7 }, 10);
    service.events.subscribe('*', (event) => void seen.push(short(event)), options);
    await until(() => seen.length === 1);
    expect(seen).toEqual(['device.created c']);
  });
});

test('a name is taken once in a process', async () => {
  const { service } = await start();
  const subscription = service.events.subscribe('*', () => undefined, { name: 'audit' });
  expect(() => service.events.subscribe('*', () => undefined, { name: 'audit' })).toThrow('already');
  await subscription.close();
  service.events.subscribe('*', () => undefined, { name: 'audit' });
});

test('a consumer that another process has taken over has no lag here', async () => {
  const { port, service } = await start({ EVENTS_LEASE_MS: '100' });
  const fails = (): never => {
    throw new Error('fails');
  };
  service.events.subscribe('*', fails, { name: 'audit' });
  const lag = (): number => service.events.lags().get('subscriber:audit')!;
  await createDevice(port, 'a');
  await until(() => lag() > 0);
  const log = service.store.events!;
  jest.spyOn(log, 'advance').mockResolvedValue(false);
  jest.spyOn(log, 'claim').mockResolvedValue(undefined);
  await until(() => lag() === 0);
});

test('a project without events has none to subscribe to, and no log', async () => {
  const without = await startService(testProject());
  running.push(without);
  expect(without.service).not.toHaveProperty('events');
  await createDevice(without.port);
  expect(without.service.store.events).toBeUndefined();
});

test.each<[what: string, thrown: unknown]>([
  ['null', null],
  ['an object without a prototype', Object.create(null)],
  ['an error whose message is no text', Object.assign(new Error(), { message: 5n })],
])('an event whose handler throws %s is delivered again', async (_what, thrown) => {
  const { port, service } = await start({ EVENTS_RETRY_MS: '1' });
  let calls = 0;
  service.events.subscribe('*', () => {
    if ((calls += 1) === 1) throw thrown;
  });
  await createDevice(port);
  await until(() => calls === 2);
});
