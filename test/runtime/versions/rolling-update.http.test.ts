import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { Client } from 'pg';
import { loadProject } from '../../../src/load/load-project';
import type { Resource } from '../../../templates/runtime/model/resource';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import { hasPostgres } from '../store/postgres/postgres-process';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../store/postgres/postgres-server';
import { type HttpResponse, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';

// A process of an older release goes on next to one of a newer release, on the same database.

let server: PostgresServer | undefined;
let folder: string;
const open: TestService[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rolling-update-'));
  if (hasPostgres()) server = await postgresServer();
});
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server?.close();
});

/** The release of a project with these versions of its kind, of which the first is the hub. */
function release(versions: { [version: string]: string }): string {
  const names = Object.keys(versions);
  const bodies = names.map((name) => `          ${name}: ${versions[name]}`).join('\n');
  return `name: rolling
groups:
  - storageVersion: ${names[0]}
    versions: [${names.join(', ')}]
    kinds:
      - name: Device
        specVersioning: true
        versions:
${bodies}
`;
}

async function start(yaml: string, url: string): Promise<TestService> {
  const environment = { DATABASE_URL: url, STORE_BUSY_TIMEOUT_MS: '60000' };
  const service = await startService(loadProject(__dirname, yaml).project, { environment });
  open.push(service);
  return service;
}

const path = (version: string, rest = ''): string => `/apis/example.svc.dev/${version}/devices${rest}`;

function exchange(
  { port }: TestService,
  method: string,
  target: string,
  body?: object,
): Promise<HttpResponse> {
  return send(port, method, target, { headers: method === 'PATCH' ? MERGE : JSON_TYPE, body });
}

const create = async (service: TestService, version: string, spec: JsonObject): Promise<string> =>
  (JSON.parse((await exchange(service, 'POST', path(version), { spec })).text) as Resource).metadata.uid;
const rooms = async (service: TestService): Promise<number> =>
  (await exchange(service, 'POST', '/apis/example.svc.dev/v1/rooms', { spec: { floor: 1 } })).status;
const specOf = async (service: TestService, version: string, uid: string): Promise<unknown> =>
  (JSON.parse((await exchange(service, 'GET', path(version, `/${uid}`))).text) as Resource).spec;

const V1 = '{ spec: { location: string, size: integer } }';
const RENAMED = 'conversion: [{ rename: { hub: spec.site, spoke: spec.location } }]';
const NEWER = release({
  v2: '{ spec: { site: string, size: integer, owner: string } }',
  v1: `{ spec: { location: string, size: integer }, ${RENAMED} }`,
});
const OLDER = {
  'has one version': release({ v1: V1 }),
  'has another spoke': release({
    v1: V1,
    v1beta1:
      '{ spec: { place: string }, conversion: [{ rename: { hub: spec.location, spoke: spec.place } }] }',
  }),
};

const LISTED = '{ type: list, items: { type: object, fields: { a: string } } }';
const LISTED_MORE = '{ type: list, items: { type: object, fields: { a: string, b: string } } }';
const MODES = `{ spec: { mode: { type: string, rules: [oneof=Fast Safe] }, parts: ${LISTED} } }`;
const MAPPED =
  'hub: spec.mode, spoke: spec.level, values: { Fast: fast, Safe: safe }, otherwise: { hub: Safe, spoke: safe }';
const LEVELS = `{ spec: { level: string, parts: ${LISTED_MORE} }, conversion: [{ map: { ${MAPPED} } }] }`;

/** The release of a project whose kind Device has these rules, next to a kind that never changes. */
function declaring(rules: string, others = ''): string {
  return `name: rolling
groups:
  - storageVersion: v1
    versions: [v1]
    kinds:
      - name: Device
        versions:
          v1: { spec: { location: { type: string${rules} }, size: { type: integer${others} } } }
      - name: Room
        versions:
          v1: { spec: { floor: { type: integer, selectable: true } } }
`;
}

const modes = (values: string): string =>
  `mode: { type: string, rules: [oneof=${values}], selectable: true }`;
const PLACES = `spec: { place: { type: string, selectable: true }, ${modes('Fast Safe')} }`;
const SITES = `spec: { site: { type: string, selectable: true }, ${modes('fast safe')} }`;

/** Returns the rules of one of these two versions, whose storage version is the other. */
const between = (hub: string, spoke: string, values: string): string =>
  `conversion: [{ rename: { hub: spec.${hub}, spoke: spec.${spoke} } }, ${mapped(values)}]`;
const mapped = (values: string): string =>
  `{ map: { hub: spec.mode, spoke: spec.mode, values: { ${values} } } }`;

