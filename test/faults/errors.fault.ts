import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createDevice, type HttpResponse, JSON_TYPE, MERGE, resourceOf, send } from './support/client';
import { halves, readContents } from './support/database';
import { type Breakage, demand, fault } from './support/fault';
import { describeWithImages, makeImage } from './support/image';
import { type RunningService, SHIM, SHUTDOWN, startService } from './support/service';

/** So many calls in a row that are not made, and an operation has no more of them. */
const BEYOND = 3;

const isRefusal = ({ status, text }: HttpResponse): boolean =>
  status === 503 && text.includes('nothing was written');
const isOpen = ({ status, text }: HttpResponse): boolean => status === 503 && text.includes('is unknown');

/** The device that is written, and its only snapshot. */
interface Target {
  path: string;
  snapshot: string;
}

/** A write of a device; `name` is in no other write. */
interface Write {
  send: (port: number, target: Target, name: string) => Promise<HttpResponse>;
  /** Returns how often it has been made. */
  made: (port: number, target: Target, name: string) => Promise<number>;
}

/** Returns a function that counts the devices which have a member with the name of a write. */
const devicesWith =
  (member: string): Write['made'] =>
  async (port, _target, name) => {
    const { text } = await send(port, 'GET', '/devices');
    return text.split(JSON.stringify({ [member]: name }).slice(1, -1)).length - 1;
  };

const isGone = async (port: number, path: string): Promise<number> =>
  Number((await send(port, 'GET', path)).status === 404);

/** Every write that a client can make. */
const WRITES: { [title: string]: Write } = {
  POST: {
    send: (port, _, name) =>
      send(port, 'POST', '/devices', {
        headers: JSON_TYPE,
        body: { metadata: { labels: { mark: name } }, spec: { name } },
      }),
    made: devicesWith('name'),
  },
  PUT: {
    send: (port, { path }, name) => send(port, 'PUT', path, { headers: JSON_TYPE, body: { spec: { name } } }),
    made: devicesWith('name'),
  },
  PATCH: {
    send: (port, { path }, name) => send(port, 'PATCH', path, { headers: MERGE, body: { spec: { name } } }),
    made: devicesWith('name'),
  },
  'PUT of the status': {
    send: (port, { path }, name) =>
      send(port, 'PUT', `${path}/status`, { headers: JSON_TYPE, body: { status: { message: name } } }),
    made: devicesWith('message'),
  },
  'PATCH of the status': {
    send: (port, { path }, name) =>
      send(port, 'PATCH', `${path}/status`, { headers: MERGE, body: { status: { message: name } } }),
    made: devicesWith('message'),
  },
  DELETE: {
    send: (port, { path }) => send(port, 'DELETE', path),
    made: (port, { path }) => isGone(port, path),
  },
  'DELETE of a snapshot': {
    send: (port, { snapshot }) => send(port, 'DELETE', snapshot),
    made: (port, { snapshot }) => isGone(port, snapshot),
  },
};

fault('an error at each access to the disk, SQLite', {
  async check({ hooks, environment }: Breakage) {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-errors-'));
    const url = `sqlite:${folder}/service.db`;
    const shim = { LD_PRELOAD: SHIM, DISK_FOLDER: folder };
    const service = await startService(url, { hooks, environment: { ...environment, ...shim } });
    try {
      let errors = 0;
      for (const name of Object.keys(WRITES))
        for (const mode of ['once', 'on'] as const) errors += await failAtEach(service, folder, name, mode);
      await service.kill();
      const half = halves(await readContents(url));
      demand(half.length === 0, `${half.length} half written, such as ${half[0]}`);
      demand(errors > 20, `only ${errors} errors`);
      return `${errors} errors in ${Object.keys(WRITES).length} operations: each was made or was not, as was said`;
    } finally {
      await service.kill();
      rmSync(folder, { recursive: true });
    }
  },
  controls: { 'an error after the commit is one of the commit': { hooks: ['throws-after-commit'] } },
});

