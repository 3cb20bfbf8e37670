import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { ResourceEvent } from '../../../templates/runtime/events/log/cloud-event';
import { connectionOptions } from '../../../templates/runtime/events/nats/nats-sink';
import { freePort } from '../../support/free-port';
import { JSON_TYPE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { createDevice, project, rename, startDevices, until } from './devices';

const installed = spawnSync('nats-server', ['--version']).status === 0;
const withServer = installed ? describe : describe.skip;
if (!installed)
  console.warn('nats-server is not installed (Debian: apt-get install nats-server): its tests are skipped');

test.each([
  ['nats://a.example:4222', { servers: ['nats://a.example:4222'] }],
  ['nats://t0ken@a.example', { servers: ['nats://a.example'], token: 't0ken' }],
  [
    'tls://u:p%40ss@a.example,tls://b.example:1',
    { servers: ['tls://a.example', 'tls://b.example:1'], tls: {}, user: 'u', pass: 'p@ss' },
  ],
])('%s', (url, want) => {
  expect(connectionOptions(url)).toEqual(want);
});

test.each(['a.example:4222', 'http://a.example', 'nats://', 'nats://a.example,', 'nats://50%@a.example'])(
  '%s is refused',
  (url) => {
    expect(() => connectionOptions(url)).toThrow('NATS_URL must be');
  },
);

test('a service that was generated without NATS refuses NATS_URL, and says what to do', async () => {
  const environment = { NATS_URL: 'nats://127.0.0.1:1' };
  await expect(startService({ ...project, nats: false }, { environment })).rejects.toThrow(
    /^NATS_URL is set, but .*events: \{ nats: true \}.*svcgen generate/,
  );
});

withServer('JetStream', () => {
  let folder: string;
  let natsPort: number;
  let nats: ChildProcess;
  let service: TestService | undefined;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svcgen-nats-'));
    natsPort = await freePort();
    startNats();
  });

  afterEach(async () => {
    await service?.close();
    service = undefined;
    await killNats();
    rmSync(folder, { recursive: true });
  });

  function startNats(): void {
    nats = spawn('nats-server', ['-js', '-a', '127.0.0.1', '-p', String(natsPort), '-sd', folder], {
      stdio: 'ignore',
    });
  }

  /** The port and the folder are free again when it has ended. */
  async function killNats(): Promise<void> {
    if (nats.exitCode !== null || nats.signalCode !== null) return;
    const ended = once(nats, 'exit');
    nats.kill('SIGKILL');
    await ended;
  }

  async function start(environment: { [name: string]: string } = {}): Promise<TestService> {
    service = await startDevices({
      environment: { NATS_URL: `nats://127.0.0.1:${natsPort}`, ...environment },
    });
    return service;
  }

  /** Returns the messages of the stream, in order. */
  async function stored(): Promise<
    { subject: string; event: ResourceEvent; type: string; id: string; trace: string }[]
  > {
    const connection = await connect({ servers: `127.0.0.1:${natsPort}` });
    try {
      const { streams } = await jetstreamManager(connection);
      const { state } = await streams.info('svc-events');
      const stream = await jetstream(connection).streams.get('svc-events');
      const messages = [];
      for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
        const message = (await stream.getMessage({ seq }))!;
        messages.push({
          subject: message.subject,
          event: message.json<ResourceEvent>(),
          type: message.header.get('Content-Type'),
          id: message.header.get('Nats-Msg-Id'),
          trace: message.header.get('traceparent'),
        });
      }
      return messages;
    } finally {
      await connection.close();
    }
  }

  const count = async (): Promise<number> => (await stored().catch(() => [])).length;

  test('tls:// sends nothing to a server that does not speak TLS', async () => {
    const { port, service } = await start({ NATS_URL: `tls://user:s3cr3t@127.0.0.1:${natsPort}` });
    const warn = jest.spyOn(service.logger, 'warn');
    await createDevice(port, 'a');
    await until(async () => warn.mock.calls.length > 0 || (await count()) > 0);
    expect(warn.mock.calls[0][0]).toMatchObject({
      consumer: 'nats',
      err: { message: expect.stringContaining('tls') },
    });
    expect(await count()).toBe(0);
  });

  /** Returns whether the service knows that everything is stored, and sends none of it again. */
  const isKnown = (): boolean => service!.service.events.lags().get('nats') === 0;

  test('the trace of the request goes on', async () => {
    const { port } = await start();
    const headers = { ...JSON_TYPE, traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
    await send(port, 'POST', '/devices', { headers, body: { spec: { name: 'a', location: 'b' } } });
    await until(async () => (await count()) === 1);
    const [{ trace }] = await stored();
    expect(trace).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[\da-f]{16}-01$/);
  });

  test('an event goes to the subject of its type, with its id as that of the message', async () => {
    const { port } = await start();
    await rename(port, await createDevice(port, 'a'), 'b');
    await until(async () => (await count()) === 2);
    const messages = await stored();
    expect(messages.map(({ subject }) => subject)).toEqual([
      'io.svc.device.created',
      'io.svc.device.updated',
    ]);
    expect(messages.map(({ event }) => event.data.resource.spec['name'])).toEqual(['a', 'b']);
    for (const { id, event, type } of messages) {
      expect(id).toBe(event.id);
      expect(type).toBe('application/cloudevents+json');
    }
  });

  test('what is delivered twice is stored once', async () => {
    const DATABASE_URL = `sqlite:${folder}/service.db`;
    const first = await start({ DATABASE_URL });
    for (const name of ['a', 'b', 'c']) await createDevice(first.port, name);
    await until(async () => (await count()) === 3);
    await first.close();
    const second = await start({ DATABASE_URL, NATS_URL: '' });
    const hold = { consumer: 'nats', owner: 'test', leaseMs: 0 };
    await second.service.store.events!.claim(hold, 'now');
    await second.service.store.events!.advance(hold, '0');
    await second.close();
    const { port } = await start({ DATABASE_URL });
    await createDevice(port, 'd');
    await until(async () => (await count()) >= 4 && isKnown());
    expect((await stored()).map(({ event }) => event.data.resourceName).sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('events wait for a server that is away', async () => {
    await killNats();
    const { port } = await start();
    await createDevice(port, 'a');
    startNats();
    await until(async () => (await count()) === 1);
    await killNats();
    await createDevice(port, 'b');
    startNats();
    await until(async () => (await count()) === 2);
    expect((await stored()).map(({ event }) => event.data.resourceName)).toEqual(['a', 'b']);
  });

  test('a server that was set up anew gets the stream again', async () => {
    const { port } = await start();
    await createDevice(port, 'a');
    await until(async () => (await count()) === 1 && isKnown());
    await killNats();
    rmSync(folder, { recursive: true });
    startNats();
    await createDevice(port, 'b');
    await until(async () => (await count()) === 1);
    expect((await stored()).map(({ event }) => event.data.resourceName)).toEqual(['b']);
  });
});
