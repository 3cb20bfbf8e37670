import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { loadProject } from '../../../src/load/load-project';
import type { Project } from '../../../src/model/project';
import { COPIED_TABLES } from '../../../templates/runtime/store/copy/tables';
import { CopyTarget } from '../../../templates/runtime/store/copy/target';
import { OLDEST, PositionGone } from '../../../templates/runtime/store/events/event-log';
import { connect } from '../../../templates/runtime/store/sqlite/connection/driver';
import { MIGRATIONS } from '../../../templates/runtime/store/sqlite/file/migrations';
import type { Store } from '../../../templates/runtime/store/store';
import { REGISTER } from '../../support/compiled';
import { until } from '../events/devices';
import { startReceiver } from '../events/receiver';
import { JSON_TYPE, MERGE, send } from '../support/client';
import { eventsAfter, fill, ODD, readers } from '../support/copied-service';
import { startService, type TestService } from '../support/harness';
import { versionedProject } from '../support/versioned-project';
import { DATABASES, databasesWith, openStore, openStoreOf } from './open-store';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres/postgres-server';
import { creation, creationWithEvent } from './store-writes';

const ROOT = resolve(__dirname, '../../..');
const KILL_AT = join(__dirname, '../support/kill-at.ts');
const ALL = { events: 100_000, bytes: 1e9 };
// Nobody is asked who calls: middleware is not what is copied.
const everything = { ...loadProject(join(ROOT, 'fixtures/everything')).project, security: [] };

let server: PostgresServer;
let folder: string;
let from: string;
let to: string;
let running: TestService[] = [];

interface Run {
  code: number | null;
  out: string;
  log: string;
}

/** Runs the copy in a process of its own; with `killAt` it is killed when it has written such a line. */
async function copy(argv: string[], killAt?: string, environment: NodeJS.ProcessEnv = {}): Promise<Run> {
  const loaded = [REGISTER, ...(killAt === undefined ? [] : [KILL_AT])];
  const words = [...loaded.flatMap((name) => ['--require', name]), join(__dirname, 'copy-child.ts'), ...argv];
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: {
      ...process.env,
      KILL_AT: killAt,
      ...environment,
    },
  });
  let [out, log] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (log += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, log };
}

async function serve(project: Project, url: string, environment = {}): Promise<TestService> {
  const service = await startService(project, { environment: { DATABASE_URL: url, ...environment } });
  running.push(service);
  return service;
}

async function stop(): Promise<void> {
  await Promise.all(running.map((service) => service.close()));
  running = [];
}

