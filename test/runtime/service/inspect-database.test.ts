import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CoreDefinition } from '../../../templates/runtime/service/core-definition';
import { inspectDatabase, openKnownStore } from '../../../templates/runtime/service/known-store';
import { readSettings, type Settings } from '../../../templates/runtime/settings/settings';
import { connect } from '../../../templates/runtime/store/sqlite/connection/driver';
import { DATABASES, openStore } from '../store/open-store';
import { describeWithPostgres, type PostgresServer, postgresServer } from '../store/postgres/postgres-server';
import { creation, KIND } from '../store/store-writes';

const [group, kind] = KIND.split('/') as [string, string];

/** Returns the description of a database for a service of one kind, or the message that refuses it. */
function look(url: string, versions?: string[]): Promise<string> {
  return inspectDatabase(serviceOf(versions), settingsOf(url)).catch(messageOf);
}

/** Returns the message that refuses the start of such a service; empty where it starts. */
async function start(url: string, versions?: string[]): Promise<string> {
  const store = await openKnownStore(serviceOf(versions), settingsOf(url), {}).catch(messageOf);
  if (typeof store === 'string') return store;
  await store.close();
  return '';
}

function serviceOf(versions = ['v1']): CoreDefinition {
  return {
    name: 'shop',
    databases: DATABASES,
    groups: [{ name: group, storageVersion: 'v1', versions, kinds: { [kind]: versions } }],
  } as unknown as CoreDefinition;
}

const settingsOf = (DATABASE_URL: string): Settings =>
  readSettings({ DATABASE_URL, STORE_BUSY_TIMEOUT_MS: '0' });

const messageOf = (error: Error): string => `${error.name}: ${error.message}`;

const schemaOf = (url: string): string => /search_path%3D(\w+)/.exec(url)![1];

const UNKNOWN = `StoreRefused: the database has ${KIND} in v1 (resources: 1, snapshots: 0), which this service does not know`;

async function fill(url: string): Promise<void> {
  const store = await openStore(url);
  await store.write(creation('dev-1'));
  await store.close();
}

describe('SQLite', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svcgen inspect '));
    file = join(folder, 'data', 'shop.db');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('that is missing stays missing', async () => {
    expect(await look(`sqlite:${file}`)).toBe(`${file} does not exist: the first start makes it`);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  test('that is in order stays as it is', async () => {
    await fill(`sqlite:${file}`);
    const before = [readFileSync(file, 'latin1'), statSync(file).mtimeMs];
    expect(await look(`sqlite:${file}`)).toBe(`${file}, its schema is current`);
    expect([readFileSync(file, 'latin1'), statSync(file).mtimeMs]).toEqual(before);
  });

  test('that a service is using can be looked at', async () => {
    const store = await openStore(`sqlite:${file}`);
    const written = store.write(creation('dev-1'));
    expect(await look(`sqlite:${file}`)).toContain('its schema is current');
    expect(await written).toBe('done');
    await store.close();
  });

  test.each<[string, (path: string) => void, string]>([
    ['truncated', (path) => truncateSync(path, 5000), 'is damaged or not a SQLite database'],
    ['of a newer service', (path) => change(path, 'PRAGMA user_version = 99'), 'newer version'],
    ['of an older service', (path) => change(path, 'PRAGMA user_version = 1'), 'brings its schema from 1 to'],
    ['of somebody else', (path) => change(path, 'PRAGMA application_id = 7'), 'of another application'],
  ])('that is %s', async (_title, spoil, message) => {
    await fill(`sqlite:${file}`);
    spoil(file);
    expect(await look(`sqlite:${file}`)).toContain(message);
  });

  test('with a version that the service does not know', async () => {
    await fill(`sqlite:${file}`);
    expect(await look(`sqlite:${file}`, ['v2'])).toContain(UNKNOWN);
  });

  test('of an older service, with such a version, is refused before it is changed', async () => {
    await fill(`sqlite:${file}`);
    change(file, 'PRAGMA user_version = 1');
    const before = readFileSync(file, 'latin1');
    expect(await start(`sqlite:${file}`, ['v2'])).toContain(UNKNOWN);
    expect(readFileSync(file, 'latin1')).toBe(before);
  });

  (process.getuid?.() === 0 ? test.skip : test)('that must not be written', async () => {
    await fill(`sqlite:${file}`);
    chmodSync(file, 0o400);
    expect(await look(`sqlite:${file}`)).toContain('EACCES');
  });

  function change(path: string, sql: string): void {
    const connection = connect(path);
    connection.exec(sql);
    connection.close();
  }
});

test.each([
  ['sqlite::memory:', 'SQLite in memory: nothing outlives the process'],
  ['mysql://root:secret@host/shop', /^StoreRefused: DATABASE_URL must be(?!.*secret)/],
  ['postgres://nobody@127.0.0.1:1/shop', /^StoreUnavailable: /],
])('%s', async (url, message) => {
  expect(await look(url)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
});

describeWithPostgres('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await postgresServer();
  });
  afterAll(() => server.close());

  test('an empty schema stays empty', async () => {
    const url = await server.newSchema();
    const empty = /^PostgreSQL \d+\.\d+.*, schema test_\w+, empty: the first start makes its tables$/;
    expect(await look(url)).toMatch(empty);
    expect(await look(url)).toMatch(empty);
  });

  test('one that is in use', async () => {
    const url = await server.newSchema();
    await fill(url);
    expect(await look(url)).toMatch(/its schema is current$/);
    expect(await look(url, ['v2'])).toContain(UNKNOWN);
    expect(await start(url)).toBe('');
  });

  test('of an older service, with a version that this one does not know, is refused before it is changed', async () => {
    const url = await server.newSchema();
    await fill(url);
    await server.run(`UPDATE ${schemaOf(url)}.svcgen_schema SET version = 1, writers = 1`);
    expect(await start(url, ['v2'])).toContain(UNKNOWN);
    expect(await look(url)).toContain('brings its schema from 1 to');
  });

  test('one of another encoding', async () => {
    await server.run(`CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'`);
    const url = (await server.newSchema()).replace(/\/postgres\?/, '/latin?');
    expect(await look(url)).toContain('encoding LATIN1');
    await server.run('DROP DATABASE latin');
  });
});
