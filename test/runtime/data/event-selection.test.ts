import { LoggedEvent } from '../../../templates/runtime/events/log/logged-event';
import { QUICK, until } from '../events/devices';
import { openStream } from '../events/sse';
import { create, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { SHOP, shopProject } from './shop';

// Events that are selected by fields, live and on replay.

let service: TestService;
beforeEach(async () => void (service = await startService(shopProject(), { ...SHOP, environment: QUICK })));
afterEach(() => service.close());

const patch = (path: string, body: object) => send(service.port, 'PATCH', path, { headers: MERGE, body });

/** Returns the actions, names and attributes that a stream reports up to the part that is named `end`. */
async function reported(query: object): Promise<string[]> {
  const parameters = new URLSearchParams({ lastEventId: '0', ...query }).toString();
  const stream = await openStream(service.port, `/events?${parameters}`);
  await until(() => stream.received.some(({ event }) => event.data.resourceName === 'end'));
  stream.close();
  return stream.received
    .filter(({ event }) => event.data.resourceName !== 'end')
    .map(({ event }) =>
      [
        event.data.resourceName,
        event.data.action,
        ...(event.selection === undefined ? [] : [event.selection]),
      ].join(' '),
    );
}

const HISTORY = ['a created', 'a updated', 'a updated left'];

beforeEach(async () => {
  const { port } = service;
  const { path } = await create(
    port,
    '/parts',
    { sku: 'a', price: 1 },
    { name: 'a', labels: { env: 'prod' } },
  );
  await create(port, '/parts', { sku: 'b', price: 9 }, { name: 'b' });
  await patch(path, { spec: { price: 2.5 } });
  await patch(path, { spec: { price: 7 } });
  await patch(path, { spec: { serial: 'outside' } });
  await patch(path, { metadata: { labels: { env: 'dev' } } });
  await send(port, 'DELETE', path);
  await create(port, '/parts', { sku: 'end', price: 3 }, { name: 'end', labels: { env: 'prod' } });
});

test.each<[query: object, want: string[]]>([
  [{ fieldSelector: 'spec.price<5' }, HISTORY],
  [{ fieldSelector: 'spec.price<5', type: 'io.svc.part.updated' }, ['a updated', 'a updated left']],
  [{ version: 'v1beta1', fieldSelector: 'spec.cents in (250,300)' }, ['a updated', 'a updated left']],
  [
    { fieldSelector: 'spec.price!=9' },
    ['a created', 'a updated', 'a updated', 'a updated', 'a updated', 'a deleted'],
  ],
  [
    { fieldSelector: 'spec.price>2.6,metadata.name!=b,!spec.tags' },
    ['a updated', 'a updated', 'a updated', 'a deleted'],
  ],
  [
    { fieldSelector: 'spec.price<8', labelSelector: 'env=prod' },
    ['a created', 'a updated', 'a updated', 'a updated', 'a updated left'],
  ],
  [{ labelSelector: 'env=prod' }, ['a created', 'a updated', 'a updated', 'a updated', 'a updated left']],
  [
    { fieldSelector: '', labelSelector: 'env' },
    ['a created', 'a updated', 'a updated', 'a updated', 'a updated', 'a deleted'],
  ],
])('%j', async (query, want) => {
  if ('type' in query) await create(service.port, '/suppliers', {});
  const sentinel = 'type' in query;
  if (sentinel) {
    // The stream has no creations: the last update stands for the end.
    const [{ metadata }] = JSON.parse(
      (await send(service.port, 'GET', '/parts?fieldSelector=metadata.name%3Dend')).text,
    ) as [{ metadata: { uid: string } }];
    await patch(`/parts/${metadata.uid}`, { spec: { serial: 'x' } });
  }
  expect(await reported({ kind: 'Part', ...query })).toEqual(want);
});

test('a status write takes a resource out, live', async () => {
  const { port } = service;
  const stream = await openStream(port, '/events?kind=Part&fieldSelector=status.phase%3DReady');
  const { path } = await create(port, '/parts', { sku: 'c' });
  for (const phase of ['Ready', 'Ready', 'Gone', 'Gone', 'Ready'])
    await send(port, 'PUT', `${path}/status`, { headers: JSON_TYPE, body: { status: { phase } } });
  await until(() => stream.received.length >= 4);
  expect(
    stream.received.map(({ event }) => [event.data.resource.status?.['phase'], event.selection]),
  ).toEqual([
    ['Ready', undefined],
    ['Ready', undefined],
    ['Gone', 'left'],
    ['Ready', undefined],
  ]);
});

test('an event keeps no more of the state before than what its write changed', async () => {
  const events = await service.service.store.events!.read('0', { events: 100, bytes: 1e9 });
  const ofFirst = events.filter(({ text }) => text.includes('"resourceName":"a"'));
  expect(ofFirst.map((event) => Object.keys(new LoggedEvent(event).before.entries ?? {}))).toEqual([
    [],
    expect.arrayContaining(['spec.price', 'v1beta1:spec.cents']),
    expect.arrayContaining(['spec.price', 'v1beta1:spec.cents']),
    expect.not.arrayContaining(['spec.price']),
    expect.not.arrayContaining(['spec.price']),
    [],
  ]);
});

test.each([
  '/events?fieldSelector=spec.price%3E1',
  '/events?kind=Part&kind=Supplier&fieldSelector=spec.price',
  '/events?kind=Part&fieldSelector=spec.cents%3D1',
  '/events?kind=Part&fieldSelector=spec.price%3Dcheap',
  '/events?kind=Part&fieldSelector=a,',
  '/events/dead-letters?fieldSelector=spec.price',
])('400: %s', async (path) => {
  expect((await send(service.port, 'GET', path)).status).toBe(400);
});