describeWithPostgres('SQLite is copied to PostgreSQL', () => {
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server?.close());

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'copy-store '));
    from = `sqlite:${folder}/store.db`;
    to = await server.newSchema();
  });

  afterEach(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });

  test('what is committed is copied, also where the statistics of the server cannot be made', async () => {
    const target = await CopyTarget.open(
      `${to}${to.includes('?') ? '&' : '?'}${new URLSearchParams({ lock_timeout: '100' }).toString()}`,
      { connectTimeoutMs: 60_000, responseTimeoutMs: 60_000 },
      60_000,
    );
    const other = new Client(to);
    await other.connect();
    const locked = other.query('BEGIN; LOCK TABLE kinds IN SHARE UPDATE EXCLUSIVE MODE');
    const watcher = new Client(to);
    await watcher.connect();
    const waits = 'SELECT FROM pg_locks WHERE NOT granted AND pid = $1';
    while (
      (await watcher.query(waits, [(other as Client & { processID: number }).processID])).rowCount === 0
    );
    await target.commit();
    await locked;
    await Promise.all([target.close(), other.end(), watcher.end()]);
  });

  test('readers of every kind see the same, byte for byte; events go on at the same positions', async () => {
    const source = await serve(everything, from);
    const keyed = (on: TestService) =>
      send(on.port, 'POST', '/books', {
        headers: { ...JSON_TYPE, 'Idempotency-Key': 'a-key' },
        body: { spec: { title: 'keyed', author: ODD } },
      });
    const created = await keyed(source);
    expect(created.status).toBe(201);
    await fill(source, everything);
    const before = await readers(source, everything);
    const events = await source.service.store.events!.read(OLDEST, ALL);
    const middle = events[10].position;
    const streamed = await eventsAfter(source, middle, events.length - 11);
    expect(streamed.length).toBeGreaterThan(10);
    await stop();

    const { code, out } = await copy(['--from', from, '--to', to]);
    expect(code).toBe(0);
    expect(out).toContain(`events: ${events.length}\n`);

    const target = await serve(everything, to);
    const again = await keyed(target);
    expect([again.status, again.text, again.headers.etag]).toEqual([201, created.text, created.headers.etag]);
    expect(await readers(target, everything)).toEqual(before);
    const { store } = target.service;
    expect(await store.events!.read(OLDEST, ALL)).toEqual(events);
    expect(await store.events!.newest()).toBe(events.at(-1)!.position);
    expect(await eventsAfter(target, middle, streamed.length)).toEqual(streamed);
    expect(await eventsAfter(target, String(events.length + 1_000), 1)).toEqual([410]);

    // A new resource comes after all that were there, and its event after theirs.
    const spec = { title: 'new', author: ODD };
    const { status } = await send(target.port, 'POST', '/books', { headers: JSON_TYPE, body: { spec } });
    expect(status).toBe(201);
    const books = JSON.parse((await send(target.port, 'GET', '/books')).text) as { spec: object }[];
    expect(books.at(-1)!.spec).toEqual(spec);
    const [first, ...others] = await store.events!.read(events.at(-1)!.position, ALL);
    expect([first.type, others]).toEqual(['io.svc.book.created', []]);
    expect((await store.events!.read(OLDEST, ALL)).length).toBe(events.length + 1);
  });

  test('positions that a restored backup undid are of no event in the copy either', async () => {
    const path = join(folder, 'store.db');
    const backup = join(folder, 'backup.db');
    const write = async (store: Store, ...names: string[]): Promise<void> => {
      for (const name of names) await store.write(creationWithEvent(name));
    };
    const source = await openStore(from);
    await write(source, 'a');
    const connection = connect(path);
    connection.exec(`VACUUM INTO '${backup}'`);
    connection.close();
    await write(source, 'undone');
    const undone = await source.events!.newest();
    await source.close();
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    renameSync(backup, path);
    const restored = await openStore(from);
    await write(restored, 'b', 'c');
    await restored.close();

    expect((await copy(['--from', from, '--to', to])).code).toBe(0);
    const target = await openStore(to);
    try {
      await expect(async () => target.events!.read(undone, ALL)).rejects.toThrow(PositionGone);
      expect((await target.events!.read('1', ALL)).map(({ text }) => text)).toEqual(['b', 'c']);
    } finally {
      await target.close();
    }
  });

  test('positions stay where services without events and with them have begun the log of the target anew', async () => {
    const source = await openStore(from);
    for (const name of ['a', 'b']) await source.write(creationWithEvent(name));
    await source.close();
    for (const databases of [databasesWith({}), DATABASES]) await (await openStoreOf(databases, to)).close();

    expect((await copy(['--from', from, '--to', to])).code).toBe(0);
    const target = await openStore(to);
    try {
      expect((await target.events!.read('1', ALL)).map(({ text }) => text)).toEqual(['b']);
    } finally {
      await target.close();
    }
  });

  test('what versions keep aside is kept: it comes back when they write', async () => {
    const project = versionedProject();
    const source = await serve(project, from);
    const path = (version: string, rest = ''): string => `/apis/example.svc.dev/${version}/devices${rest}`;
    const spec = { nickname: ODD, site: 'Chur', name: 'two', timeoutSeconds: 3 };
    const made = await send(source.port, 'POST', path('v2beta1'), { headers: JSON_TYPE, body: { spec } });
    const { uid } = (JSON.parse(made.text) as { metadata: { uid: string } }).metadata;
    const change = { headers: MERGE, body: { spec: { comment: 'aside' } } };
    await send(source.port, 'PATCH', path('v1alpha1', `/${uid}`), change);
    const before = await readers(source, project);
    await stop();
    expect((await copy(['--from', from, '--to', to])).code).toBe(0);

    const target = await serve(project, to);
    expect(await readers(target, project)).toEqual(before);
    const rename = { headers: MERGE, body: { spec: { name: 'three' } } };
    const { text } = await send(target.port, 'PATCH', path('v2beta1', `/${uid}`), rename);
    expect(JSON.parse(text)).toMatchObject({ spec: { nickname: ODD, name: 'three' } });
    const alpha = await send(target.port, 'GET', path('v1alpha1', `/${uid}`));
    expect(JSON.parse(alpha.text)).toMatchObject({ spec: { comment: 'aside', title: 'three' } });
  });

  test('a webhook goes on where it was, and dead letters are kept', async () => {
    const receiver = await startReceiver();
    const settings = (url: string) => ({
      WEBHOOK_URLS: url,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      EVENTS_POLL_MS: '5',
      EVENTS_MAX_ATTEMPTS: '1',
    });
    const body = (title: string) => ({ headers: JSON_TYPE, body: { spec: { title, author: 'a' } } });
    const source = await serve(everything, from, settings(receiver.url));
    await send(source.port, 'POST', '/books', body('one'));
    const lag = () => [...source.service.events.lags().values()];
    await until(() => receiver.messages.length === 1 && lag().every((seconds) => seconds === 0));
    await stop();
    const away = await serve(everything, from, settings('http://127.0.0.1:1/away'));
    await send(away.port, 'POST', '/books', body('two'));
    await until(async () => (await away.service.store.events!.deadLetters(0, 9)).length === 1);
    const letters = await away.service.store.events!.deadLetters(0, 9);
    await stop();
    expect((await copy(['--from', from, '--to', to])).code).toBe(0);

    const target = await serve(everything, to, settings(receiver.url));
    await send(target.port, 'POST', '/books', body('three'));
    await until(() => receiver.messages.length === 3);
    const titles = receiver.messages.map(({ event }) => event.data.resource.spec['title']);
    expect(titles).toEqual(['one', 'two', 'three']);
    expect(await target.service.store.events!.deadLetters(0, 9)).toEqual(letters);
  });

  test('a copy that is killed leaves nothing, and can be made again', async () => {
    const count = 19_000;
    const store = await openStore(from);
    await Promise.all(
      Array.from({ length: count }, (_, n) =>
        store.write(creation(`dev-${n}`, { labels: { n: String(n) } })),
      ),
    );
    await store.close();
    const killed = await copy(['--from', from, '--to', to], 'resources: 10000 of 19000');
    expect(killed.code).toBe(null);
    const empty = await openStore(to);
    expect(await empty.versions.all()).toEqual([]);
    await empty.close();
    const second = await copy(['--from', from, '--to', to]);
    expect(second).toMatchObject({
      log: expect.stringContaining('committing'),
      out: expect.stringContaining(`resources: ${count}\n`),
    });
    const again = await copy(['--from', from, '--to', to]);
    expect([again.code, again.log]).toEqual([
      1,
      expect.stringMatching(
        /^nothing was copied: the target is not empty: it holds [^.]*\. Name an empty database/m,
      ),
    ]);
  });

  // Elsewhere there is no /dev/full, and it is not known who has a file open.
  const onLinux = process.platform === 'linux' ? test : test.skip;

  onLinux('a copy whose output cannot be written succeeds all the same', async () => {
    const store = await openStore(from);
    await store.write(creation('dev-1', { labels: {} }));
    await store.close();
    const full = openSync('/dev/full', 'w');
    const words = ['--require', REGISTER, join(__dirname, 'copy-child.ts'), '--from', from, '--to', to];
    const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', full, full] });
    closeSync(full);
    expect(await once(child, 'close')).toEqual([0, null]);
    const target = await openStore(to);
    expect(await target.versions.all()).toHaveLength(1);
    await target.close();
  });

  onLinux('a source that is in use is copied as it was, and that is said', async () => {
    const store = await openStore(from);
    await store.write(creation('dev-1', { labels: {} }));
    const { code, log } = await copy(['--from', from, '--to', to]);
    connect(`${folder}/store.db`).exec(`VACUUM INTO '${folder}/backup.db'`);
    await store.close();
    expect([code, log]).toEqual([0, expect.stringContaining('another process has the source open')]);
    const backup = await copy(['--from', `sqlite:${folder}/backup.db`, '--to', await server.newDatabase()]);
    expect(backup).toMatchObject({ code: 0, log: 'committing\n' });
  });

  test('a target to which a service is connected is filled, and that is said', async () => {
    const source = await openStore(from);
    await source.write(creation('dev-1'));
    await source.close();
    const target = await openStore(to);
    const { code, log } = await copy(['--from', from, '--to', to]);
    await target.close();
    expect([code, log]).toEqual([0, expect.stringContaining('restart it after the copy')]);
  });

  test('a target on which a service delivers is refused', async () => {
    const source = await openStore(from);
    await source.close();
    const target = await openStore(to);
    await target.events!.claim({ consumer: 'hook', owner: 'other', leaseMs: 60_000 }, 'now');
    const { code, log } = await copy(['--from', from, '--to', to]);
    await target.close();
    expect([code, log]).toEqual([1, expect.stringContaining('a service runs on it')]);
  });

  test('a service on a target that is refused goes on', async () => {
    const source = await openStore(from);
    await source.close();
    const { project } = loadProject(join(ROOT, 'fixtures/parts'));
    const { port } = await serve(project, to);
    const drawing = async (name: string): Promise<number> => {
      const body = { spec: { file: `https://example.com/${name}` } };
      return (await send(port, 'POST', '/drawings', { headers: JSON_TYPE, body })).status;
    };
    expect(await drawing('one')).toBe(201);
    expect(await copy(['--from', from, '--to', to])).toMatchObject({ code: 1 });
    expect(await drawing('two')).toBe(201);
  });

  test('a source that is none is refused, and is not made', async () => {
    const missing = await copy(['--from', from, '--to', to]);
    expect([missing.code, missing.log]).toEqual([1, expect.stringContaining('there is no database at')]);
    writeFileSync(`${folder}/store.db`, 'not a database, whatever it may be\n'.repeat(100));
    const wrong = await copy(['--from', from, '--to', to]);
    expect([wrong.code, wrong.log]).toEqual([1, expect.stringContaining('not a SQLite database')]);
  });
});

