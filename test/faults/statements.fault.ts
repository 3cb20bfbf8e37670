import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevice, type HttpResponse, JSON_TYPE, MERGE, resourceOf, send } from './support/client';
import { type Contents, halves, readContents } from './support/database';
import { type Breakage, demand, fault } from './support/fault';
import { type RunningService, startService } from './support/service';

const spec = { name: 'new', location: 'hall' };
const labels = { state: 'new', more: 'yes' };

/** Every write that the store knows, on a device that is there with two snapshots: all patches are alike to it. */
const OPERATIONS: { [name: string]: (port: number, path: string, oldest: string) => Promise<HttpResponse> } =
  {
    create: (port) =>
      send(port, 'POST', '/devices', { headers: JSON_TYPE, body: { metadata: { labels }, spec } }),
    PUT: (port, path) =>
      send(port, 'PUT', path, { headers: JSON_TYPE, body: { metadata: { labels }, spec } }),
    'merge patch': (port, path) =>
      send(port, 'PATCH', path, { headers: MERGE, body: { metadata: { labels }, spec } }),
    'PUT of the status': (port, path) =>
      send(port, 'PUT', `${path}/status`, { headers: JSON_TYPE, body: { status: { message: 'new' } } }),
    DELETE: (port, path) => send(port, 'DELETE', path),
    'DELETE of a snapshot': (port, path, oldest) => send(port, 'DELETE', `${path}/versions/${oldest}`),
  };

/** A closed database with one device, which the operations are tried on. */
interface Prepared {
  template: string;
  /** Path of the device. */
  path: string;
  /** Its oldest snapshot. */
  oldest: string;
}

async function prepare(folder: string): Promise<Prepared> {
  const template = join(folder, 'template.db');
  const service = await startService(`sqlite:${template}`);
  const created = await createDevice(service.port, 'old', { state: 'old' });
  const path = created.headers.location!;
  await send(service.port, 'PUT', path, { headers: JSON_TYPE, body: { spec: { name: 'older' } } });
  service.child.kill('SIGTERM');
  await service.ended;
  return { template, path, oldest: String(resourceOf(created).status!['version']) };
}

/** Returns the changes of a write, without what is new in every run: times, uids, ids. */
function essence({ resources, labels: rows, snapshots, events }: Contents): string {
  const texts = resources.map(({ text, revision }) => {
    const { metadata, spec: found, status } = resourceOf({ text } as HttpResponse);
    return [revision, metadata.generation, metadata.labels, found, status?.['message']];
  });
  const labelled = rows!.map(({ key, value }) => `${key}=${value}`).toSorted();
  return JSON.stringify([texts, labelled, snapshots.length, events.length]);
}

/** Number of operations that are tried at the same time. */
const LANES = 3;

fault('a kill at every SQL statement, SQLite', {
  async check(broken: Breakage) {
    const folder = mkdtempSync(join(tmpdir(), 'svcgen-statements-'));
    const prepared = await prepare(folder);
    const names = Object.keys(OPERATIONS);
    const kills: number[] = [];
    const lane = async (): Promise<void> => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        kills.push(await killAtEach(name, prepared, broken));
    };
    // What one lane has found ends the others, too: none may go on without its folder.
    const lanes = Array.from({ length: LANES }, () => lane().finally(() => (names.length = 0)));
    await Promise.allSettled(lanes);
    rmSync(folder, { recursive: true });
    await Promise.all(lanes);
    const all = kills.reduce((sum, count) => sum + count);
    return `${all} kills in ${kills.length} operations: each was wholly before or wholly after`;
  },
  controls: { 'without transactions': { hooks: ['no-transactions'] } },
});

/** Kills the service at the first, second, … statement of an operation, and returns how often. */
async function killAtEach(
  name: string,
  { template, path, oldest }: Prepared,
  broken: Breakage,
): Promise<number> {
  const [file, place] = [`${template}-${name}`, `${template}-${name}-place`];
  const operation = OPERATIONS[name];
  const before = essence(read(template));
  const start = (statement: number): Promise<RunningService> => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    copyFileSync(template, file);
    const environment = { FAULT_STATEMENT: String(statement), FAULT_PLACE: place };
    return startService(`sqlite:${file}`, {
      hooks: [...(broken.hooks ?? []), 'kill-at-statement'],
      environment: { ...broken.environment, ...environment },
    });
  };
  const whole = await start(1_000);
  const response = await operation(whole.port, path, oldest);
  demand(response.status < 300, `${name}: ${response.status} ${response.text}`);
  await whole.kill();
  const after = essence(read(file));
  demand(after !== before, `${name} changes nothing`);
  for (let statement = 1, is = before; ; statement++) {
    const service = await start(statement);
    const answered = await operation(service.port, path, oldest).catch(() => undefined);
    if (answered !== undefined) {
      await service.kill();
      // The last kill was after the commit, before the response.
      demand(is === after, `${name}: not made by its COMMIT`);
      return statement - 1;
    }
    await service.ended;
    const where = `${name}, killed before ${readFileSync(place, 'utf8').slice(0, 40)}`;
    const contents = read(file);
    const half = halves(contents);
    demand(half.length === 0, `${where}: ${half[0]}`);
    is = essence(contents);
    demand(is === before || is === after, `${where}: neither before nor after: ${is}`);
  }
}

const read = (file: string): Contents => readContents(`sqlite:${file}`) as Contents;
