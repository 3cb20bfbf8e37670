import { writeStatus } from '../../../templates/runtime/controllers/status-writer';
import type { LoggedEvent } from '../../../templates/runtime/events/log/logged-event';
import { setActor, setIdentified } from '../../../templates/runtime/http/security/actor';
import type { Resource, Snapshot } from '../../../templates/runtime/model/resource';
import { createLogger } from '../../../templates/runtime/service/logger';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { QUICK, until } from '../events/devices';
import { openStream } from '../events/sse';
import { create, JSON_TYPE, MERGE, send } from '../support/client';
import { mountedKinds, startService, type TestService } from '../support/harness';
import { versionedProject } from '../support/versioned-project';

// Who has changed a resource: middleware says it, snapshots, events and the log repeat it.

const project = versionedProject();
let service: TestService;
beforeAll(async () => {
  service = await startService(project, {
    environment: { ...QUICK, LOG_REQUESTS: 'true' },
    middleware: (app) =>
      void app.use((req, _res, next) => {
        const { actor } = req.headers;
        if (actor === undefined) setIdentified(req);
        else setActor(req, JSON.parse(String(actor)) as string);
        next();
      }),
  });
});
afterAll(() => service.close());

const SPEC = { name: 'lamp', location: 'hall' };
const by = (actor: string): { actor: string } => ({ actor: JSON.stringify(actor) });
const HOSTILE = 'a"b\\c\u0000\u2028\ud800é\n';
/** The same in JSON of ASCII, as a header can carry it. */
const asHeader = (text: string): { actor: string } => ({
  actor: JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ),
});

async function write(method: string, path: string, headers: object, body?: unknown): Promise<Resource> {
  const { status, text } = await send(service.port, method, path, { headers: { ...headers }, body });
  if (status >= 300) throw new Error(`${status} ${text}`);
  return JSON.parse(text) as Resource;
}

test('snapshots and events of every write carry it, in every version; without one, the member is absent', async () => {
  const stream = await openStream(service.port, '/events');
  const device = await write('POST', '/devices', { ...JSON_TYPE, ...by('alice') }, { spec: SPEC });
  const path = `/devices/${device.metadata.uid}`;
  await write('PUT', path, { ...JSON_TYPE, ...by('bob') }, { spec: SPEC });
  await write('PATCH', path, { ...MERGE, ...asHeader(HOSTILE) }, { spec: { model: 'x' } });
  await write('PATCH', path, MERGE, { spec: { model: 'y' } });
  await write('PUT', `${path}/status`, { ...JSON_TYPE, ...by('carol') }, { status: { phase: 'Ready' } });
  await write('DELETE', path, by('dave'));
  await until(() => stream.received.length === 6);
  stream.close();
  const actors = ['alice', 'bob', HOSTILE, undefined, 'carol', 'dave'];
  expect(stream.received.map(({ event }) => event.data.actor)).toEqual(actors);
  expect(Object.hasOwn(stream.received[3].event.data, 'actor')).toBe(false);
});

test.each(['v1', 'v2beta1', 'v1alpha1'])('snapshots in %s', async (version) => {
  const { path } = await create(service.port, '/devices', SPEC);
  await write('PATCH', path, { ...MERGE, ...by('alice') }, { spec: { model: 'x' } });
  const Accept = `application/json;version=${version}`;
  const { text } = await send(service.port, 'GET', `${path}/versions`, { headers: { Accept } });
  const [first, second] = JSON.parse(text) as Snapshot[];
  expect([Object.hasOwn(first, 'actor'), second.actor]).toEqual([false, 'alice']);
  const one = await send(service.port, 'GET', `${path}/versions/${second.versionId}`, {
    headers: { Accept },
  });
  expect(JSON.parse(one.text)).toEqual(second);
});

test('what the process writes itself has none', async () => {
  const { resource } = await create(service.port, '/devices', SPEC);
  const { kind } = mountedKinds(project).find(({ kind }) => kind.kind === 'Device')!;
  await writeStatus(service.service, kind, resource.metadata.uid, () => ({ phase: 'Ready' }));
  const { log } = service.service.events;
  const texts = (await log.read('0', { events: 1_000, bytes: 1e7 })).map(({ text }) => text);
  const { data } = JSON.parse(texts.at(-1)!) as ReturnType<LoggedEvent['parse']>;
  expect([data.resourceUID, data.metadata.updateType]).toEqual([resource.metadata.uid, 'status']);
  expect(Object.hasOwn(data, 'actor')).toBe(false);
});

test('the request log carries it', async () => {
  const lines: { [member: string]: unknown }[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as { [member: string]: unknown });
  const { logger } = service.service;
  service.service.logger = createLogger('test', readSettings({}), { write });
  await send(service.port, 'GET', '/devices', { headers: by('alice') });
  await send(service.port, 'GET', '/devices');
  service.service.logger = logger;
  expect(lines.map(({ msg, path, actor }) => [msg, path, actor])).toEqual([
    ['answered', '/devices', 'alice'],
    ['answered', '/devices', undefined],
  ]);
});

test.each(['""', '7', 'null', '["alice"]', '{}'])('%s is no actor', async (actor) => {
  const response = await send(service.port, 'POST', '/devices', {
    headers: { ...JSON_TYPE, actor },
    body: { spec: SPEC },
  });
  expect(response.status).toBe(500);
});