test('every column of every table is copied, but those that say nothing elsewhere', () => {
  const connection = connect(':memory:');
  for (const migration of MIGRATIONS) connection.exec(migration);
  const columns = connection.prepare<{ column: string }>(
    `SELECT t.name || '.' || c.name AS column FROM pragma_table_list t JOIN pragma_table_info(t.name) c
     WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  );
  const copied = COPIED_TABLES.flatMap(({ name, columns }) =>
    Object.keys(columns).map((column) => `${name}.${column}`),
  );
  const left = columns.all().flatMap(({ column }) => (copied.includes(column) ? [] : [column]));
  // Labels are copied with their resources, event_mark by itself; the number of a snapshot's row is seen nowhere. The first
  // start on the copy makes the entries of indexes anew.
  const indexing = /^(indexes|index_states|fields|uniques|refs)\./;
  // In PostgreSQL, the positions of new events differ from all that SQLite gave.
  const restores = ['event_mark.file', 'lost_positions.first', 'lost_positions.last'];
  const labels = ['resource', 'key', 'value', 'kind'].map((column) => `labels.${column}`);
  expect(left.filter((column) => !indexing.test(column)).toSorted()).toEqual(
    [...labels, ...restores, 'event_mark.pruned', 'probe.written', 'snapshots.id'].toSorted(),
  );
});

test('the target may be DATABASE_URL; a password in an argument is warned of', async () => {
  const environment = { DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/d' };
  const from = ['--from', 'sqlite:/nowhere/a.db'];
  const read = expect.stringMatching(/^nothing was copied: /) as string;
  expect(await copy(from, undefined, environment)).toEqual({ code: 1, out: '', log: read });
  const { log } = await copy([...from, '--to', environment.DATABASE_URL]);
  expect(log).toMatch(
    /^the password in --to is visible to everybody on this machine: .*\nnothing was copied: /,
  );
  expect(log).not.toContain('secret');
  expect((await copy([...from, '--to', 'postgres://user@127.0.0.1:1/d'])).log).toEqual(read);
});

test.each([
  [[]],
  [['--from', 'sqlite:a.db']],
  [['--from', 'sqlite::memory:', '--to', 'postgres://h/d']],
  [['--from', 'postgres://h/d', '--to', 'sqlite:a.db']],
  [['--from', 'sqlite:a.db', '--to', 'postgres://h/d', '--force']],
])('wrong arguments: %j', async (argv) => {
  expect(await copy(argv)).toEqual({
    code: 2,
    out: '',
    log: expect.stringMatching(/^usage: npm run copy-store/),
  });
});
