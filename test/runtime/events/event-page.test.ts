import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Express } from 'express';
import type { Service } from '../../../templates/runtime';
import * as runtime from '../../../templates/runtime';
import * as receiving from '../../../templates/runtime/cloudevents/receive-webhook';
import { blocksOf } from '../../support/page';
import { runTypeScript } from '../../support/run-typescript';
import type { TestService } from '../support/harness';
import { createDevice, startDevices, until } from './devices';

// The commands of docs/events.md: streams, which are given an event that they select, and requests, which are answered.

const PAGE = join(__dirname, '../../../docs/events.md');
const commands = blocksOf(PAGE)
  .filter(({ language, directive }) => language === 'sh' && directive !== 'not run')
  .map(({ text }) => text.trim());
const examples = blocksOf(PAGE).filter(({ language }) => language === 'ts');
const isStream = (command: string): boolean => command.startsWith('curl -N ');

let service: TestService;
let child: ChildProcess | undefined;

beforeEach(async () => {
  service = await startDevices();
});
afterEach(async () => {
  child?.kill();
  await service.close();
});

/** Runs a command, with the port of the service; all that it prints is added up. */
function run(command: string): { child: ChildProcess; output(): string } {
  const script = command
    .replaceAll('localhost:8080', `127.0.0.1:${service.port}`)
    .replace('curl ', 'exec curl -sS --fail-with-body ');
  let output = '';
  child = spawn('bash', ['-c', script]);
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output };
}

test.each(commands.filter(isStream))('%s', async (command) => {
  const { output } = run(command);
  // The stream sends its position when it has begun.
  await until(() => output().includes('id: '));
  await createDevice(service.port, 'other', { env: 'test' });
  const uid = await createDevice(service.port, 'chosen', { env: 'prod' });
  await until(() => output().includes(uid));
  expect(output()).toContain('io.svc.device.created');
  expect(output()).not.toContain('"other"');
});

test.each(commands.filter((command) => !isStream(command)))('%s', async (command) => {
  const { child, output } = run(command);
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, output: output() }).toEqual({
    code: 0,
    output: expect.stringMatching(/^\{.*\}$/) as string,
  });
});

/** Runs an example of TypeScript: what it imports from the generated code is the runtime's. Returns its exports. */
function exportsOf(example: string): { [name: string]: unknown } {
  const { text } = examples.find((block) => block.text.includes(example))!;
  return runTypeScript(text, (id) =>
    id === '../generated' ? { ...runtime, ...receiving } : (require(id) as unknown),
  );
}

describe('the examples of TypeScript', () => {
  let log: jest.SpyInstance;
  beforeEach(() => (log = jest.spyOn(console, 'log').mockImplementation()));
  afterEach(() => {
    log.mockRestore();
    delete process.env['WEBHOOK_SECRET'];
  });

  test('a subscriber is told of a change', async () => {
    const { startControllers } = exportsOf('service.events.subscribe') as {
      startControllers(service: Service): void;
    };
    startControllers(service.service);
    // Its name is new: it begins with what follows.
    await until(async () => {
      await createDevice(service.port);
      return log.mock.calls.length > 0;
    });
    expect(log).toHaveBeenCalledWith('io.svc.device.created');
  });

  test.each(['structured', 'binary'])(
    'a receiver takes messages in %s mode, and refuses others',
    async (mode) => {
      process.env['WEBHOOK_SECRET'] = 'whsec_bmV3';
      const server = createServer((exportsOf('receiveWebhook') as { receiver: Express }).receiver);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
      const sender = await startDevices({
        environment: {
          ...{ WEBHOOK_URLS: hook, WEBHOOK_ALLOW_PRIVATE: 'true' },
          ...{ WEBHOOK_SECRET: 'whsec_bmV3', WEBHOOK_MODE: mode },
        },
      });
      await createDevice(sender.port);
      await until(() => log.mock.calls.length === 1);
      expect(log).toHaveBeenCalledWith(expect.any(String), 'created', 'hall', 'unknown');
      const refused = await fetch(hook, { method: 'POST', body: '{}' });
      expect([refused.status, await refused.text()]).toEqual([401, 'the header webhook-id is missing']);
      await sender.close();
      server.closeAllConnections();
      server.close();
    },
  );
});
