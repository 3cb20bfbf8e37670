import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Resource } from '../../../templates/runtime/model/resource';
import { connect } from '../../../templates/runtime/store/sqlite/connection/driver';
import { schemaVersion } from '../../../templates/runtime/store/sqlite/file/migrations';
import { REGISTER } from '../../support/compiled';
import { openStore } from '../store/open-store';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../store/postgres/postgres-server';
import { creation } from '../store/store-writes';
import { create, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { versionedProject } from '../support/versioned-project';

const ROOT = resolve(__dirname, '../../..');
const KILL_AT = join(__dirname, '../support/kill-at.ts');
const VERSIONS = ['v1', 'v2beta1', 'v1alpha1'];
const DEVICES = 450;

interface Run {
  code: number | null;
  out: string;
  progress: string;
}

/** Runs the migration to a hub in a process of its own; with `killAt` it is killed when it has written such a line. */
async function migrate(url: string, hub: string, argv: string[] = [], killAt?: string): Promise<Run> {
  const loaded = [REGISTER, ...(killAt === undefined ? [] : [KILL_AT])];
  const words = [
    ...loaded.flatMap((name) => ['--require', name]),
    join(__dirname, 'migrate-child.ts'),
    hub,
    ...argv,
  ];
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: {
      ...process.env,
      DATABASE_URL: url,
      KILL_AT: killAt,
    },
  });
  let [out, progress] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (progress += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, progress };
}

function start(url: string, hub: string): Promise<TestService> {
  // A busy machine makes a write wait longer for the migration.
  const environment = { DATABASE_URL: url, STORE_BUSY_TIMEOUT_MS: '120000' };
  return startService(versionedProject(hub), { environment });
}

const path = (version: string, rest = ''): string => `/apis/example.svc.dev/${version}/devices${rest}`;

async function fill({ port }: TestService): Promise<string[]> {
  const made = Array.from({ length: DEVICES }, async (_, n) => {
    const version = n % 2 === 0 ? 'v1' : 'v2beta1';
    const spec =
      version === 'v1'
        ? { location: 'Bern', name: `one-${n}`, timeoutMs: 1500 + n, serial: `s-${n}` }
        : { nickname: `n-${n}`, site: 'Chur', name: `two-${n}`, timeoutSeconds: n % 60 };
    const { text } = await send(port, 'POST', path(version), { headers: JSON_TYPE, body: { spec } });
    return (JSON.parse(text) as Resource).metadata.uid;
  });
  const uids = await Promise.all(made);
  const changes = uids.map((uid) =>
    send(port, 'PATCH', path('v1alpha1', `/${uid}`), { headers: MERGE, body: { spec: { comment: uid } } }),
  );
  const failures = (await Promise.all(changes)).filter(({ status }) => status !== 200);
  expect(failures.map(({ text }) => text)).toEqual([]);
  return uids;
}

/** Returns some resources as readers of every version see them, the last included: text, ETag and history. */
async function views({ port }: TestService, uids: string[]): Promise<string[]> {
  const some = uids.filter((_, n) => n % 9 === 8);
  const paths = VERSIONS.flatMap((version) =>
    some.flatMap((uid) => [path(version, `/${uid}`), path(version, `/${uid}/versions`)]),
  );
  const seen: string[] = [];
  for (const each of paths) {
    const { status, headers, text } = await send(port, 'GET', each);
    seen.push(`${each} ${status} ${headers.etag} ${text}`);
  }
  return seen;
}

