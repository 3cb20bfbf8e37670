import {
  type Controller,
  type Reconcile,
  startController,
} from '../../../templates/runtime/controllers/controller';
import type { Resource } from '../../../templates/runtime/model/resource';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import { createLogger } from '../../../templates/runtime/service/logger';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { PositionGone } from '../../../templates/runtime/store/events/event-log';
import { JSON_TYPE, send } from '../support/client';
import { kindDefinition, type TestService } from '../support/harness';
import { createDevice, listDevices, project, remove, rename, setPhase, startDevices, until } from './devices';

type Device = Resource<
  { name: string },
  { phase?: string; message?: string; ready: boolean; version?: string }
>;

const [group] = project.groups;
const kind = kindDefinition(
  group,
  group.kinds.find(({ name }) => name === 'Device')!,
  {},
);

let running: TestService;
let controllers: Controller[] = [];

beforeEach(async () => {
  running = await startDevices();
});

afterEach(async () => {
  await Promise.all(controllers.map((controller) => controller.close()));
  controllers = [];
  await running.close();
});

function control(reconcile: Reconcile<Device>, options = {}): Controller {
  const controller = startController<Device>(running.service, kind, reconcile, {
    firstMs: 1,
    maxMs: 5,
    ...options,
  });
  controllers.push(controller);
  return controller;
}

const phases = async (): Promise<unknown[]> =>
  (await listDevices(running.port)).map(({ status }) => status?.['phase']);

test('a controller brings devices to Ready: those of before, and new ones', async () => {
  const { port } = running;
  await createDevice(port, 'before');
  control(({ resource, updateStatus }) => resource && updateStatus({ phase: 'Ready', ready: true }));
  await until(async () => (await phases())[0] === 'Ready');
  await createDevice(port, 'after');
  await until(async () => (await phases())[1] === 'Ready');
});

test('controllers are told apart in metrics and logs', () => {
  const { events } = running.service;
  control(() => undefined);
  control(() => undefined);
  events.subscribe('*', () => undefined);
  expect([...events.lags().keys()]).toEqual(['controller:Device', 'controller:Device 2', 'unnamed']);
});

test('the status is written as through its endpoint', async () => {
  const { port, service } = running;
  const uid = await createDevice(port);
  const before = (await listDevices(port))[0];
  control(({ resource, updateStatus }) => resource && updateStatus({ phase: 'Ready' }));
  await until(async () => (await phases())[0] === 'Ready');
  const [after] = await listDevices(port);
  expect(after.spec).toEqual(before.spec);
  expect(after.status).toEqual({ phase: 'Ready', ready: false, version: before.status?.['version'] });
  expect(after.metadata.generation).toBe(1);
  expect(Object.keys(after)).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status']);
  const versions = await send(port, 'GET', `/devices/${uid}/versions`);
  expect(JSON.parse(versions.text)).toHaveLength(1);
  const [, event] = await service.store.events!.read('0', { events: 10, bytes: 1e6 });
  expect((JSON.parse(event.text) as JsonObject)['data']).toMatchObject({
    action: 'updated',
    resource: after,
    metadata: { updateType: 'status' },
  });
});

test('what changes nothing is not written, so that a controller comes to rest', async () => {
  const { port, service } = running;
  const seen: string[] = [];
  control(({ resource, updateStatus }) => {
    seen.push(resource!.spec.name);
    return updateStatus({ phase: 'Ready' });
  });
  const uid = await createDevice(port, 'a');
  await until(async () => (await phases())[0] === 'Ready');
  await rename(port, uid, 'b');
  await until(() => seen.at(-1) === 'b');
  await createDevice(port, 'c');
  await until(async () => (await phases())[1] === 'Ready');
  // Two creations, a rename, and one status of each.
  expect(await service.store.events!.newest()).toBe('5');
});

test('a field that is undefined is removed, others are kept', async () => {
  const { port } = running;
  const uid = await createDevice(port);
  const body = { status: { phase: 'Error', message: 'smoke' } };
  await send(port, 'PUT', `/devices/${uid}/status`, { headers: JSON_TYPE, body });
  control(({ updateStatus }) => updateStatus({ message: undefined }));
  await until(async () => !('message' in (await listDevices(port))[0].status!));
  expect(await phases()).toEqual(['Error']);
});

