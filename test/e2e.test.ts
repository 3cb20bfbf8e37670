import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

// What a user does, from the package as it is published to a request that is answered, on real files and a real network.

const MINUTES = 60_000;
const root = join(__dirname, '..');
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
let folder: string;
let service: string;
let server: ChildProcess | undefined;

function run(cwd: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function svcgen(...args: string[]): string {
  return run(folder, join(folder, 'node_modules/.bin/svcgen'), ...args);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen e2e '));
  service = join(folder, 'device-service');
});

afterAll(async () => {
  if (server?.exitCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

test(
  'the package installs and has a command',
  () => {
    const [{ filename }] = JSON.parse(
      run(root, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
    ) as {
      filename: string;
    }[];
    run(folder, 'npm', 'init', '--yes');
    run(folder, 'npm', 'install', ...quiet, join(folder, filename));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(svcgen('version').trim()).toBe(version);
  },
  3 * MINUTES,
);

test('init, add kind, generate; a second generate changes nothing', () => {
  svcgen('init', 'device-service', '--yes');
  svcgen('add', 'kind', 'Device', '--spec-versioning', '--project', service);
  svcgen('add', 'kind', 'Policy', '--project', service);
  svcgen('generate', '--project', service);
  expect(JSON.parse(svcgen('generate', '--check', '--json', '--project', service))).toMatchObject({
    ok: true,
  });
});

test(
  'the service installs, builds and passes its own tests',
  () => {
    run(service, 'npm', 'install', ...quiet);
    run(service, 'npm', 'run', 'build');
    run(service, 'npm', 'run', 'typecheck');
    run(service, 'npm', 'test');
  },
  5 * MINUTES,
);

test(
  'the service starts, answers, keeps what it acknowledged, and stops',
  async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await start(port, url);
    const created = await fetch(`${url}/devices`, {
      method: 'POST',
      body: JSON.stringify({ metadata: { name: 'first' }, spec: { description: 'a device' } }),
    });
    expect(created.status).toBe(201);
    const resource = (await created.json()) as { metadata: { uid: string } };
    expect((await fetch(`${url}/policies`)).status).toBe(200);

    server?.kill('SIGTERM');
    expect(await once(server!, 'exit')).toEqual([0, null]);
    await start(port, url);
    const again = await fetch(`${url}/devices/${resource.metadata.uid}`);
    expect(await again.json()).toEqual(resource);
  },
  MINUTES,
);

async function start(port: number, url: string): Promise<void> {
  server = spawn(process.execPath, ['dist/main.js'], {
    cwd: service,
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (chunk) => (output += chunk));
  for (let tries = 0; tries < 200; tries++) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await setTimeout(50);
  }
  throw new Error(`the service did not become ready:\n${output}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
