import type { Response } from 'express';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import type { Resource } from '../../../templates/runtime/model/resource';
import { create, MERGE, send } from '../support/client';
import { onBothStores } from '../support/databases';
import { Cluster, devices } from './devices';
import { count, openWatch, short, type Watching } from './watching';

const EU = { location: 'eu' };

onBothStores((makeUrl) => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await Cluster.start({ environment: { DATABASE_URL: await makeUrl() } });
  });
  afterAll(() => cluster?.close());
  afterEach(async () => {
    for (const path of ['/devices', '/rooms']) {
      const { body } = await cluster.get(path);
      for (const { metadata } of body) await send(cluster.port, 'DELETE', `${path}/${metadata.uid}`);
    }
  });

  const watch = (query: string, version = 'v1', accept?: string): Promise<Watching> =>
    openWatch(
      cluster.port,
      `${devices(version)}?watch=true&${query}`,
      accept === undefined ? {} : { Accept: accept },
    );
  const make = (name: string, more: object = {}): Promise<unknown> =>
    create(cluster.port, '/devices', EU, { name, ...more });
  const patch = (name: string, body: object): Promise<unknown> =>
    send(cluster.port, 'PATCH', `/devices/${name}`, { headers: MERGE, body });
  const remove = (name: string): Promise<unknown> => send(cluster.port, 'DELETE', `/devices/${name}`);
  const revision = async (): Promise<string> => (await cluster.get(devices())).body.metadata.resourceVersion;

  test('every change comes in order, as a GET shows the object then', async () => {
    const from = await revision();
    const watching = await watch(`resourceVersion=${from}`);
    expect(watching.response.headers).toMatchObject({
      'cache-control': 'no-cache, private, no-transform',
      'x-accel-buffering': 'no',
    });
    await make('a');
    const created = (await cluster.get(`${devices()}/a`)).body;
    await patch('a', { spec: { price: 2 } });
    const changed = (await cluster.get(`${devices()}/a`)).body;
    await send(cluster.port, 'PATCH', '/devices/a/status', { headers: MERGE, body: { phase: 'Ready' } });
    const ready = (await cluster.get(`${devices()}/a`)).body;
    await remove('a');
    const lines = await watching.until(count(4));
    expect(short(lines)).toEqual(['ADDED a', 'MODIFIED a', 'MODIFIED a', 'DELETED a']);
    expect(lines.slice(0, 3).map(({ object }) => object)).toEqual([created, changed, ready]);
    const { resourceVersion } = lines[3].object.metadata;
    expect(lines[3].object).toEqual({ ...ready, metadata: { ...ready.metadata, resourceVersion } });
    expect(BigInt(resourceVersion)).toBeGreaterThan(BigInt(ready.metadata.resourceVersion));
  });

  test('a watch of a version shows its words; other kinds are not seen', async () => {
    const watching = await watch(`resourceVersion=${await revision()}`, 'v2beta1');
    await create(cluster.port, '/rooms', { floor: 1 }, { name: 'room' });
    await make('a');
    const [{ type, object }] = await watching.until(count(1));
    expect([type, object.apiVersion, object.spec.site]).toEqual(['ADDED', 'example.svc.dev/v2beta1', 'eu']);
    expect(object).toEqual((await cluster.get(`${devices('v2beta1')}/a`)).body);
  });

  test('from any revision, what came after it follows', async () => {
    const watching = await watch(`resourceVersion=${await revision()}`);
    await make('a');
    await patch('a', { spec: { price: 2 } });
    await make('b');
    const lines = await watching.until(count(3));
    for (const [index, { object }] of lines.entries()) {
      const later = await watch(`resourceVersion=${object.metadata.resourceVersion}&timeoutSeconds=1`);
      expect(await later.until(count(lines.length - index))).toEqual(lines.slice(index + 1));
    }
  });

  test.each(['', 'resourceVersion=0', 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'])(
    'with ?%s all objects come first',
    async (query) => {
      await make('b');
      await make('a');
      const watching = await watch(`${query}&allowWatchBookmarks=true`);
      await watching.until(count(2));
      const list = (await cluster.get(devices())).body;
      expect(watching.lines.slice(0, 2)).toEqual(
        list.items.map((object: object) => ({ type: 'ADDED', object })),
      );
      await make('c');
      const lines = await watching.until((all) => all.some(({ object }) => object.metadata.name === 'c'));
      const marks = lines.filter(({ type }) => type === 'BOOKMARK');
      expect(marks).toEqual(
        query.includes('NotOlderThan')
          ? [
              {
                type: 'BOOKMARK',
                object: {
                  kind: 'Device',
                  apiVersion: 'example.svc.dev/v1',
                  metadata: {
                    resourceVersion: list.metadata.resourceVersion,
                    creationTimestamp: null,
                    annotations: { 'k8s.io/initial-events-end': 'true' },
                  },
                },
              },
            ]
          : [],
      );
    },
  );

  test('an object enters and leaves a selection by labels', async () => {
    const watching = await watch(`resourceVersion=${await revision()}&labelSelector=env%3Dprod`);
    await make('a');
    await patch('a', { metadata: { labels: { env: 'prod' } } });
    const within = (await cluster.get(`${devices()}/a`)).body;
    await patch('a', { metadata: { labels: { env: 'test' } }, spec: { price: 5 } });
    const outside = (await cluster.get(`${devices()}/a`)).body;
    await remove('a');
    await make('b', { labels: { env: 'prod' } });
    const lines = await watching.until(count(3));
    expect(short(lines)).toEqual(['ADDED a', 'DELETED a', 'ADDED b']);
    const { resourceVersion } = outside.metadata;
    expect(lines[1].object).toEqual({ ...within, metadata: { ...within.metadata, resourceVersion } });
  });

  test('an object enters and leaves a selection by fields, in the words of its version', async () => {
    const selector = encodeURIComponent('spec.price>10');
    const watching = await watch(`resourceVersion=${await revision()}&fieldSelector=${selector}`, 'v2beta1');
    await make('a');
    for (const price of [20, 30, 5, 40]) await patch('a', { spec: { price } });
    await remove('a');
    const lines = await watching.until(count(5));
    expect(short(lines)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED a', 'DELETED a']);
    expect(lines.map(({ object }) => object.spec.price)).toEqual([20, 30, 30, 40, 40]);
  });

  test('one object is watched by its name; a new name is another object', async () => {
    const from = await revision();
    const watching = await watch(`resourceVersion=${from}&fieldSelector=metadata.name%3Da`);
    const all = await watch(`resourceVersion=${from}`);
    await make('b');
    await make('a');
    await patch('a', { metadata: { name: 'c' } });
    await patch('b', { metadata: { name: 'a' } });
    expect(short(await watching.until(count(3)))).toEqual(['ADDED a', 'DELETED a', 'ADDED a']);
    const lines = await all.until(count(6));
    expect(short(lines)).toEqual([
      ...['ADDED b', 'ADDED a'],
      ...['DELETED a', 'ADDED c', 'DELETED b', 'ADDED a'],
    ]);
    // Whoever has read the first of the two lines of a rename resumes there, and misses nothing.
    const { resourceVersion } = lines[2].object.metadata;
    const resumed = await watch(`resourceVersion=${resourceVersion}`);
    expect(short(await resumed.until(count(4)))).toEqual(short(lines.slice(2)));
  });

  test('a table has a row for each change', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
    const watching = await watch(`resourceVersion=${await revision()}`, 'v1', accept);
    await make('a');
    const [{ type, object }] = await watching.until(count(1));
    expect([type, object.kind, object.rows[0].cells.slice(0, 2)]).toEqual(['ADDED', 'Table', ['a', 'eu']]);
    expect(object.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
  });

  test('a quiet watch gets bookmarks, which count the changes of other kinds', async () => {
    const from = await revision();
    const watching = await watch(`resourceVersion=${from}&allowWatchBookmarks=true&timeoutSeconds=1`);
    await create(cluster.port, '/rooms', { floor: 1 }, { name: 'room' });
    const room = (await cluster.get('/k8s/apis/example.svc.dev/v1/rooms/room')).body;
    await watching.ended;
    expect(watching.lines.at(-1)).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'Device',
        apiVersion: 'example.svc.dev/v1',
        metadata: { resourceVersion: room.metadata.resourceVersion, creationTimestamp: null },
      },
    });
    const without = await watch(`resourceVersion=${from}&timeoutSeconds=1`);
    await without.ended;
    expect(without.lines).toEqual([]);
  });

  test('a revision whose changes are gone is expired', async () => {
    const start = await revision();
    await make('a');
    const from = await revision();
    const { store } = cluster.service.service;
    await make('b');
    await make('c');
    // All but the last.
    await store.events!.prune({ events: 1, days: 1 }, 100);
    for (const old of [start, from, '99999', '70000000000000000001']) {
      const watching = await watch(`resourceVersion=${old}`);
      await watching.ended;
      expect([watching.status, watching.lines]).toEqual([
        200,
        [
          {
            type: 'ERROR',
            object: expect.objectContaining({
              kind: 'Status',
              status: 'Failure',
              reason: 'Expired',
              code: 410,
            }),
          },
        ],
      ]);
    }
    const again = await watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan');
    expect(short(await again.until(count(4)))).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK']);
  });

  test('other queries are refused', async () => {
    const refused = [
      ['resourceVersion=x', 400],
      ['resourceVersion=-1', 400],
      ['timeoutSeconds=soon', 400],
      ['sendInitialEvents=true', 422],
      ['resourceVersionMatch=Exact', 422],
      ['labelSelector=%3D%3D', 400],
      ['fieldSelector=spec.model%3Dx', 400],
    ] as const;
    for (const [query, code] of refused)
      expect((await cluster.get(`${devices()}?watch=true&${query}`)).body).toMatchObject({
        kind: 'Status',
        code,
      });
  });

  test('a stop of the service ends a watch', async () => {
    const watching = await watch(`resourceVersion=${await revision()}&allowWatchBookmarks=true`);
    cluster.service.service.events.stop();
    await watching.ended;
    expect(short(watching.lines)).toEqual(['BOOKMARK']);
  });
});

