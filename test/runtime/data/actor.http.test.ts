import { setActor } from '../../../templates/runtime/http/security/actor';
import type { Snapshot } from '../../../templates/runtime/model/resource';
import { create, send } from '../support/client';
import { startService } from '../support/harness';
import { SHOP, shopProject } from './shop';

test('events and snapshots of what a deletion reaches carry the actor of the request', async () => {
  const service = await startService(shopProject(), {
    ...SHOP,
    middleware: (app) =>
      void app.use((req, _res, next) => {
        setActor(req, req.method === 'DELETE' ? 'alice' : 'bob');
        next();
      }),
  });
  const { port } = service;
  await create(port, '/parts', { sku: 'a' }, { name: 'root' });
  await create(port, '/parts', { sku: 'b', parent: 'root' }, { name: 'child' });
  await create(port, '/parts', { sku: 'c', spare: 'root' }, { name: 'other' });
  expect((await send(port, 'DELETE', '/parts/root')).status).toBe(200);
  const events = await service.service.store.events!.read('0', { events: 100, bytes: 1e6 });
  const seen = events.map(({ text }) => {
    const { type, data } = JSON.parse(text) as {
      type: string;
      data: { resourceName: string; actor?: string };
    };
    return `${type.split('.').at(-1)} ${data.resourceName} ${data.actor}`;
  });
  expect(seen.slice(0, 3)).toEqual(['created root bob', 'created child bob', 'created other bob']);
  expect(seen.slice(3).toSorted()).toEqual([
    'deleted child alice',
    'deleted root alice',
    'updated other alice',
  ]);
  const snapshots = JSON.parse((await send(port, 'GET', '/parts/other/versions')).text) as Snapshot[];
  expect(snapshots.map(({ actor }) => actor)).toEqual(['bob', 'alice']);
  await service.close();
});
