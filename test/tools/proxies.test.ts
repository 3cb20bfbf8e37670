import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, type HttpResponse, JSON_TYPE, MERGE, send } from '../runtime/support/client';
import { type ServiceProcess, startProcess } from '../runtime/support/service-process';
import { freePort } from '../support/free-port';
import { blocksOf } from '../support/page';
import { BackgroundProgram } from './background-program';
import { describeWith } from './foreign-tool';

// The lines that docs/operations.md has for each proxy, in front of two services on one file.

const blocks = blocksOf('docs/operations.md');
const folder = mkdtempSync(join(tmpdir(), 'proxies-'));
// Proxies give up the privileges of root.
chmodSync(folder, 0o755);
const environment = {
  DATABASE_URL: `sqlite:${join(folder, 'store.db')}`,
  AUDIT: join(folder, 'audit'),
  SHUTDOWN_DELAY_MS: '3000',
};
let services: ServiceProcess[] = [];
let program: BackgroundProgram | undefined;

const startService = (PORT: string): Promise<ServiceProcess> =>
  startProcess({ ...environment, PORT }, 'events/device-child.ts');

beforeAll(async () => {
  services = [await startService('0'), await startService('0')];
});
afterEach(() => program?.stop());
afterAll(async () => {
  for (const { child } of services) child.kill('SIGKILL');
  await Promise.all(services.map(({ ended }) => ended));
  rmSync(folder, { recursive: true });
});

/** Returns the lines of the page in a language, with these services in place of its own. */
function linesOf(language: string): string {
  const { text } = blocks.find((block) => block.language === language)!;
  return text
    .replace('10.0.0.1:8080', `127.0.0.1:${services[0].port}`)
    .replace('10.0.0.2:8080', `127.0.0.1:${services[1].port}`);
}

/** Starts a proxy with a configuration, and returns its port once a request gets through it. */
async function start(
  file: string,
  configure: (port: number) => string,
  argumentsWith: (path: string, port: number) => string[],
): Promise<number> {
  const port = await freePort();
  const path = join(folder, `${file}.conf`);
  writeFileSync(path, configure(port));
  program = new BackgroundProgram(file, argumentsWith(path, port), {});
  await program.until(async () => {
    const response = await send(port, 'GET', '/readyz', { alone: true }).catch(() => undefined);
    return response?.status === 200;
  });
  return port;
}

const haproxy = (): Promise<number> =>
  start(
    'haproxy',
    (port) => `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  retries 0
frontend all
  bind 127.0.0.1:${port}
  compression algo gzip
  compression type application/json
  default_backend inventory
${linesOf('haproxy')}`,
    (path) => ['-f', path],
  );

const nginx = (): Promise<number> =>
  start(
    'nginx',
    (port) => `pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  gzip on;
  gzip_types application/json;
  upstream inventory { server 127.0.0.1:${services[0].port}; }
${linesOf('nginx').replace('server {', `server {\n  listen 127.0.0.1:${port};`)}}`,
    (path) => ['-c', path, '-g', 'daemon off;'],
  );

const varnish = (): Promise<number> =>
  start(
    'varnishd',
    () => `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${services[0].port}"; }
${linesOf('vcl')}
sub vcl_backend_response { set beresp.do_gzip = true; }`,
    (path, port) => ['-F', '-a', `127.0.0.1:${port}`, '-f', path, '-n', join(folder, 'varnish')],
  );

describe.each<[program: string, start: () => Promise<number>]>([
  ['haproxy', haproxy],
  ['nginx', nginx],
  ['varnishd', varnish],
])('%s', (name, startProxy) => {
  describeWith(name)('that compresses', () => {
    test('the tag of a compressed response is a condition of a write', async () => {
      const port = await startProxy();
      const { path } = await create(port, '/devices', { name: 'a'.repeat(2_000), location: 'b' });
      const read = await send(port, 'GET', path, { headers: { 'Accept-Encoding': 'gzip' }, alone: true });
      expect([read.headers['content-encoding'], read.headers.etag?.slice(0, 3)]).toEqual(['gzip', 'W/"']);
      expect(read.headers.vary).toMatch(/Accept-Encoding/);
      const patch = { headers: { ...MERGE, 'If-Match': read.headers.etag }, body: { spec: { model: 'c' } } };
      expect((await send(port, 'PATCH', path, patch)).status).toBe(200);
      expect((await send(port, 'PATCH', path, patch)).status).toBe(412);
    });

    test('an event comes while its stream goes on', async () => {
      const port = await startProxy();
      const ends = new AbortController();
      const { body } = await fetch(`http://127.0.0.1:${port}/events`, { signal: ends.signal });
      const { path } = await create(port, '/devices', { name: 'a', location: 'b' });
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true });
        if (text.includes(path.split('/').at(-1)!)) break;
      }
      ends.abort();
      expect(text).toContain('"type":"io.svc.device.created"');
    });
  });
});

/** Returns the status of a response, or the reason why there is none. */
const outcome = (sent: Promise<HttpResponse>): Promise<number | string> =>
  sent.then(
    ({ status }) => status,
    (error: Error) => error.message,
  );

describeWith('haproxy')('haproxy', () => {
  test('no request fails while the services are replaced', async () => {
    const port = await haproxy();
    const statuses = new Set<number | string>();
    let isOver = false;
    const callers = Array.from({ length: 16 }, async () => {
      const call = { headers: JSON_TYPE, body: { spec: { name: 'a', location: 'b' } } };
      while (!isOver) {
        statuses.add(await outcome(send(port, 'POST', '/devices', call)));
        statuses.add(await outcome(send(port, 'GET', '/devices?limit=1')));
      }
    });
    for (const index of [0, 1, 0, 1]) {
      const { child, ended, port: own } = services[index];
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
      services[index] = await startService(String(own));
    }
    isOver = true;
    await Promise.all(callers);
    expect([...statuses].sort()).toEqual([200, 201]);
  });
});
