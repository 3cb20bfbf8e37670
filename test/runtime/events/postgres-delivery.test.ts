import type { ResourceEvent } from '../../../templates/runtime/events/log/cloud-event';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../store/postgres/postgres-server';
import type { TestService } from '../support/harness';
import { createDevice, listDevices, remove, rename, setPhase, startDevices, until } from './devices';
import { startReceiver } from './receiver';
import { openStream, type Stream } from './sse';

describeWithPostgres('events of two processes on one PostgreSQL', () => {
  let server: PostgresServer;
  let running: TestService[] = [];

  beforeAll(async () => {
    server = await postgresServer();
  });

  afterEach(async () => {
    await Promise.all(running.map((service) => service.close()));
    running = [];
  });

  afterAll(() => server?.close());

  async function startTwo(environment: { [name: string]: string } = {}): Promise<[TestService, TestService]> {
    const DATABASE_URL = await server.newSchema();
    const start = (): Promise<TestService> => startDevices({ environment: { DATABASE_URL, ...environment } });
    const services: [TestService, TestService] = [await start(), await start()];
    running.push(...services);
    return services;
  }

  /** Lives of devices, through both processes in turn. */
  async function write([one, two]: [TestService, TestService], count: number): Promise<void> {
    const live = async (index: number): Promise<void> => {
      const uid = await createDevice(one.port, String(index));
      await rename(two.port, uid, `${index} renamed`);
      await setPhase(one.port, uid, 'Ready');
      if (index % 2 === 0) await remove(two.port, uid);
    };
    await Promise.all(Array.from({ length: count }, (_, index) => live(index)));
  }

  const events = ({ received }: Stream): ResourceEvent[] => received.map(({ event }) => event);

  test('streams of both have every event, in one order, and go on in the other', async () => {
    const services = await startTwo();
    const streams = await Promise.all(services.map(({ port }) => openStream(port)));
    await write(services, 50);
    await until(() => streams.every(({ received }) => received.length === 175));
    expect(streams[0].received).toEqual(streams[1].received);
    const middle = streams[0].received[99];
    const resumed = await openStream(services[1].port, '/events', { 'last-event-id': middle.id });
    await until(() => resumed.received.length === 75);
    expect(resumed.received).toEqual(streams[0].received.slice(100));

    const found = new Map<string, unknown>();
    for (const { data } of events(streams[0])) {
      if (data.action === 'deleted') found.delete(data.resourceUID);
      else found.set(data.resourceUID, data.resource);
    }
    const list = await listDevices(services[0].port);
    expect(new Set(found.values())).toEqual(new Set(list));
  });

  test('a webhook and a durable subscription have every event, in order per resource', async () => {
    const receiver = await startReceiver();
    const services = await startTwo({ WEBHOOK_URLS: receiver.url, WEBHOOK_ALLOW_PRIVATE: 'true' });
    const stream = await openStream(services[0].port);
    const delivered: ResourceEvent[] = [];
    for (const { service } of services) {
      service.events.subscribe('*', (event) => void delivered.push(event), { name: 'audit' });
    }
    await write(services, 30);
    const ids = (all: ResourceEvent[]): { [uid: string]: string[] } => {
      const found: { [uid: string]: string[] } = {};
      for (const { id, data } of all) (found[data.resourceUID] ??= []).push(id);
      return found;
    };
    await until(
      () => stream.received.length === 105 && delivered.length === 105 && receiver.messages.length === 105,
    );
    expect(ids(delivered)).toEqual(ids(events(stream)));
    expect(ids(receiver.messages.map(({ event }) => event))).toEqual(ids(events(stream)));
  });
});