const DECLARED = {
  'without and with fields': ['', ', selectable: true'],
  'with other fields': [', selectable: true', ', rules: [unique]'],
  'with and without fields': [', selectable: true', ''],
};

interface Storage {
  /** The URL of a new database. */
  database(): Promise<string>;
  /** Migrates the schema as a newer service would. */
  upgrade(url: string): Promise<void>;
}

function behaviour({ database, upgrade }: Storage): void {
  test.each(Object.entries(OLDER))('one that %s refuses what the newer stored', async (_case, yaml) => {
    const url = await database();
    const older = await start(yaml, url);
    const newer = await start(NEWER, url);
    const spec = { site: 'attic', size: 1, owner: 'ann' };
    const uid = await create(newer, 'v2', spec);
    const logged = jest.spyOn(older.service.logger, 'error');
    for (const [method, rest, body] of [
      ['GET', ''],
      ['GET', `/${uid}`],
      ['GET', `/${uid}/versions`],
      ['PATCH', `/${uid}`, { spec: { size: 2 } }],
      ['PUT', `/${uid}`, { spec: { location: 'cellar' } }],
      ['PATCH', `/${uid}/status`, { status: {} }],
      ['DELETE', `/${uid}`],
    ] as const) {
      const { status, headers, text } = await exchange(older, method, path('v1', rest), body);
      expect([method, rest, status, headers['retry-after']]).toEqual([method, rest, 503, '1']);
      expect(text).toContain('A newer release of the service');
    }
    expect(String((logged.mock.calls[0][0] as { err: Error }).err)).toContain('stored in v2');
    expect(await specOf(newer, 'v2', uid)).toEqual(spec);
    const own = await create(older, 'v1', { location: 'roof' });
    expect(await specOf(newer, 'v2', own)).toEqual({ site: 'roof' });
  });

  test('values that the newer preserved follow what the older writes', async () => {
    const url = await database();
    const older = await start(release({ v1: MODES }), url);
    const newer = await start(release({ v1: MODES, v2: LEVELS }), url);
    const parts = [
      { a: '1', b: 'one' },
      { a: '2', b: 'two' },
    ];
    const uid = await create(newer, 'v2', { level: 'odd', parts });
    const patched = async (spec: JsonObject): Promise<unknown> => {
      expect((await exchange(older, 'PATCH', path('v1', `/${uid}`), { spec })).status).toBe(200);
      return specOf(newer, 'v2', uid);
    };
    expect(await patched({ parts: [{ a: '1' }, { a: '2' }] })).toEqual({ level: 'odd', parts });
    expect(await patched({ mode: 'Fast' })).toEqual({ level: 'fast', parts });
    expect(await patched({ parts: [{ a: '2' }] })).toEqual({ level: 'fast', parts: [parts[1]] });
    expect(await patched({ parts: null })).toEqual({ level: 'fast' });
  });

  test.each(Object.entries(DECLARED))('%s, writes only kinds of the same entries', async (_case, rules) => {
    const url = await database();
    const [older, newer] = rules.map((each) => declaring(each));
    const first = await start(older, url);
    const uid = await create(first, 'v1', { location: 'attic' });
    expect(await rooms(first)).toBe(201);
    const second = await start(newer, url);
    const refused = async (service: TestService): Promise<void> => {
      for (const [method, rest, body] of [
        ['POST', '', { spec: { location: 'roof' } }],
        ['PATCH', `/${uid}`, { spec: { location: 'cellar' } }],
        ['DELETE', `/${uid}`],
      ] as const) {
        const { status, headers, text } = await exchange(service, method, path('v1', rest), body);
        expect([method, status, headers['retry-after']]).toEqual([method, 503, '1']);
        expect(text).toContain('nothing was written');
      }
      expect(await specOf(service, 'v1', uid)).toEqual({ location: 'attic' });
    };
    await refused(first);
    // Writes that share a commit with refused ones.
    const mixed = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? rooms(first)
        : exchange(first, 'POST', path('v1'), { spec: {} }).then(({ status }) => status),
    );
    expect(await Promise.all(mixed)).toEqual(mixed.map((_, n) => (n % 2 === 0 ? 201 : 503)));
    await create(second, 'v1', { location: 'roof' });
    // The former release again: the last one that started decides.
    const again = await start(older, url);
    await refused(second);
    await create(again, 'v1', { location: 'shed' });
    await create(first, 'v1', { location: 'hall' });
  });

  test('one of another storage version selects and sorts as before', async () => {
    const url = await database();
    const sites = between('place', 'site', 'Fast: fast, Safe: safe');
    const places = between('site', 'place', 'fast: Fast, safe: Safe');
    const older = await start(release({ v1: `{ ${PLACES} }`, v2: `{ ${SITES}, ${sites} }` }), url);
    const attic = await create(older, 'v1', { place: 'attic', mode: 'Safe' });
    const roof = await create(older, 'v1', { place: 'roof', mode: 'Fast' });
    const newer = await start(release({ v2: `{ ${SITES} }`, v1: `{ ${PLACES}, ${places} }` }), url);
    const cellar = await create(newer, 'v1', { place: 'cellar', mode: 'Fast' });
    for (const [query, expected] of [
      ['v1?fieldSelector=spec.mode%3DFast', [roof, cellar]],
      ['v1?fieldSelector=spec.mode!%3DFast', [attic]],
      ['v2?fieldSelector=spec.mode%3Dfast', [roof, cellar]],
      ['v2?fieldSelector=spec.mode!%3Dfast', [attic]],
      ['v1?sort=spec.place', [attic, cellar, roof]],
      ['v2?sort=-spec.site', [roof, cellar, attic]],
    ] as const) {
      const [version, rest] = query.split('?');
      for (const service of [older, newer]) {
        const { text } = await exchange(service, 'GET', path(version, `?${rest}`));
        const uids = (JSON.parse(text) as Resource[]).map(({ metadata }) => metadata.uid);
        expect([query, uids]).toEqual([query, expected]);
      }
    }
  });

  test.each([
    ['no field', ''],
    ['another field', ', selectable: true'],
  ])(
    'next to %s, finds by a new one what was written before its release took over',
    async (_case, others) => {
      const url = await database();
      const older = await start(declaring('', others), url);
      let ends = false;
      const acknowledged: string[] = [];
      const write = async (n: number): Promise<void> => {
        for (let run = 0; !ends; run++) {
          const body = { spec: { location: `l${n}`, size: n } };
          const { status, text } = await exchange(older, 'POST', path('v1'), body);
          if (status !== 201) expect(status).toBe(503);
          else acknowledged.push((JSON.parse(text) as Resource).metadata.uid);
        }
      };
      const writers = Array.from({ length: 8 }, (_, n) => write(n));
      while (acknowledged.length < 50) await setImmediate();
      const newer = await start(declaring(', selectable: true', others), url);
      const count = acknowledged.length;
      await exchange(older, 'POST', path('v1'), { spec: {} });
      ends = true;
      await Promise.all(writers);
      expect(acknowledged).toHaveLength(count);
      const findAll = async (selectorOf: (n: number) => string): Promise<string[]> => {
        const found: string[] = [];
        // Each writer's resources are on one page, however many there are in all.
        for (let n = 0; n < writers.length; n++) {
          const query = `?limit=1000&fieldSelector=${encodeURIComponent(selectorOf(n))}`;
          const { text } = await exchange(newer, 'GET', path('v1', query));
          found.push(...(JSON.parse(text) as Resource[]).map(({ metadata }) => metadata.uid));
        }
        return found.toSorted();
      };
      expect(await findAll((n) => `spec.location=l${n}`)).toEqual(acknowledged.toSorted());
      if (others !== '') expect(await findAll((n) => `spec.size=${n}`)).toEqual(acknowledged.toSorted());
    },
  );

  test('of an older schema, reads go on, and writes are refused', async () => {
    const url = await database();
    const older = await start(release({ v1: V1 }), url);
    const uid = await create(older, 'v1', { size: 1 });
    await upgrade(url);
    const refused = await exchange(older, 'PATCH', path('v1', `/${uid}`), { spec: { size: 2 } });
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('nothing was written')]);
    expect((await exchange(older, 'POST', path('v1'), { spec: {} })).status).toBe(503);
    expect(await specOf(older, 'v1', uid)).toEqual({ size: 1 });
    await expect(older.service.store.ready()).rejects.toThrow('newer version of this service');
  });
}

describe('on SQLite, an older process', () => {
  let count = 0;
  behaviour({
    database: async () => `sqlite:${join(folder, `${++count}.db`)}`,
    async upgrade(url) {
      const database = new DatabaseSync(url.slice('sqlite:'.length));
      database.exec('PRAGMA user_version = 1000');
      database.close();
    },
  });
});

describeWithPostgres('on PostgreSQL, an older process', () => {
  behaviour({
    database: () => server!.newSchema(),
    async upgrade(url) {
      const client = new Client(url);
      await client.connect();
      await client.query('UPDATE svcgen_schema SET version = 1000, writers = 1000');
      await client.end();
    },
  });
});
