import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Resource, Snapshot } from '../../../templates/runtime/model/resource';
import { create, JSON_PATCH, JSON_TYPE, MERGE, send, SHORTHAND_PATCH } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

let service: TestService;
beforeAll(async () => void (service = await startService(testProject())));
afterAll(() => service.close());

const SPEC = { name: 'a', location: 'b' };
const UNKNOWN = '20240101000000-1704067200000000000';

async function snapshots(path: string, { port } = service): Promise<Snapshot[]> {
  const response = await send(port, 'GET', `${path}/versions`);
  expect(response.status).toBe(200);
  return JSON.parse(response.text) as Snapshot[];
}

async function current(path: string, { port } = service): Promise<Resource> {
  return JSON.parse((await send(port, 'GET', path)).text) as Resource;
}

test('what records a snapshot, and what does not', async () => {
  const { path, resource } = await create(service.port, '/devices', SPEC, { labels: { env: 'prod' } });
  const [first] = await snapshots(path);
  expect(first).toEqual({
    versionId: resource.status!['version'],
    createdAt: resource.metadata.createdAt,
    uid: resource.metadata.uid,
    name: resource.metadata.name,
    labels: { env: 'prod' },
    spec: SPEC,
  });
  expect(first.versionId).toMatch(/^\d{14}-\d{19}$/);

  const steps: [method: string, suffix: string, type: object, body: unknown, snapshots: number][] = [
    ['PUT', '', JSON_TYPE, { spec: { ...SPEC, model: 'x' }, metadata: { annotations: { by: 'me' } } }, 2],
    ['PATCH', '', MERGE, { metadata: { labels: null } }, 3],
    ['PATCH', '', JSON_PATCH, [], 4],
    ['PATCH', '', SHORTHAND_PATCH, { 'spec.config.a': 'b' }, 5],
    ['PUT', '/status', JSON_TYPE, { status: { phase: 'Ready' } }, 5],
    ['PATCH', '/status', MERGE, { phase: 'Error' }, 5],
    ['PUT', '', JSON_TYPE, { spec: { ...SPEC, model: 1 } }, 5],
    ['PATCH', '', JSON_PATCH, [{ op: 'remove', path: '/spec/none' }], 5],
  ];
  for (const [method, suffix, headers, body, count] of steps) {
    await send(service.port, method, path + suffix, { headers: { ...headers }, body });
    const taken = await snapshots(path);
    const { status } = await current(path);
    expect([taken.length, status!['version']]).toEqual([count, taken.at(-1)!.versionId]);
  }
  const taken = await snapshots(path);
  expect(taken.map(({ spec }) => spec)).toEqual([
    SPEC,
    { ...SPEC, model: 'x' },
    { ...SPEC, model: 'x' },
    { ...SPEC, model: 'x' },
    { ...SPEC, model: 'x', config: { a: 'b' } },
  ]);
  expect(taken.map(({ labels, annotations }) => [labels, annotations])).toEqual([
    [{ env: 'prod' }, undefined],
    [{ env: 'prod' }, { by: 'me' }],
    [undefined, { by: 'me' }],
    [undefined, { by: 'me' }],
    [undefined, { by: 'me' }],
  ]);
  const one = await send(service.port, 'GET', `${path}/versions/${taken[1].versionId}`);
  expect([one.status, JSON.parse(one.text)]).toEqual([200, taken[1]]);
  expect(one.headers).not.toHaveProperty('etag');
});

test('a snapshot is deleted alone, a resource with all of its own', async () => {
  const { path } = await create(service.port, '/devices', SPEC);
  await send(service.port, 'PUT', path, { headers: JSON_TYPE, body: { spec: SPEC } });
  const [first, second] = await snapshots(path);
  const before = await current(path);
  const headers = { accept: 'application/json;version=v9' };
  const refused = await send(service.port, 'DELETE', `${path}/versions/${second.versionId}`, { headers });
  expect(refused.status).toBe(406);
  const response = await send(service.port, 'DELETE', `${path}/versions/${second.versionId}`);
  expect([response.status, response.text]).toEqual([200, '{"message":"Version deleted successfully"}']);
  expect(await snapshots(path)).toEqual([first]);
  expect(await current(path)).toEqual(before);
  expect((await send(service.port, 'DELETE', `${path}/versions/${second.versionId}`)).status).toBe(404);
  expect((await send(service.port, 'GET', `${path}/versions/${second.versionId}`)).status).toBe(404);

  // The id that was deleted does not come again.
  await send(service.port, 'PUT', path, { headers: JSON_TYPE, body: { spec: SPEC } });
  expect((await snapshots(path))[1].versionId > second.versionId).toBe(true);

  expect((await send(service.port, 'DELETE', path)).text).toBe('{"message":"Device deleted successfully"}');
  for (const suffix of ['', '/versions', `/versions/${first.versionId}`]) {
    expect((await send(service.port, 'GET', path + suffix)).status).toBe(404);
  }
});

