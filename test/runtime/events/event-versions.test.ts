import type { Resource } from '../../../templates/runtime/resource';
import { create, JSON_TYPE, send } from '../client';
import { startService, type TestService } from '../harness';
import { versionedProject } from '../versioned-project';
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

/** What is only in v2beta1 is kept aside by the others. */
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
  const body = { spec: { ...SPEC, nickname: 'other' } };
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