test('a status that breaks a rule is refused, and tried again', async () => {
  const { port } = running;
  let count = 0;
  await createDevice(port);
  control(async ({ updateStatus }) => {
    count += 1;
    await updateStatus({ phase: count < 3 ? 'Broken' : 'Ready' });
  });
  await until(async () => (await phases())[0] === 'Ready');
  expect(count).toBeGreaterThanOrEqual(3);
});

test('a deletion is reconciled without a resource', async () => {
  const { port } = running;
  const seen: [uid: string, there: boolean][] = [];
  control(({ uid, resource }) => void seen.push([uid, resource !== undefined]));
  const uid = await createDevice(port);
  await until(() => seen.length === 1);
  await remove(port, uid);
  await until(() => seen.length === 2);
  expect(seen).toEqual([
    [uid, true],
    [uid, false],
  ]);
});

test('a failure is repeated; a reconciliation may ask to be called again; a resync calls for all', async () => {
  const { port } = running;
  let count = 0;
  await createDevice(port);
  const controller = control(() => {
    count += 1;
    if (count === 1) throw new Error('not yet');
    return count < 4 ? { again: 1 } : undefined;
  });
  await until(() => count === 4);
  await controller.close();
  control(() => void (count += 1), { resyncMs: 5 });
  await until(() => count >= 7);
});

test('users and a controller that write at the same time do not overwrite each other', async () => {
  const { port } = running;
  const uids = await Promise.all(Array.from({ length: 10 }, (_, index) => createDevice(port, String(index))));
  control(({ resource, updateStatus }) => resource && updateStatus({ message: resource.spec.name }));
  await Promise.all(
    uids.flatMap((uid) =>
      [1, 2, 3].flatMap((count) => [rename(port, uid, `${uid} ${count}`), setPhase(port, uid, 'Ready')]),
    ),
  );
  await until(async () =>
    (await listDevices(port)).every(({ spec, status }) => status?.['message'] === spec['name']),
  );
});

test('all are gone through again when events were removed before the controller was told of them', async () => {
  const { port, service } = running;
  const uid = await createDevice(port, 'before');
  let seen: string | undefined;
  control(({ resource }) => void (seen = resource?.spec.name));
  await until(() => seen === 'before');
  const { tail, log } = service.events;
  const gone = jest.spyOn(tail, 'read').mockImplementationOnce(async () => {
    await log.prune({ events: 0, days: 7 }, 100);
    throw new PositionGone('removed');
  });
  await rename(port, uid, 'after');
  await until(() => seen === 'after');
  expect(gone).toHaveBeenCalled();
});

test('what is created before the store has told where the events begin is not left out', async () => {
  const { port, service } = running;
  const { log } = service.events;
  jest.spyOn(log, 'newest').mockImplementationOnce(async () => {
    await createDevice(port, 'in between');
    return log.newest();
  });
  const seen: (string | undefined)[] = [];
  control(({ resource }) => void seen.push(resource?.spec.name));
  await until(() => seen.length > 0);
  expect(seen).toEqual(['in between']);
});

test.each([Infinity, 2 ** 31])('a resync after %s ms is not one at once', async (resyncMs) => {
  let count = 0;
  await createDevice(running.port);
  control(() => void (count += 1), { resyncMs });
  await until(() => count > 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(count).toBe(1);
});

test('a controller may reject with anything: the resource comes again', async () => {
  const { port, service } = running;
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  service.logger = createLogger('test', readSettings({}), { write });
  await createDevice(port, 'lamp');
  let calls = 0;
  control(() => {
    if ((calls += 1) > 2) return;
    throw calls === 1 ? null : Object.create(null);
  });
  await until(() => calls === 3);
  expect(lines.filter((line) => line.includes('not reconciled'))).toHaveLength(2);
});

test.each([null, {}, { again: undefined }, { again: NaN }, { again: '1' }, 5])(
  'a controller that returns %j is not called again for it',
  async (result) => {
    await createDevice(running.port, 'lamp');
    let calls = 0;
    control(() => ((calls += 1), result as { again: number }));
    await until(() => calls > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls).toBe(1);
  },
);