/** Lets the first, second, … access during a write fail, that one or all from it on. Returns how many there were. */
async function failAtEach(
  { port }: RunningService,
  folder: string,
  name: string,
  mode: 'once' | 'on',
): Promise<number> {
  const [when, failed] = [join(folder, 'fail-at'), join(folder, 'failed')];
  let errors = 0;
  for (let call = 1, missed = 0; missed < BEYOND; call++) {
    const created = await createDevice(port, 'before');
    const path = created.headers.location!;
    const target = { path, snapshot: `${path}/versions/${String(resourceOf(created).status?.['version'])}` };
    const unique = `${name}-${mode}-${call}`;
    const where = `${name}, call ${call} ${mode}`;
    const write = WRITES[name];
    symlinkSync(`${call} ${mode}`, when);
    const response = await write.send(port, target, unique);
    const meanwhile = await send(port, 'GET', path);
    rmSync(when);
    const hasFailed = lstatSync(failed, { throwIfNoEntry: false }) !== undefined;
    rmSync(failed, { force: true });
    missed = hasFailed ? 0 : missed + 1;
    errors += Number(hasFailed);
    demand(
      response.status < 300 || isRefusal(response) || isOpen(response),
      `${where}: ${response.status} ${response.text}`,
    );
    const shown = name === 'DELETE' ? [200, 404, 503] : [200, 503];
    demand(shown.includes(meanwhile.status), `${where}: a GET got ${meanwhile.status}`);
    await ready(port, where);
    const found = await write.made(port, target, unique);
    demand(found < 2, `${where}: made ${found} times`);
    if (response.status < 300) demand(found === 1, `${where}: acknowledged, and not made`);
    if (isRefusal(response)) demand(found === 0, `${where}: refused, and made`);
    await send(port, 'DELETE', path);
  }
  return errors;
}

async function ready(port: number, where: string): Promise<void> {
  const start = performance.now();
  while ((await send(port, 'GET', '/readyz')).status !== 200) {
    demand(performance.now() < start + 30_000, `${where}: it does not resume`);
    await setTimeout(5);
  }
}

describeWithImages('a file system', () => {
  fault('a lost disk, SQLite on ext4', {
    async check(broken) {
      const image = makeImage(24);
      const service = await startService(`sqlite:${image.folder}/service.db`, broken);
      try {
        const { port } = service;
        const paths: string[] = [];
        for (let n = 0; n < 300; n++) paths.push((await createDevice(port, `d${n}`)).headers.location!);
        const { status } = resourceOf(await send(port, 'GET', paths[0]));
        execFileSync(SHUTDOWN, [image.folder]);
        const body = { spec: { name: 'lost' } };
        const asked: [method: string, path: string, sent?: object][] = [
          ...paths.map((path): [string, string] => ['GET', path]),
          ['GET', '/devices'],
          ['GET', '/devices?limit=10'],
          ['GET', '/devices?labelSelector=a%3Db'],
          ['GET', `${paths[0]}/versions`],
          ['GET', `${paths[0]}/versions/${String(status?.['version'])}`],
          ['POST', '/devices', { headers: JSON_TYPE, body }],
          ['PUT', paths[0], { headers: JSON_TYPE, body }],
          ['PATCH', paths[1], { headers: MERGE, body }],
          ['PUT', `${paths[2]}/status`, { headers: JSON_TYPE, body: { status: { message: 'lost' } } }],
          ['DELETE', paths[3]],
          ['DELETE', `${paths[0]}/versions/${String(status?.['version'])}`],
          ['GET', '/readyz'],
        ];
        let read = 0;
        for (const [method, path, sent] of [...asked, ...asked]) {
          const response = await send(port, method, path, sent);
          const isRead = method === 'GET' && path !== '/readyz' && response.status === 200;
          read += Number(isRead);
          demand(isRead || response.status === 503, `${method} ${path}: ${response.status} ${response.text}`);
        }
        const health = await send(port, 'GET', '/healthz');
        demand(health.status === 200, `/healthz: ${health.status}`);
        return `${2 * asked.length} requests: ${read} reads 200, all others 503`;
      } finally {
        await service.kill();
        image.close();
      }
    },
    controls: { 'errors are passed on as they are': { hooks: ['bare-errors'] } },
  });
});
