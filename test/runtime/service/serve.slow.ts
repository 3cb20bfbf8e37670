import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect as secureConnect } from 'node:tls';
import { SETTINGS } from '../../../templates/runtime/settings/settings';
import { REGISTER } from '../../support/compiled';
import { selfSignedIn } from '../kubernetes/certificate';
import { begin, create, JSON_TYPE, send, sendRaw, type Sent, statuses } from '../support/client';
import { runProcess, startProcess } from '../support/service-process';

/** A book that takes `milliseconds` to create. */
const book = (milliseconds: number): Sent => ({
  headers: JSON_TYPE,
  body: { spec: { title: String(milliseconds), author: 'b' } },
  alone: true,
});

/** Groups of processes that a failed test may have left. */
const groups: number[] = [];
afterAll(() => groups.forEach(killGroup));

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // All have ended.
  }
}

test('a connection that cannot be accepted does not end the service', async () => {
  const service = await startProcess({}, 'service/accept-error-child.ts');
  while (!service.log.some(({ msg }) => msg === 'a connection was not accepted'))
    await send(service.port, 'GET', '/readyz', { alone: true });
  expect((await send(service.port, 'GET', '/readyz')).status).toBe(200);
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});

describe('a stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s: requests under way are answered, exit code 0',
    async (signal) => {
      const folder = mkdtempSync(join(tmpdir(), 'serve-'));
      const environment = { DATABASE_URL: `sqlite:${join(folder, 'store.db')}` };
      const service = await startProcess(environment);
      expect((await send(service.port, 'GET', '/readyz')).text).toBe('{"status":"ready"}');

      const underWay = Array.from({ length: 20 }, () => begin(service.port, 'POST', '/books', book(3_000)));
      await Promise.all(underWay.map(({ arrived }) => arrived));
      service.child.kill(signal);
      let ready = await send(service.port, 'GET', '/readyz', { alone: true });
      while (ready.status === 200) ready = await send(service.port, 'GET', '/readyz', { alone: true });
      expect(ready.status).toBe(503);
      const raw = await sendRaw(service.port, 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
      expect([statuses(raw), /^connection: close\r$/im.test(raw)]).toEqual([[503], true]);
      // npm passes on what a terminal has sent to the service, too.
      service.child.kill(signal);
      expect((await send(service.port, 'GET', '/healthz', { alone: true })).status).toBe(200);
      const late = await send(service.port, 'POST', '/books', book(0));
      expect(late.status).toBe(201);

      const responses = await Promise.all(underWay.map(({ response }) => response));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
      expect(await service.ended).toBe(0);
      expect(service.log.map(({ msg }) => msg)).toEqual(['listening', 'stopping', 'stopped']);

      const again = await startProcess(environment);
      const { text } = await send(again.port, 'GET', '/books');
      expect(JSON.parse(text)).toHaveLength(21);
      again.child.kill('SIGTERM');
      expect(await again.ended).toBe(0);
      rmSync(folder, { recursive: true });
    },
  );

  const TSX = join(__dirname, '../../../node_modules/tsx/dist/cli.mjs');
  test.each<[string, string, string[]]>([
    ['start', '1', []],
    ['start', '2', []],
    ['dev', '1', ['--watch']],
    ['dev', '2', ['--watch']],
    ['dev', '1', [TSX, 'watch']],
    ['dev', '2', [TSX, 'watch']],
  ])(
    'of the npm that runs %s with %s workers and %j: npm does not reach it',
    async (script, WORKERS, watch) => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'npm-start-')));
      const program = ['--require', REGISTER, join(__dirname, '../support/service-child.ts')];
      const start = [process.execPath, ...watch, ...program].map((word) => JSON.stringify(word)).join(' ');
      // A shell that has another command to run stays between npm and the service, as dash always does.
      const scripts = { [script]: `${start}; true` };
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ name: 'started', version: '1.0.0', scripts }),
      );
      const environment = { DATABASE_URL: `sqlite:${join(folder, 'store.db')}`, PORT: '0', WORKERS };
      const npm = spawn('npm', ['run', script, '--silent'], {
        cwd: folder,
        env: { ...process.env, ...environment },
      });
      const messages: string[] = [];
      const closed = once(npm.stdout, 'close');
      await new Promise<void>((listens) => {
        createInterface(npm.stdout).on('line', (line) => {
          if (!line.startsWith('{')) return;
          messages.push((JSON.parse(line) as { msg: string }).msg);
          if (messages.at(-1) === 'listening') listens();
        });
      });
      npm.kill('SIGTERM');
      // Only the service still has the pipe open.
      await closed;
      expect(messages.filter((each) => /^(listening|stopp)/.test(each))).toEqual([
        'listening',
        'stopping',
        'stopped',
      ]);
      rmSync(folder, { recursive: true });
    },
  );

  test('of an idle service, with connections kept open, takes no time', async () => {
    const HOUR = '3600000';
    const service = await startProcess({ SHUTDOWN_TIMEOUT_MS: HOUR, KEEP_ALIVE_TIMEOUT_MS: HOUR });
    await create(service.port, '/books', { title: 'a', author: 'b' });
    // A browser opens connections ahead of its requests.
    const silent = connect(service.port, '127.0.0.1').on('error', () => undefined);
    await once(silent, 'connect');
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  test.each(['1', '2'])(
    'after a delay, with %s workers: load balancers see /readyz fail before a connection does',
    async (WORKERS) => {
      const DELAY = 1_500;
      const folder = mkdtempSync(join(tmpdir(), 'serve-'));
      const service = await startProcess({
        WORKERS,
        DATABASE_URL: `sqlite:${join(folder, 'store.db')}`,
        SHUTDOWN_DELAY_MS: String(DELAY),
        SHUTDOWN_TIMEOUT_MS: '0',
      });
      const start = performance.now();
      service.child.kill('SIGTERM');
      const readiness = (): ReturnType<typeof send> => send(service.port, 'GET', '/readyz', { alone: true });
      while ((await readiness()).status === 200);
      const { path } = await create(service.port, '/books', { title: 'a', author: 'b' });
      expect((await send(service.port, 'GET', path, { alone: true })).status).toBe(200);
      expect(await service.ended).toBe(0);
      expect(performance.now() - start).toBeGreaterThanOrEqual(DELAY);
      rmSync(folder, { recursive: true });
    },
  );

  test('of a service that speaks https, with a connection that has sent no request, takes no time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'serve-'));
    const certificate = selfSignedIn(folder, 'served');
    const service = await startProcess({ ...certificate, SHUTDOWN_TIMEOUT_MS: '3600000' });
    const silent = secureConnect({ port: service.port, host: '127.0.0.1', rejectUnauthorized: false });
    silent.on('error', () => undefined);
    await once(silent, 'secureConnect');
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    rmSync(folder, { recursive: true });
  });

  test.each(['1', '2'])(
    'during the start, with %s workers: it ends at once, exit code 0',
    async (WORKERS) => {
      // A server of PostgreSQL that says nothing.
      const silent = createServer().listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const DATABASE_URL = `postgres://user@127.0.0.1:${port}/database`;
      const POSTGRES_CONNECT_TIMEOUT_MS = '3600000';
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        const child = runProcess({ WORKERS, DATABASE_URL, POSTGRES_CONNECT_TIMEOUT_MS });
        await once(silent, 'connection');
        child.kill(signal);
        expect(await once(child, 'exit')).toEqual([0, null]);
      }
      silent.close();
    },
  );

  test('does not wait for who never ends: as long as it is set to', async () => {
    const service = await startProcess({ SHUTDOWN_TIMEOUT_MS: '600' });
    const head = 'POST /books HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{';
    const slow = sendRaw(service.port, head);
    const { arrived, response } = begin(service.port, 'POST', '/books', book(600_000));
    const stuck = response.catch(({ code }: NodeJS.ErrnoException) => code);
    await arrived;
    const start = Date.now();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(Date.now() - start).toBeLessThan(SETTINGS.SHUTDOWN_TIMEOUT_MS.fallback);
    expect(await stuck).toBe('ECONNRESET');
    expect(statuses(await slow)).toEqual([]);
  });
});

