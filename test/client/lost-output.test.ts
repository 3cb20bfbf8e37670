import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ResponseTooLargeError } from '../../templates/client/errors';
import { explain } from '../../templates/ctl/explain';
import { startService, type TestService } from '../runtime/support/harness';
import { testProject } from '../runtime/support/projects';
import { CtlProgram } from './ctl-program';
import { createClient, SPEC } from './devices';

// The command line where its output does not arrive: on a full disk, or where the reader has enough.

const program = new CtlProgram(join(__dirname, '../../.tmp/ctl-lost'), testProject());
let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService(testProject());
  program.url = service.url;
  client = createClient({ baseUrl: service.url });
});
afterAll(() => service.close());

async function create(count: number): Promise<string[]> {
  const devices = Array.from({ length: count }, () => client.devices.create({ spec: SPEC }));
  return (await Promise.all(devices)).map(({ metadata }) => metadata.uid);
}

/** Returns the exit status of a child, and what it wrote as errors. */
async function endOf(child: ChildProcess): Promise<[code: number, err: string]> {
  const [err, [code]] = await Promise.all([text(child.stderr!), once(child, 'close') as Promise<[number]>]);
  return [code, err];
}

/** Runs a command whose output goes to a full disk. */
async function onFullDisk(args: string[]): Promise<[code: number, err: string]> {
  const full = openSync('/dev/full', 'w');
  const file = join(program.folder, 'src/generated/ctl.js');
  const child = spawn(process.execPath, [file, ...args, '-s', service.url], {
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  return endOf(child);
}

const WRONG = /^test-servicectl: the output cannot be written: ENOSPC.*\n$/;

test.each([
  ['get', ['get', 'devices', '-o', 'json'], 1],
  ['help', ['--help'], 1],
  ['a difference', ['diff', '-f', join(__dirname, 'lost-output.yaml')], 2],
])('%s on a full disk is no success', async (_, args, want) => {
  const [code, err] = await onFullDisk(args);
  expect([code, err]).toEqual([want, expect.stringMatching(WRONG)]);
});

test('a deletion on a full disk goes on, and is no success', async () => {
  const uids = await create(3);
  const [code, err] = await onFullDisk(['delete', 'devices', ...uids]);
  expect([code, err]).toEqual([1, expect.stringMatching(WRONG)]);
  for (const uid of uids) await expect(client.devices.get(uid)).rejects.toMatchObject({ status: 404 });
});

test('a deletion goes on where the reader of its output has enough', async () => {
  const uids = await create(20);
  const child = program.start(['delete', 'devices', ...uids]);
  child.stdout!.destroy();
  expect(await endOf(child)).toEqual([0, '']);
  for (const uid of uids) await expect(client.devices.get(uid)).rejects.toMatchObject({ status: 404 });
});

test('writes go on where nobody reads the failures either', async () => {
  const [uid] = await create(1);
  const missing = Array.from({ length: 20 }, (_, index) => `dev-${String(index).padStart(16, '0')}`);
  const child = program.start(['delete', 'devices', ...missing, uid]);
  child.stdout!.destroy();
  child.stderr!.destroy();
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(1);
  await expect(client.devices.get(uid)).rejects.toMatchObject({ status: 404 });
});

test('a list that is too large for the client is explained', () => {
  expect(explain(new ResponseTooLargeError('the response has more than 5 bytes'))).toBe(
    'the response has more than 5 bytes\n',
  );
});

test.each([
  [
    'a header',
    ['-H', 'X-Name: \u20ac'],
    /^test-servicectl: the header X-Name has characters that no header may have\n/,
  ],
  [
    'a token',
    ['--token', 'a\nb'],
    /^test-servicectl: the header Authorization has characters that no header may have\n/,
  ],
])('%s that cannot be sent is a wrong argument', async (_, options, message) => {
  const { code, out, err } = await program.run(['get', 'devices', ...options]);
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(message)]);
});
