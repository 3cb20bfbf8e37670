import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResourceEvent } from '../../../templates/runtime/events/log/cloud-event';
import type { Resource } from '../../../templates/runtime/model/resource';
import { create, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { versionedProject } from '../support/versioned-project';
import { QUICK, until } from './devices';
import { type Receiver, startReceiver } from './receiver';
import { openStream } from './sse';

const GROUP = 'example.svc.dev';
/** The version of each webhook of the file. */
const ASKED = ['v1', `${GROUP}/v2beta1`, 'v1alpha1', undefined];

let folder: string;
let service: TestService;
let receivers: Receiver[];
let failing: boolean;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen-events-'));
  failing = true;
  receivers = await Promise.all(
    ASKED.map(() => startReceiver((res) => res.writeHead(failing ? 500 : 204).end())),
  );
  const hooks = ASKED.map((version, index) => ({ name: String(index), url: receivers[index].url, version }));
  writeFileSync(`${folder}/webhooks.json`, JSON.stringify(hooks));
});

afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function start(hub: string, attempts = '100'): Promise<void> {
  service = await startService(versionedProject(hub), {
    environment: {
      ...QUICK,
      DATABASE_URL: `sqlite:${folder}/store.db`,
      WEBHOOK_FILE: `${folder}/webhooks.json`,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      EVENTS_MAX_ATTEMPTS: attempts,
    },
  });
}

/** Creates a Device with a field that only v2beta1 has, and returns its uid. */
async function createDevice(): Promise<string> {
  const spec = { name: 'two', site: 'Bern', nickname: 'nick', timeoutSeconds: 2 };
  const { resource } = await create(service.port, `/apis/${GROUP}/v2beta1/devices`, spec);
  return resource.metadata.uid;
}

async function get(version: string, uid: string): Promise<unknown> {
  return JSON.parse((await send(service.port, 'GET', `/apis/${GROUP}/${version}/devices/${uid}`)).text);
}

/** The Device in the last message of each receiver. */
const received = (): (Resource | undefined)[] =>
  receivers.map(({ messages }) => messages.at(-1)?.event.data.resource);

async function expectEachInItsVersion(uid: string, storage: string): Promise<void> {
  const names = ASKED.map((version) => version?.split('/').at(-1) ?? storage);
  expect(received()).toEqual(await Promise.all(names.map((version) => get(version, uid))));
}

test('each webhook is sent resources in the version that it asks for, kinds without it left out', async () => {
  failing = false;
  await start('v1');
  await create(service.port, '/gadgets', { name: 'g' });
  const uid = await createDevice();
  await until(() => received().every((resource) => resource?.kind === 'Device'));
  await expectEachInItsVersion(uid, 'v1');
  expect(receivers.map(({ messages }) => messages.length)).toEqual([2, 1, 1, 2]);
});

test('events that wait while the hub is moved come in the version asked for, or the new storage version', async () => {
  await start('v1');
  const uid = await createDevice();
  await until(() => receivers.every(({ messages }) => messages.length > 0));
  const [{ id }] = receivers[0].messages.map(({ event }) => event);
  await service.close();
  failing = false;
  for (const { messages } of receivers) messages.length = 0;
  await start('v2beta1');
  const delivered: ResourceEvent[] = [];
  service.service.events.subscribe('*', (event) => void delivered.push(event), {
    name: 'late',
    from: 'oldest',
  });
  await until(() => received().every((resource) => resource !== undefined) && delivered.length === 1);
  await expectEachInItsVersion(uid, 'v2beta1');
  expect(delivered[0].data.resource).toEqual(await get('v2beta1', uid));
  const stream = await openStream(service.port, '/events?lastEventId=0');
  await until(() => stream.received.length === 1);
  expect(stream.received[0].event).toEqual(delivered[0]);
  const ids = receivers.flatMap(({ messages }) => messages.map(({ event }) => event.id));
  expect(new Set([...ids, delivered[0].id])).toEqual(new Set([id]));
});

test('dead letters from before the move are sent again in these versions, whole', async () => {
  await start('v1', '1');
  const uid = await createDevice();
  await until(async () => (await service.service.store.events!.deadLetters(0, 10)).length === ASKED.length);
  await service.close();
  failing = false;
  await start('v2beta1');
  await send(service.port, 'POST', '/events/dead-letters/resend');
  await expectEachInItsVersion(uid, 'v2beta1');
});