test.each<[string, number[]]>([
  ['nothing', []],
  ['the beginning of a handshake', [0x16, 0x03, 0x01]],
])('https: a client that sends %s has as much time as for headers', async (_, bytes) => {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'));
  const certificate = selfSignedIn(folder, 'served');
  const service = await startProcess({ ...certificate, HEADERS_TIMEOUT_MS: '500' });
  const silent = connect(service.port, '127.0.0.1').on('error', () => undefined);
  const start = Date.now();
  silent.resume().write(Buffer.from(bytes));
  await once(silent, 'close');
  expect(Date.now() - start).toBeLessThan(60_000);
  service.child.kill('SIGTERM');
  await service.ended;
  rmSync(folder, { recursive: true });
});

describe('a start that is refused: exit code 1', () => {
  test('another listens on the port: the message names a port to choose', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const message = `ended with 1 .*cannot listen on 127\\.0\\.0\\.1:${port}: .*EADDRINUSE.* PORT=\\d+ npm start`;
    await expect(startProcess({ PORT: String(port) })).rejects.toThrow(new RegExp(message, 's'));
    other.close();
  });

  test.each(['[::1]', '127.0.0.1:80', '203.0.113.1'])(
    'HOST=%s is no address of this machine',
    async (HOST) => {
      await expect(startProcess({ HOST })).rejects.toThrow(
        /ended with 1 .*HOST must be an IP address of this/s,
      );
    },
  );

  test('the database is none, and stays what it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'serve-'));
    const file = join(folder, 'store.db');
    writeFileSync(file, 'not a database, whatever it may be\n'.repeat(100));
    await expect(startProcess({ DATABASE_URL: `sqlite:${file}` })).rejects.toThrow('ended with 1');
    rmSync(folder, { recursive: true });
  });

  test('a setting is wrong', async () => {
    await expect(startProcess({ MAX_DEPTH: 'many' })).rejects.toThrow('ended with 1');
  });
});

describe('without HOST', () => {
  const hasIPv6 = Object.values(networkInterfaces()).some((each) =>
    each?.some(({ address }) => address === '::1'),
  );

  /** The status of /healthz at an address; undefined where nobody listens. */
  const health = (port: number, hostname: string): Promise<number | undefined> =>
    new Promise((resolve) => {
      get({ hostname, port, path: '/healthz', agent: false }, (res) => resolve(res.resume().statusCode)).on(
        'error',
        () => resolve(undefined),
      );
    });

  test.each([['1'], ['2']])('%s process(es) listen on every address, of IPv4 and IPv6', async (WORKERS) => {
    const folder = mkdtempSync(join(tmpdir(), 'serve-'));
    const DATABASE_URL = `sqlite:${join(folder, 'store.db')}`;
    const { port, child, ended } = await startProcess({ HOST: '', WORKERS, DATABASE_URL });
    expect(await health(port, '127.0.0.1')).toBe(200);
    expect(await health(port, '::1')).toBe(hasIPv6 ? 200 : undefined);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    rmSync(folder, { recursive: true });
  });

  test('an address of IPv4 takes no other', async () => {
    const { port } = await startProcess({ HOST: '0.0.0.0' });
    expect(await health(port, '127.0.0.1')).toBe(200);
    expect(await health(port, '::1')).toBeUndefined();
  });
});