test('300 watches share the reads', async () => {
  const cluster = await Cluster.start();
  const watches = await Promise.all(
    Array.from({ length: 300 }, () => openWatch(cluster.port, `${devices()}?watch=true&resourceVersion=1`)),
  );
  const reads = jest.spyOn(cluster.service.service.store.events!, 'read');
  for (let number = 0; number < 10; number++)
    await create(cluster.port, '/devices', EU, { name: `d-${number}` });
  for (const watching of watches) expect((await watching.until(count(10))).length).toBe(10);
  // At most one read of each batch and one that finds no more.
  expect(reads.mock.calls.length).toBeLessThanOrEqual(25);
  await cluster.close();
});

test('the label scope and the policy of a caller hold for each state that is shown', async () => {
  const policy = {
    canGet: ({ resource }: { resource?: Resource }) => ({ allowed: resource?.spec['location'] !== 'secret' }),
  };
  const cluster = await Cluster.start({
    hooks: { Device: { policy } },
    middleware: (app) =>
      app.use((req, _res, next) => {
        const { 'x-tenant': tenant } = req.headers;
        if (typeof tenant === 'string') setLabelScope(req, { tenant });
        next();
      }),
  });
  const path = `${devices()}?watch=true&resourceVersion=1`;
  const watching = await openWatch(cluster.port, path, { 'X-Tenant': 'one' });
  const make = (name: string, tenant: string, location = 'eu'): Promise<unknown> =>
    create(cluster.port, '/devices', { location }, { name, labels: { tenant } });
  const patch = (name: string, body: object): Promise<unknown> =>
    send(cluster.port, 'PATCH', `/devices/${name}`, { headers: MERGE, body });
  await make('other', 'two');
  await make('own', 'one');
  await make('hidden', 'one', 'secret');
  await patch('own', { metadata: { labels: { tenant: 'two' } }, spec: { location: 'us' } });
  await patch('own', { spec: { price: 7 } });
  await patch('other', { metadata: { labels: { tenant: 'one' } }, spec: { location: 'new' } });
  const lines = await watching.until(count(3));
  expect(short(lines)).toEqual(['ADDED own', 'DELETED own', 'ADDED other']);
  expect(lines.map(({ object }) => object.spec.location)).toEqual(['eu', 'eu', 'new']);
  await cluster.close();
});

