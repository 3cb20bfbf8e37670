import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Project } from '../../../src/model/project';
import type { Resource, Snapshot } from '../../../templates/runtime/model/resource';
import { openKnownStore } from '../../../templates/runtime/service/known-store';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { FIRST, OLDEST, PositionGone } from '../../../templates/runtime/store/events/event-log';
import { StoreRefused } from '../../../templates/runtime/store/store';
import { until } from '../events/devices';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../store/postgres/postgres-server';
import { create, JSON_TYPE, send } from '../support/client';
import { serviceDefinition, startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

// A store that was written with events and history is served without them, and with them again.

const WITH: Project = { ...testProject(), events: true };
const WITHOUT: Project = {
  ...WITH,
  events: false,
  groups: WITH.groups.map((group) => ({
    ...group,
    kinds: group.kinds.map((kind) => ({ ...kind, history: undefined })),
  })),
};
const SPEC = { name: 'a', location: 'b' };

const ALL = { events: 100, bytes: 1e6 };

let service: TestService;

afterEach(() => service.close());

describe('on SQLite', () => {
  let folder: string;

  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'switched-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  switchesFeatures(async () => `sqlite:${join(folder, 'store.db')}`);
});

describeWithPostgres('on PostgreSQL', () => {
  let server: PostgresServer;

  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server?.close());

  switchesFeatures(() => server.newSchema());
});

function switchesFeatures(newUrl: () => Promise<string>): void {
  let url: string;

  beforeEach(async () => void (url = await newUrl()));

  async function start(project: Project): Promise<number> {
    service = await startService(project, { environment: { DATABASE_URL: url } });
    return service.port;
  }

  test('history off and on again: what was stored stays, and what was written meanwhile has none', async () => {
    let port = await start(WITH);
    const { path } = await create(port, '/devices', SPEC);
    const { path: gone } = await create(port, '/devices', SPEC);
    await locate(port, path, 'c');
    expect(await read<Snapshot[]>(port, `${path}/versions`)).toHaveLength(2);
    await service.close();

    port = await start(WITHOUT);
    expect((await send(port, 'GET', `${path}/versions`)).status).toBe(404);
    await locate(port, path, 'd');
    expect((await send(port, 'DELETE', gone)).status).toBe(200);
    expect((await read<Resource>(port, path)).spec).toMatchObject({ location: 'd' });
    await service.close();

    port = await start(WITH);
    const snapshots = await read<Snapshot[]>(port, `${path}/versions`);
    expect(snapshots.map(({ spec }) => spec['location'])).toEqual(['b', 'c']);
    expect((await send(port, 'GET', `${gone}/versions`)).status).toBe(404);
    await locate(port, path, 'e');
    expect(await read<Snapshot[]>(port, `${path}/versions`)).toHaveLength(3);
  });

  test('events off and on again: the log begins anew, and every reader learns of it', async () => {
    let port = await start(WITH);
    const { path } = await create(port, '/devices', SPEC);
    const first = await delivered(1);
    expect(first.isWarned).toBe(false);
    const position = await service.service.store.events!.newest();
    await locate(port, path, 'c');
    await service.close();

    port = await start(WITHOUT);
    expect(service.service.store.events).toBeUndefined();
    expect((await send(port, 'GET', '/events')).status).toBe(404);
    await locate(port, path, 'd');
    await service.close();

    port = await start(WITH);
    const log = service.service.store.events!;
    expect(await log.read(OLDEST, ALL)).toEqual([]);
    await expect(async () => log.read(position, ALL)).rejects.toThrow(PositionGone);
    await expect(async () => log.read(FIRST, ALL)).rejects.toThrow(PositionGone);
    const headers = { 'Last-Event-ID': position };
    expect((await send(port, 'GET', '/events', { headers })).status).toBe(410);
    await locate(port, path, 'e');
    expect(await delivered(1)).toEqual({ types: ['io.svc.device.updated'], isWarned: true });
    await service.close();

    port = await start(WITH);
    expect(await service.service.store.events!.read(OLDEST, ALL)).toHaveLength(1);
    await locate(port, path, 'f');
    expect(await delivered(1)).toEqual({ types: ['io.svc.device.updated'], isWarned: false });
  });

  test('a first start without events: what was written before counts as missing', async () => {
    const port = await start(WITHOUT);
    await create(port, '/devices', SPEC);
    await service.close();

    await start(WITH);
    const log = service.service.store.events!;
    await expect(async () => log.read(FIRST, ALL)).rejects.toThrow(PositionGone);
    expect(await log.read(await log.newest(), ALL)).toEqual([]);
    await create(service.port, '/devices', SPEC);
    expect(await log.read(OLDEST, ALL)).toHaveLength(1);
  });

  test('a start without events that is refused, and one that writes nothing, leave the log as it is', async () => {
    const port = await start(WITH);
    for (let count = 0; count < 2; count++) await create(port, '/devices', SPEC, { name: 'same' });
    await service.close();

    const environment = { DATABASE_URL: url };
    const data = { Device: { uniqueNames: true as const } };
    await expect(startService(WITHOUT, { environment, data })).rejects.toThrow(StoreRefused);
    const opened = await openKnownStore(serviceDefinition(WITHOUT), readSettings(environment), {});
    await opened.close();

    await start(WITH);
    expect(await service.service.store.events!.read(FIRST, ALL)).toHaveLength(2);
  });
}

/** Lets the stored consumer go on until it has received so many events. Returns their types, and whether it learned of a gap. */
async function delivered(count: number): Promise<{ types: string[]; isWarned: boolean }> {
  const types: string[] = [];
  let isWarned = false;
  const consumer = service.service.events.consume({
    name: 'reader',
    from: 'oldest',
    matches: () => true,
    deliver: async ({ type }) => void types.push(type),
    onGap: () => void (isWarned = true),
  });
  await until(() => types.length >= count);
  await consumer.close();
  return { types, isWarned };
}

async function read<T>(port: number, path: string): Promise<T> {
  const { status, text } = await send(port, 'GET', path);
  expect([status, path]).toEqual([200, path]);
  return JSON.parse(text) as T;
}

async function locate(port: number, path: string, location: string): Promise<void> {
  const sent = { headers: JSON_TYPE, body: { spec: { ...SPEC, location } } };
  expect((await send(port, 'PUT', path, sent)).status).toBe(200);
}