test('a long history is read in parts, and answered as a short one', async () => {
  const { path } = await create(service.port, '/devices', SPEC);
  const count = 60;
  for (let index = 1; index < count; index++) {
    const spec = { ...SPEC, model: String(index).padEnd(20_000, 'x') };
    await send(service.port, 'PUT', path, { headers: JSON_TYPE, body: { spec } });
  }
  const store = service.service.store.snapshots!;
  const read = store.list.bind(store);
  const lengths: number[] = [];
  store.list = async (...asked) => {
    const found = await read(...asked);
    lengths.push(found.reduce((sum, { text }) => sum + text.length, 0));
    return found;
  };
  try {
    const taken = await snapshots(path);
    expect(taken.map(({ spec }) => Number.parseInt(String(spec['model'] ?? 0)))).toEqual([
      ...Array(count).keys(),
    ]);
    expect((await send(service.port, 'HEAD', `${path}/versions`)).status).toBe(200);
    expect(lengths.length).toBeGreaterThan(4);
    expect(Math.max(...lengths)).toBeLessThan(300_000);
  } finally {
    store.list = read;
  }
  const [, second] = await snapshots(path);
  const one = await send(service.port, 'GET', `${path}/versions/${second.versionId}`);
  expect(JSON.parse(one.text)).toEqual(second);
});