test.each(['', 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'])(
  'with ?%s, names that get other objects while all are listed end as in the list',
  async (query) => {
    let isFirst = true;
    let change: () => Promise<void> = () => Promise.resolve();
    const policy = {
      // Called for the first objects, before the last ones are read.
      async canGet({ request }: { request: { url?: string } }) {
        const isAsked = isFirst && request.url?.includes('watch=true') === true;
        if (isAsked) isFirst = false;
        if (isAsked) await change();
        return { allowed: true };
      },
    };
    const cluster = await Cluster.start({ hooks: { Device: { policy } } });
    const make = (name: string): Promise<unknown> => create(cluster.port, '/devices', EU, { name });
    const names = Array.from({ length: 300 }, (_, number) => `d-${100 + number}`);
    await Promise.all([...names, 'renamed', 'a'].map(make));
    change = async () => {
      for (const name of ['d-399', 'renamed']) await send(cluster.port, 'DELETE', `/devices/${name}`);
      await make('d-399');
      await send(cluster.port, 'PATCH', '/devices/a', {
        headers: MERGE,
        body: { metadata: { name: 'renamed' } },
      });
    };
    const watching = await openWatch(cluster.port, `${devices()}?watch=true&${query}`);
    await watching.until((lines) => lines.length > 300);
    await make('last');
    const objects = new Map<string, string>();
    for (const { type, object } of await watching.until((lines) => short(lines).includes('ADDED last'))) {
      if (type === 'DELETED') objects.delete(object.metadata.name);
      else if (type !== 'BOOKMARK') objects.set(object.metadata.name, object.metadata.uid);
    }
    const { items } = (await cluster.get(devices())).body;
    const stored = items.map(({ metadata }: Watching['lines'][0]['object']) => [metadata.name, metadata.uid]);
    expect([...objects].sort()).toEqual(stored);
    await cluster.close();
  },
);

test('a client that does not read holds up no other, and no more than a batch waits for it', async () => {
  const responses: Response[] = [];
  const cluster = await Cluster.start({
    environment: { EVENTS_SLOW_READER_MS: '3600000' },
    middleware: (app) =>
      app.use((req, res, next) => {
        if (req.url.includes('watch=true')) responses.push(res);
        next();
      }),
  });
  const path = `${devices()}?watch=true&resourceVersion=1`;
  const [slow, quick] = [await openWatch(cluster.port, path), await openWatch(cluster.port, path)];
  slow.response.pause();
  const annotations = { text: 'x'.repeat(200_000) };
  const { memory } = cluster.service.service;
  const [waiting, used]: number[][] = [[], []];
  for (let number = 0; number < 80; number++) {
    await create(cluster.port, '/devices', EU, { name: `d-${number}`, annotations });
    await quick.until(count(number + 1));
    waiting.push(responses[0].writableLength);
    used.push(memory.used('response'));
  }
  // 16 MB of events: the system takes some of them, the process keeps a batch.
  expect(Math.max(...waiting)).toBeGreaterThan(0);
  expect(Math.max(...waiting)).toBeLessThan(1_000_000);
  expect(used.at(-1)).toBeGreaterThanOrEqual(responses[0].writableLength);
  expect(Math.max(...used)).toBeLessThan(4_000_000);
  slow.response.resume();
  expect(short(await slow.until(count(80)))).toEqual(short(quick.lines));
  await cluster.close();
});

test('a watch that has nothing to send is not taken for a connection without progress', async () => {
  const cluster = await Cluster.start({ environment: { STALL_TIMEOUT_MS: '2000' } });
  const watching = await openWatch(cluster.port, `${devices()}?watch=true`);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await create(cluster.port, '/devices', EU, { name: 'late' });
  expect(short(await watching.until(count(1)))).toEqual(['ADDED late']);
  await cluster.close();
});

test('a watch too many says when to come again, in its header and in its status', async () => {
  const cluster = await Cluster.start({ environment: { EVENTS_MAX_STREAMS: '1' } });
  const watching = await openWatch(cluster.port, `${devices()}?watch=true`);
  const { code, body, response } = await cluster.get(`${devices()}?watch=true`);
  expect([code, response.headers['retry-after'], body.details.retryAfterSeconds]).toEqual([503, '10', 10]);
  watching.close();
  await cluster.close();
});

test('a client that does not read is dropped with an error', async () => {
  // Afterwards it has as long again to read the error.
  const cluster = await Cluster.start({ environment: { EVENTS_SLOW_READER_MS: '3000' } });
  const watching = await openWatch(cluster.port, `${devices()}?watch=true&resourceVersion=1`);
  watching.response.pause();
  const annotations = { text: 'x'.repeat(200_000) };
  const { streams } = cluster.service.service.events;
  let number = 0;
  while (streams.open > 0) await create(cluster.port, '/devices', EU, { name: `d-${number++}`, annotations });
  watching.response.resume();
  await watching.ended;
  expect(watching.lines.at(-1)).toEqual({
    type: 'ERROR',
    object: expect.objectContaining({ reason: 'TooManyRequests', code: 429 }),
  });
  await cluster.close();
});
