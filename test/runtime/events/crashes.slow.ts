import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResourceEvent } from '../../../templates/runtime/events/log/cloud-event';
import type { Resource } from '../../../templates/runtime/model/resource';
import { create, JSON_TYPE, send } from '../support/client';
import { type ServiceProcess, startProcess } from '../support/service-process';
import { audited } from './audit';
import { listDevices, QUICK, until } from './devices';
import { type Receiver, startReceiver } from './receiver';
import { openStream } from './sse';

/** Number of times that the service is killed in the middle of its work. */
const KILLS = 4;
const WRITERS = 8;

let folder: string;
let receiver: Receiver;
let service: ServiceProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen-crash-'));
  receiver = await startReceiver();
});

afterEach(async () => {
  if (service.child.exitCode === null) service.child.kill('SIGKILL');
  await service.ended;
  rmSync(folder, { recursive: true });
});

function start(): Promise<ServiceProcess> {
  return startProcess(
    {
      ...QUICK,
      EVENTS_LEASE_MS: '400',
      DATABASE_URL: `sqlite:${folder}/service.db`,
      AUDIT: `${folder}/audit`,
      WEBHOOK_URLS: receiver.url,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    'events/device-child.ts',
  );
}

/** Creates, renames, sets the status of and deletes devices until the service dies. */
async function writeUntilDeath(port: number, name: string): Promise<void> {
  const body = (count: number) => ({
    metadata: { labels: { env: count % 2 === 0 ? 'prod' : 'dev' } },
    spec: { name: `${name} ${count}`, location: 'hall' },
  });
  try {
    for (let count = 0; ; count++) {
      const { metadata, spec } = body(count);
      const { path } = await create(port, '/devices', spec, { name, ...metadata });
      await send(port, 'PUT', path, { headers: JSON_TYPE, body: body(count + 1) });
      await send(port, 'PUT', `${path}/status`, { headers: JSON_TYPE, body: { status: { phase: 'Ready' } } });
      if (count % 3 === 0) await send(port, 'DELETE', path);
    }
  } catch {
    // The service was killed.
  }
}

async function kill(): Promise<void> {
  service.child.kill('SIGKILL');
  await service.ended;
}

/** An earlier list after these events; what they take out of the selection is in the list no more. */
function replay(list: Resource[], events: ResourceEvent[], isSelected = anything): Resource[] {
  const resources = new Map(list.map((resource) => [resource.metadata.uid, resource]));
  for (const { data } of events) {
    if (data.action === 'deleted' || !isSelected(data.resource)) resources.delete(data.resourceUID);
    else resources.set(data.resourceUID, data.resource);
  }
  return [...resources.values()];
}

/** The events without those that were told again, in the order in which each was told first. */
function distinct(events: ResourceEvent[]): ResourceEvent[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

/** The ids of the events of each resource, in order; the last telling of a repetition counts for nothing. */
function byResource(events: ResourceEvent[]): { [uid: string]: string[] } {
  const found: { [uid: string]: string[] } = {};
  for (const { id, data } of distinct(events)) (found[data.resourceUID] ??= []).push(id);
  return found;
}

test('through kills at any moment every change reaches every consumer, in order per resource', async () => {
  service = await start();
  const initial = await listDevices(service.port);
  expect(initial).toEqual([]);
  for (let count = 0; count < KILLS; count++) {
    const enough = receiver.messages.length + 60 + 20 * count;
    const writers = Array.from({ length: WRITERS }, (_, index) =>
      writeUntilDeath(service.port, `writer ${count} ${index}`),
    );
    await until(() => receiver.messages.length >= enough);
    await kill();
    await Promise.all(writers);
    service = await start();
  }

  const list = await listDevices(service.port);
  const stream = await openStream(service.port, '/events?lastEventId=0');
  await until(() => same(replay([], streamed()), list));
  const all = streamed();
  function streamed(): ResourceEvent[] {
    return stream.received.map(({ event }) => event);
  }
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);

  // Every consumer has had what the stream has: nothing is lost, nothing is out of order.
  const told = (): ResourceEvent[] => audited(`${folder}/audit`);
  const sent = (): ResourceEvent[] => receiver.messages.map(({ event }) => event);
  await until(() => distinct(sent()).length >= all.length && distinct(told()).length >= all.length);
  expect(byResource(sent())).toEqual(byResource(all));
  expect(byResource(told())).toEqual(byResource(all));
});

/** What streams and lists select, and what of it has to be in such a list. */
const SELECTIONS: [query: string, isSelected: (resource: Resource) => boolean][] = [
  ['', anything],
  ['labelSelector=env%3Dprod', ({ metadata }) => metadata.labels?.['env'] === 'prod'],
];

test('streams that are resumed through kills, over earlier lists, give the later lists exactly', async () => {
  service = await start();
  const first = writeUntilDeath(service.port, 'early');
  await until(() => receiver.messages.length >= 30);
  const followed = await Promise.all(
    SELECTIONS.map(async ([query, isSelected]) => {
      const stream = await openStream(service.port, `/events?${query}`);
      const earlier = await listDevices(service.port, query);
      expect(earlier.length).toBeGreaterThan(0);
      return { query, isSelected, stream, earlier, events: [] as ResourceEvent[] };
    }),
  );
  const writing: Promise<void>[] = [first];
  for (let count = 0; count < KILLS; count++) {
    for (let index = 0; index < WRITERS; index++) {
      writing.push(writeUntilDeath(service.port, `writer ${count} ${index}`));
    }
    await until(() => followed.every(({ stream }) => stream.received.length >= 25));
    await kill();
    await Promise.all(writing.splice(0));
    const before = followed.map(({ stream }) => stream);
    service = await start();
    for (const [index, { ended, received, lastId }] of before.entries()) {
      await ended;
      followed[index].events.push(...received.map(({ event }) => event));
      const path = `/events?${followed[index].query}`;
      followed[index].stream = await openStream(service.port, path, { 'last-event-id': lastId });
    }
  }
  for (const { query, isSelected, stream, earlier, events } of followed) {
    const later = await listDevices(service.port, query);
    const seen = (): ResourceEvent[] => [...events, ...stream.received.map(({ event }) => event)];
    await until(() => same(byUid(replay(earlier, seen(), isSelected)), byUid(later)));
    expect(new Set(seen().map(({ id }) => id)).size).toBe(seen().length);
  }
});

test('SIGTERM ends the streams at once, exit code 0', async () => {
  service = await start();
  const stream = await openStream(service.port);
  service.child.kill('SIGTERM');
  await stream.ended;
  expect(await service.ended).toBe(0);
});

/** What comes into a selection later than it was made stands elsewhere in the list. */
function byUid(list: Resource[]): Resource[] {
  return list.toSorted((one, other) => (one.metadata.uid < other.metadata.uid ? -1 : 1));
}

function anything(_resource: Resource): boolean {
  return true;
}

const same = (one: Resource[], other: Resource[]): boolean => JSON.stringify(one) === JSON.stringify(other);
