import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

// The README's tour, typed line by line with svcgen as it is published: packed, installed elsewhere, a real network.

const MINUTES = 60_000;
const root = join(__dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const tour = readme.slice(readme.indexOf('## Tour'), readme.indexOf('## Commands'));

/** The tour's blocks of a language, in order. */
function blocks(language: string): string[] {
  return [...tour.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text);
}

const [create, serve, ...requests] = blocks('sh');
const [fields, rules] = blocks('yaml');

let folder: string;
let service: string;
let port: number;
let server: ChildProcess | undefined;

/** Runs lines of the tour in a shell that stops at the first that fails; returns what they print. */
function type(lines: string, cwd: string): string {
  const script = lines.replaceAll('localhost:8080', `127.0.0.1:${port}`).replaceAll('curl ', 'curl -sS ');
  const path = [join(folder, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH: path, npm_config_audit: 'false', npm_config_fund: 'false' };
  return execFileSync('bash', ['-euo', 'pipefail', '-c', script], { cwd, env, encoding: 'utf8' });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen e2e '));
  service = join(folder, 'device-service');
  port = await freePort();
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
    const packed = type(`npm pack --json --ignore-scripts --pack-destination '${folder}'`, root);
    const [{ filename }] = JSON.parse(packed) as { filename: string }[];
    type(`npm init --yes && npm install ./${filename}`, folder);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(type('svcgen version', folder).trim()).toBe(version);
  },
  3 * MINUTES,
);

test(
  'a service is created, generated and installed, and passes its own tests',
  () => {
    type(create, folder);
    edit((text) => text.replace(/ *description: .*\n/, fields));
    // What starts the service is for the next test; the lines before it are not.
    type(serve.replace('npm start', ''), service);
    expect(JSON.parse(type('svcgen generate --check --json', service))).toMatchObject({ ok: true });
    type('npm run build && npm run typecheck && npm test', service);
  },
  6 * MINUTES,
);

test(
  'it answers every request of the tour, keeps what it acknowledged, and stops',
  async () => {
    await start();
    const [posted, refused, requestsOfAll] = requests;
    expect(type(posted, service)).toMatch(/^HTTP\/1.1 201 Created/);
    expect(type(refused, service)).toContain('did you mean \\"location\\"?');
    const answers = type(requestsOfAll, service);
    expect(answers).toContain('"config":{"region":"eu","rack":"r5"}');
    expect(answers).toContain('"status":412');
    expect(answers).toContain('"ready":true');
    await stop();
    await start();
    expect(type('curl localhost:8080/devices', service)).toContain('"rack":"r5"');
    await stop();
  },
  MINUTES,
);

test(
  'a second version is added, and both versions read and write the same resource',
  async () => {
    const [, , , addVersion, requestsOfBoth] = requests;
    type(addVersion, service);
    edit((text) => {
      const start = text.indexOf('          v2beta1:');
      const spoke = text.slice(start).replace('location:', 'site:').replace('timeoutMs:', 'timeoutSeconds:');
      return text.slice(0, start) + spoke;
    });
    expect(() => type('svcgen generate 2>&1', service)).toThrow();
    edit((text) => text.trimEnd() + '\n' + rules);
    type('svcgen generate && npm run build && npm test', service);
    await start();
    const uid = `uid=$(curl localhost:8080/devices | sed 's/.*"uid":"\\([^"]*\\)".*/\\1/')\n`;
    const answers = type(uid + requestsOfBoth, service);
    expect(answers).toContain('"site":"berlin","timeoutSeconds":2');
    expect(answers).toMatch(/"location":"paris","timeoutMs":1500.*$/);
    await stop();
  },
  3 * MINUTES,
);

function edit(change: (text: string) => string): void {
  const file = join(service, 'project.yaml');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

async function start(): Promise<void> {
  server = spawn(process.execPath, ['dist/main.js'], {
    cwd: service,
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (chunk) => (output += chunk));
  for (let tries = 0; tries < 400; tries++) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await setTimeout(50);
  }
  throw new Error(`the service did not become ready:\n${output}`);
}

async function stop(): Promise<void> {
  server?.kill('SIGTERM');
  expect(await once(server!, 'exit')).toEqual([0, null]);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
