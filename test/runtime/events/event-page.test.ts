import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { blocksOf } from '../../page';
import type { TestService } from '../harness';
import { createDevice, startDevices, until } from './devices';

// The commands of docs/events.md: streams, which are given an event that they select, and requests, which are answered.

const commands = blocksOf(join(__dirname, '../../../docs/events.md'))
  .filter(({ language, directive }) => language === 'sh' && directive !== 'not run')
  .map(({ text }) => text.trim());
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
  // The stream tells its position when it has begun.
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
