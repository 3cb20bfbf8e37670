import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { blocksOf } from '../../page';
import type { TestService } from '../harness';
import { createDevice, startDevices, until } from './devices';

// The commands of docs/events.md: streams, of a device that they select.

const commands = blocksOf(join(__dirname, '../../../docs/events.md')).filter(
  ({ language }) => language === 'sh',
);

let service: TestService;
let child: ChildProcess;

beforeEach(async () => {
  service = await startDevices();
});
afterEach(async () => {
  child.kill();
  await service.close();
});

test.each(commands.map(({ text }) => text.trim()))('%s', async (command) => {
  const script = command
    .replaceAll('localhost:8080', `127.0.0.1:${service.port}`)
    .replace('curl ', 'exec curl -sS ');
  child = spawn('bash', ['-c', script]);
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // The stream tells its position when it has begun.
  await until(() => output.includes('id: '));
  await createDevice(service.port, 'other', { env: 'test' });
  const uid = await createDevice(service.port, 'chosen', { env: 'prod' });
  await until(() => output.includes(uid));
  expect(output).toContain('io.svc.device.created');
  expect(output).not.toContain('"other"');
});