/** The whole story on one database: a dry run, a kill, a write in between, and the end. */
async function story(url: string): Promise<void> {
  let service = await start(url, 'v1');
  const uids = await fill(service);
  await service.close();

  service = await start(url, 'v2beta1');
  const before = await views(service, uids);
  const dry = await migrate(url, 'v2beta1', ['--dry-run']);
  expect(dry.code).toBe(1);
  expect(dry.out).toContain(
    `Device: 0 of ${DEVICES} resources, 0 of ${2 * DEVICES} snapshots rewritten to v2beta1`,
  );
  expect(await migrate(url, 'v2beta1', [], '200 of')).toMatchObject({ code: null, out: '' });
  expect(await views(service, uids)).toEqual(before);
  const left = await service.service.store.versions.count({ kind: 'example.svc.dev/Device', version: 'v1' });
  expect(left.resources).toBeLessThan(DEVICES);
  expect(left.resources + left.snapshots).toBeGreaterThan(0);

  const last = uids.at(-1)!;
  const [migration, written] = await Promise.all([
    migrate(url, 'v2beta1'),
    send(service.port, 'PATCH', path('v1', `/${last}`), { headers: MERGE, body: { spec: { model: 'new' } } }),
  ]);
  expect([migration.code, written.status]).toEqual([0, 200]);
  expect(migration.progress).toMatch(/Device: \d+ of \d+ snapshots\n/);
  expect(await service.service.store.versions.all()).toEqual([
    { kind: 'example.svc.dev/Device', version: 'v2beta1' },
  ]);
  const others = (seen: string[]): string[] => seen.filter((each) => !each.includes(last));
  expect(others(await views(service, uids))).toEqual(others(before));
  for (const options of [[], ['--dry-run']]) {
    const again = await migrate(url, 'v2beta1', options);
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringContaining('Device: 0 of 0 resources, 0 of 0 snapshots'),
    });
  }
  await service.close();
}

describe('SQLite', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'migrate-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  test('what is stored is rewritten while the service runs, through a kill, unseen by readers', async () => {
    await story(`sqlite:${folder}/store.db`);
  });

  test('a version that is not known is refused at start, with what there is of it', async () => {
    const url = `sqlite:${folder}/store.db`;
    const store = await openStore(url);
    const kind = 'example.svc.dev/Device';
    const snapshot = { versionId: '1', version: 'v0alpha1', text: '{}', kept: null };
    await store.write(creation('dev-1', { kind, version: 'v0alpha1', snapshot }));
    await store.write(creation('dev-2', { kind, version: 'v0alpha1' }));
    await store.write(creation('dev-3', { kind, version: 'v1' }));
    await store.write(creation('gad-1', { kind: 'example.svc.dev/Gadget', version: 'v2beta1' }));
    await store.write(creation('old-1', { kind: 'example.svc.dev/Removed', version: 'v7' }));
    await store.close();
    const refusal =
      /Device in v0alpha1 \(resources: 2, snapshots: 1\); .*Gadget in v2beta1 \(resources: 1, .*Declare/;
    await expect(start(url, 'v1')).rejects.toThrow(refusal);
    const { code, progress } = await migrate(url, 'v1');
    expect([code, progress]).toEqual([1, expect.stringMatching(refusal)]);
  });

  test('a database that another process keeps locked: it says so', async () => {
    const service = await start(`sqlite:${folder}/store.db`, 'v1');
    const spec = { location: 'Bern', name: 'one', timeoutMs: 1500 };
    await create(service.port, path('v1'), spec);
    await service.close();
    const holder = connect(`${folder}/store.db`);
    holder.exec('BEGIN IMMEDIATE');
    const { code, progress } = await migrate(`sqlite:${folder}/store.db`, 'v2beta1');
    expect([code, progress]).toEqual([
      1,
      expect.stringMatching(/^.* is not migrated yet: another process holds the lock .*\. Run it again\n$/),
    ]);
    holder.close();
    expect((await migrate(`sqlite:${folder}/store.db`, 'v2beta1')).code).toBe(0);
  });

  test('a dry run makes no database, and leaves one of an older release as it is', async () => {
    const file = `${folder}/store.db`;
    const dryRun = (hub: string): Promise<Run> => migrate(`sqlite:${file}`, hub, ['--dry-run']);
    expect(await dryRun('v1')).toEqual({
      code: 0,
      out: '',
      progress: expect.stringContaining('store.db does not exist'),
    });
    expect(readdirSync(folder)).toEqual([]);
    const store = await openStore(`sqlite:${file}`);
    await store.write(creation('dev-1', { kind: 'example.svc.dev/Device', version: 'v1' }));
    await store.close();
    const connection = connect(file);
    connection.exec('PRAGMA user_version = 7');
    expect(await dryRun('v2beta1')).toMatchObject({
      code: 1,
      out: expect.stringContaining('Device: 0 of 1 resources, 0 of 0 snapshots'),
    });
    expect(schemaVersion(connection)).toBe(7);
    connection.close();
  });

  test('arguments that are not known', async () => {
    expect(await migrate('sqlite::memory:', 'v1', ['--dry'])).toMatchObject({ code: 2, out: '' });
  });
});

describeWithPostgres('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server?.close());

  test('what is stored is rewritten while the service runs, through a kill, unseen by readers', async () => {
    await story(await server.newSchema());
  });
});