describe('pages', () => {
  /** Reads the pages from one on, by their links. */
  async function pages(path: string, query: string): Promise<Snapshot[][]> {
    const read: Snapshot[][] = [];
    for (let next: string | undefined = `${path}/versions?${query}`; next !== undefined;) {
      const { status, text, headers } = await send(service.port, 'GET', next);
      expect(status).toBe(200);
      read.push(JSON.parse(text) as Snapshot[]);
      next = /<([^>]*)>; rel="next"/.exec(String(headers['link']))?.[1];
    }
    return read;
  }

  async function write(path: string, models: string[]): Promise<void> {
    for (const model of models) {
      const body = { spec: { ...SPEC, model } };
      expect((await send(service.port, 'PUT', path, { headers: JSON_TYPE, body })).status).toBe(200);
    }
  }

  test('show each snapshot once, in both orders', async () => {
    const { path } = await create(service.port, '/devices', SPEC);
    await write(path, ['1', '2', '3', '4', '5', '6']);
    const all = await snapshots(path);
    const newestFirst = all.toReversed();
    const rows: [query: string, lengths: number[], want: Snapshot[]][] = [
      ['limit=3', [3, 3, 1], all],
      ['limit=7&sort=createdAt', [7], all],
      ['sort=-createdAt', [7], newestFirst],
      ['limit=3&sort=-createdAt', [3, 3, 1], newestFirst],
      [`sort=-createdAt&continue=${all[2].versionId}`, [2], newestFirst.slice(5)],
      [`continue=${all[2].versionId}&limit=1000000`, [4], all.slice(3)],
    ];
    for (const [query, lengths, want] of rows) {
      const read = await pages(path, query);
      expect([query, read.map(({ length }) => length), read.flat()]).toEqual([query, lengths, want]);
    }
    expect((await send(service.port, 'HEAD', `${path}/versions?limit=3`)).headers['link']).toBe(
      `<${path}/versions?limit=3&continue=${all[2].versionId}>; rel="next"`,
    );
  });

  test('of large snapshots end early', async () => {
    const { path } = await create(service.port, '/devices', SPEC);
    await write(
      path,
      ['1', '2', '3', '4'].map((model) => model.padEnd(100_000, 'x')),
    );
    const read = await pages(path, 'limit=100&sort=-createdAt');
    expect(read.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(read.flat()).toEqual((await snapshots(path)).toReversed());
  });

  test.each(['limit=0', 'limit=x', 'limit=1&limit=2', 'sort=name', 'sort=', 'continue=x', 'continue='])(
    '%s is refused',
    async (query) => {
      const { path } = await create(service.port, '/devices', SPEC);
      expect((await send(service.port, 'GET', `${path}/versions?${query}`)).status).toBe(400);
    },
  );
});

test('nothing is found under another uid, kind or address', async () => {
  const one = await create(service.port, '/devices', SPEC);
  const other = await create(service.port, '/devices', SPEC);
  const book = await create(service.port, '/books', { title: 'a', author: 'b' });
  const product = await create(service.port, '/products', { name: 'a' });
  const id = String(one.resource.status!['version']);
  const uid = one.resource.metadata.uid;
  const rows: [method: string, path: string, want: number][] = [
    ['GET', `${one.path}/versions/${id}`, 200],
    ['HEAD', `${one.path}/versions/${id}`, 200],
    ['GET', `${other.path}/versions/${id}`, 404],
    ['DELETE', `${other.path}/versions/${id}`, 404],
    ['GET', `${product.path}/versions/${id}`, 404],
    ['GET', `/products/${uid}/versions`, 404],
    ['GET', `/products/${uid}/versions/${id}`, 404],
    ['GET', `/devices/dev-0000000000000000/versions`, 404],
    ['GET', `/devices/dev-0000000000000000/versions/${id}`, 404],
    ['DELETE', `/devices/dev-0000000000000000/versions/${id}`, 404],
    ['GET', `${one.path}/versions/${UNKNOWN}`, 404],
    ['DELETE', `${one.path}/versions/${UNKNOWN}`, 404],
    ['GET', `${one.path}/versions/x`, 404],
    ['GET', `${one.path}/versions/${id}/x`, 404],
    ['GET', `${one.path}/versions/%00`, 404],
    ['GET', `${one.path}/versions/${id.replace('-', '%2d')}`, 200],
    // A kind without history
    ['GET', `${book.path}/versions`, 404],
    ['GET', `${book.path}/versions/${id}`, 404],
    ['DELETE', `${book.path}/versions/${id}`, 404],
    ['OPTIONS', `${book.path}/versions`, 404],
    // Snapshots are not written by clients
    ['POST', `${one.path}/versions`, 405],
    ['PUT', `${one.path}/versions/${id}`, 405],
    ['PATCH', `${one.path}/versions/${id}`, 405],
    ['DELETE', `${one.path}/versions`, 405],
  ];
  const responses = await Promise.all(rows.map(([method, path]) => send(service.port, method, path)));
  expect(rows.map(([method, path], index) => [method, path, responses[index].status])).toEqual(rows);
});

test('keep: of the snapshots the newest are kept', async () => {
  const { path } = await create(service.port, '/products', { name: '0' });
  for (let index = 1; index <= 6; index++) {
    await send(service.port, 'PUT', path, { headers: JSON_TYPE, body: { spec: { name: String(index) } } });
  }
  const newest = await snapshots(path);
  expect(newest.map(({ spec }) => spec['name'])).toEqual(['4', '5', '6']);
  expect((await current(path)).status!['version']).toBe(newest[2].versionId);
});

test('writes at once each have their snapshot, in the order in which they were made', async () => {
  const { path } = await create(service.port, '/devices', SPEC);
  const bodies = Array.from({ length: 50 }, (_, index) => ({ spec: { config: { [`k${index}`]: 'x' } } }));
  const responses = await Promise.all(
    bodies.map((body) => send(service.port, 'PATCH', path, { headers: MERGE, body })),
  );
  expect(responses.map(({ status }) => status)).toEqual(bodies.map(() => 200));
  const taken = await snapshots(path);
  expect(taken.map(({ spec }) => Object.keys((spec['config'] ?? {}) as object).length)).toEqual(
    Array.from({ length: 51 }, (_, index) => index),
  );
});

test('ids sort by time under a clock that steps back, also across restarts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'store.db')}` };
  try {
    let path = '';
    for (const hours of [0, -1, -48]) {
      // A module of its own each time, as in a process of its own: nothing is remembered but the file.
      jest.resetModules();
      const harness = await import('../support/harness');
      const restarted = await harness.startService(testProject(), { environment });
      restarted.service.now = () => Date.UTC(2030, 0, 31, 12 + hours);
      path ||= (await create(restarted.port, '/devices', SPEC)).path;
      for (let index = 0; index < 3; index++) {
        await send(restarted.port, 'PUT', path, { headers: JSON_TYPE, body: { spec: SPEC } });
      }
      const ids = (await snapshots(path, restarted)).map(({ versionId }) => versionId);
      const { status, metadata } = await current(path, restarted);
      expect(ids).toEqual([...new Set(ids)].sort());
      expect([status!['version'], metadata.generation]).toEqual([ids.at(-1), 1]);
      expect(ids.every((id) => id.startsWith('20300131120000-'))).toBe(true);
      await restarted.close();
    }
    jest.resetModules();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a policy that refuses reading or updating refuses it for snapshots', async () => {
  const hooks = {
    Device: {
      policy: { canGet: () => ({ allowed: false }), canUpdate: () => ({ allowed: false, reason: 'no' }) },
    },
  };
  const guarded = await startService(testProject(), { hooks });
  try {
    const { path, resource } = await create(guarded.port, '/devices', SPEC);
    const id = String(resource.status!['version']);
    const rows: [string, string][] = [
      ['GET', '/versions'],
      ['GET', `/versions/${id}`],
      ['GET', `/versions/${UNKNOWN}`],
      ['DELETE', `/versions/${id}`],
    ];
    for (const [method, suffix] of rows) {
      expect((await send(guarded.port, method, path + suffix)).status).toBe(403);
    }
  } finally {
    await guarded.close();
  }
});
