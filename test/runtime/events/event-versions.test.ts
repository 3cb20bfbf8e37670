import { Window } from '../../../templates/runtime/events/delivery/window';
import { LoggedEvent } from '../../../templates/runtime/events/log/logged-event';
import type { Resource } from '../../../templates/runtime/model/resource';
import { create, JSON_TYPE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { versionedProject } from '../support/versioned-project';
import { QUICK, until } from './devices';
import { openStream, type Stream } from './sse';

const GROUP = 'example.svc.dev';
const VERSIONS = ['v1', 'v2beta1', 'v1alpha1'];

let service: TestService;

beforeAll(async () => {
  service = await startService({ ...versionedProject(), events: true }, { environment: QUICK });
});

afterAll(() => service.close());

const collection = (version: string): string => `/apis/${GROUP}/${version}/devices`;

/** Some fields are only in v2beta1 and preserved by the others. */
const SPEC = {
  nickname: 'nick',
  site: 'Bern',
  name: 'two',
  timeoutSeconds: 2,
  ports: [{ name: 'http', port: 80, note: 'main' }, { name: 'ssh' }],
};

async function get(path: string): Promise<unknown> {
  return JSON.parse((await send(service.port, 'GET', path)).text);
}

const resources = ({ received }: Stream): Resource[] => received.map(({ event }) => event.data.resource);

test.each(VERSIONS)('in %s an event has the resource as this version answers it', async (version) => {
  const { port } = service;
  const stream = await openStream(port, `/events?version=${version}`);
  const { resource } = await create(port, collection('v2beta1'), SPEC);
  const path = `${collection(version)}/${resource.metadata.uid}`;
  await until(() => stream.received.length === 1);
  expect(resources(stream)[0]).toEqual(await get(path));
  const body = { metadata: { labels: { moved: 'yes' } }, spec: { ...SPEC, nickname: 'other' } };
  await send(port, 'PUT', `${collection('v2beta1')}/${resource.metadata.uid}`, { headers: JSON_TYPE, body });
  await until(() => stream.received.length === 2);
  const last = await get(path);
  expect(resources(stream)[1]).toEqual(last);
  await send(port, 'DELETE', path);
  await until(() => stream.received.length === 3);
  expect(resources(stream)[2]).toEqual(last);
  expect(stream.received[2].event).toMatchObject({ specversion: '1.0', type: 'io.svc.device.deleted' });
});

test.each(VERSIONS)('replayed in %s, the events give the list in this version', async (version) => {
  const { port } = service;
  const stream = await openStream(port, `/events?version=${GROUP}%2F${version}&kind=Device&lastEventId=0`);
  for (let count = 0; count < 5; count++)
    await create(port, collection('v2beta1'), { ...SPEC, nickname: `n${count}` });
  const list = await get(collection(version));
  const replayed = (): Resource[] => {
    const found = new Map<string, Resource>();
    for (const { event } of stream.received) {
      const { action, resourceUID, resource } = event.data;
      if (action === 'deleted') found.delete(resourceUID);
      else found.set(resourceUID, resource);
    }
    return [...found.values()];
  };
  await until(() => replayed().length === (list as Resource[]).length);
  expect(replayed()).toEqual(list);
});

const ACCEPTED: [accept: string, query: string, want: string | number][] = [
  ['application/json;version=v2beta1', '', 'v2beta1'],
  ['text/event-stream;version=v2beta1', '', 'v2beta1'],
  ['text/event-stream, application/json;version=v2beta1;q=0.5', '', 'v1'],
  ['application/json;version=v2beta1', '&version=v1alpha1', 'v1alpha1'],
  ['text/event-stream', '', 'v1'],
  ['text/html', '', 'v1'],
  ['application/json;version=v9', '', 406],
];
test.each(ACCEPTED)('Accept: %s with the query %j gives %s', async (accept, query, want) => {
  const { port } = service;
  const { resource } = await create(port, collection('v1'), { name: 'a', location: 'b' });
  const stream = await openStream(port, `/events?lastEventId=0${query}`, { accept });
  if (stream.status !== 200) return expect(stream.status).toBe(want);
  const found = (): Resource | undefined =>
    resources(stream).find(({ metadata }) => metadata.uid === resource.metadata.uid);
  await until(() => found() !== undefined);
  expect(found()!.apiVersion).toBe(`${GROUP}/${want}`);
});

test('the version of an event is that of its resource, whatever is in it', () => {
  const text = (data: object): string =>
    JSON.stringify({ data: { resourceName: '"resource":{"apiVersion":"g/v3"', ...data } });
  const apiVersionOf = (data: object): string => loggedEvent(text(data)).apiVersion;
  const inner = { resource: { apiVersion: 'g/v2' } };
  expect(apiVersionOf({ resource: { apiVersion: 'g/v1', spec: inner } })).toBe('g/v1');
  expect(apiVersionOf({ resource: { spec: inner, apiVersion: 'g/v1' } })).toBe('g/v1');
});

test('the fields that are preserved for other versions count in the run-ahead of a consumer', () => {
  const window = new Window({ events: 10, bytes: () => 10 }, () => undefined);
  window.add(loggedEvent('{}'));
  expect(window.hasRoom).toBe(true);
  window.add(loggedEvent('{}', '{"v1":{}}'));
  expect(window.hasRoom).toBe(false);
});

function loggedEvent(text: string, kept: string | null = null): LoggedEvent {
  return new LoggedEvent({ text, position: '1', type: '', kind: '', uid: '', writtenAt: 0, kept });
}
