import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { node, svcgen, TSC, writeProject } from '../../bench/services';
import { until } from '../runtime/events/devices';
import { describeWithPatroni, startPatroni } from '../runtime/store/postgres/patroni';
import { describeWithPooler } from '../runtime/store/postgres/pooler';
import {
  describeWithPostgres,
  describeWithStandby,
  type PostgresServer,
  postgresServer,
  type Standby,
} from '../runtime/store/postgres/postgres-server';
import { freePort } from '../support/free-port';
import { type Block, blocksOf } from '../support/page';
import { Typist } from '../support/typist';
import { type Contents, DeviceLoad, expectPrefix, readContents } from './device-load';

// The commands of docs/sqlite.md, docs/postgresql.md and docs/scale.md, typed into a shell next to a generated, compiled
// service, on SQLite and on PostgreSQL. Each section with commands has a test here; each block of it is typed, or has a reason why not.

const MINUTES = 60_000;
const root = join(__dirname, '../..');
/** Below the repository, so that what is generated finds its dependencies there. */
const folder = join(root, '.tmp/operations');
const START = 'node --enable-source-maps dist/main.js';
const EXAMPLE_URL = 'postgres://user:password@host/database';
const hasClient = spawnSync('pg_dump', ['--version']).status === 0;
const hasSqlite = spawnSync('sqlite3', ['--version']).status === 0;

const tested = new Set<string>();
let typist: Typist;
let port: number;
let made: string[];

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  writeProject(folder, readFileSync(join(root, 'examples/device-service/project.yaml'), 'utf8'));
  svcgen('generate', '--project', folder);
  node(TSC, ['-p', join(folder, 'tsconfig.build.json'), '--noCheck']);
  copyFileSync(join(folder, 'src/generated/openapi.json'), join(folder, 'dist/generated/openapi.json'));
  made = readdirSync(folder);
}, 5 * MINUTES);

beforeEach(async () => {
  port = await freePort();
  typist = new Typist(folder, join(root, 'node_modules/.bin'), { 8080: port });
});

afterEach(async () => {
  await typist.close();
  for (const name of readdirSync(folder))
    if (!made.includes(name)) rmSync(join(folder, name), { recursive: true });
});

/** Returns the blocks under a heading, up to the next heading. Those that are commands come first. */
function section(page: string, heading: string): { commands: Block[]; files: Block[] } {
  tested.add(`${page} ${heading}`);
  const blocks = sections(page).get(heading) ?? [];
  const commands = blocks.filter(({ language, directive }) => language === 'sh' && directive !== 'not run');
  return { commands, files: blocks.filter(({ directive }) => directive === 'file') };
}

/** Returns the blocks of a page by the heading that they are under. */
function sections(page: string): Map<string, Block[]> {
  const path = join(root, page);
  const lines = readFileSync(path, 'utf8').split('\n');
  const found = new Map<string, Block[]>();
  for (const block of blocksOf(path)) {
    const heading = lines.slice(0, block.line).findLast((text) => /^##+ /.test(text))!;
    found.set(heading, [...(found.get(heading) ?? []), block]);
  }
  return found;
}

/** Types a block, with real values for those that the page shows. */
function type({ text }: Block, values: { [shown: string]: string } = {}): string {
  for (const shown of Object.keys(values)) expect(text).toContain(shown);
  return typist.type(replaced(text, values));
}

function replaced(text: string, values: { [shown: string]: string }): string {
  return Object.entries(values).reduce((changed, [shown, value]) => changed.replaceAll(shown, value), text);
}

const url = (path: string): string => `http://127.0.0.1:${port}${path}`;

const file = (name: string): string => join(folder, name);

async function request(
  method: string,
  path: string,
  body?: unknown,
  headers = {},
): Promise<{ status: number; text: string; etag: string }> {
  const json = { 'Content-Type': 'application/json', ...headers };
  const response = await fetch(url(path), { method, headers: json, body: JSON.stringify(body) });
  return {
    status: response.status,
    text: await response.text(),
    etag: response.headers.get('etag') ?? '',
  };
}

const device = (name: string) => ({ spec: { name, location: 'berlin' } });

const create = (name: string, key?: string) =>
  request('POST', '/devices', device(name), key === undefined ? {} : { 'Idempotency-Key': key });

/** Returns the status of a stream of events after a position, which is not read. */
async function streamStatus(position: string): Promise<number> {
  // fetch would open another connection in place of the one that it cancels, and a stop waits for that.
  const sent = get(url(`/events?lastEventId=${position}`), { agent: false });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.destroy();
  return response.statusCode!;
}

/** Returns the position at which a stream of events begins. */
async function newestPosition(): Promise<string> {
  const sent = get(url('/events'), { agent: false });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    const position = /^id: (.+)$/m.exec(text)?.[1];
    if (position !== undefined) return position;
  }
  throw new Error(`the stream ended: ${text}`);
}

/** Returns the number of devices in a PostgreSQL database; 0 where the standby has no tables yet. */
async function devicesIn(database: string): Promise<number> {
  const client = new Client(database);
  await client.connect();
  try {
    const { rows } = await client.query<{ tables: string | null }>(
      "SELECT to_regclass('resources')::text AS tables",
    );
    if (rows[0].tables === null) return 0;
    return (await client.query('SELECT FROM resources')).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** Returns the URL of another database of the same server. */
const databaseOf = (given: string, name: string): string => given.replace(/\/[^/?]*(?=\?|$)/, `/${name}`);

const backupSection = section('docs/sqlite.md', '## Backups of SQLite');

test(
  'Backups of SQLite',
  async () => {
    const { commands } = backupSection;
    const restore = commands.filter(({ text }) => text.includes('mv backup.db'));
    expect(restore).toHaveLength(1);
    const backups = commands
      .filter((block) => !restore.includes(block))
      .flatMap(({ text }) => text.trim().split('\n'))
      .filter((command) => hasSqlite || !command.includes('; sqlite3 '));
    expect(backups.length).toBeGreaterThan(0);
    for (const backup of backups) await expectBackup(backup, restore[0]);
  },
  5 * MINUTES,
);

async function expectBackup(command: string, restore: Block): Promise<void> {
  await typist.stay(START);
  const keyed = await create('sensor', 'a-key');
  expect(keyed.status).toBe(201);
  const before = await request('GET', '/devices');
  typist.type(command);
  expect(statSync(file('backup.db')).mode & 0o777).toBe(0o600);

  const uid = (JSON.parse(keyed.text) as { metadata: { uid: string } }).metadata.uid;
  const undone = await request('PUT', `/devices/${uid}`, device('undone'));
  expect(undone.status).toBe(200);
  expect((await create('undone', 'another-key')).status).toBe(201);
  expect(await typist.stop(START)).toBe(0);
  const { events } = readContents(file('data/device-service.db'));
  expect(events).toHaveLength(3);

  type(restore);
  await typist.stay(START);
  expect((await request('GET', '/devices')).text).toBe(before.text);
  expect((await create('sensor', 'a-key')).text).toBe(keyed.text);
  expect((await request('PUT', `/devices/${uid}`, device('x'), { 'If-Match': undone.etag })).status).toBe(
    412,
  );
  const [first, , last] = events.map(({ position }) => String(position));
  expect(await streamStatus(last)).toBe(410);
  for (const key of ['another-key', 'c', 'd', 'e']) expect((await create('new', key)).status).toBe(201);
  expect(await streamStatus(last)).toBe(410);
  expect(await streamStatus(first)).toBe(200);
  await typist.stop(START);
  for (const name of ['data', 'before']) rmSync(file(name), { recursive: true });
}

/** A generation of Litestream's copies. */
interface Generation {
  name: string;
  end: number;
}

function generationsOf(printed: string): Generation[] {
  const [head, ...rows] = printed.trim().split('\n');
  expect(head.split(/ +/)).toEqual(['name', 'generation', 'lag', 'start', 'end']);
  return rows
    .map((row) => row.trim().split(/ +/))
    .map(([, name, , , end]) => ({ name, end: Date.parse(end) }));
}

describe('Continuous backup of SQLite', () => {
  const DATABASE = 'data/device-service.db';
  const SHOWN = { generation: '4ef02e092ad96089', time: '2026-11-23T16:14:07Z' };
  const { commands, files } = section('docs/sqlite.md', '## Continuous backup of SQLite');
  const [install, stays, list, restore, restoreNewest, place] = commands;

  beforeEach(() => {
    expect(commands).toHaveLength(6);
    for (const { argument, text } of files) writeFileSync(file(argument), text);
    type(install);
  });

  const LITESTREAM = stays.text.trim();
  const generations = (): Generation[] => generationsOf(type(list));

  /** Restores a generation as the page does for its newest state. */
  function newest(generation: string): Contents {
    rmSync(file('newest.db'), { force: true });
    typist.type(`export GENERATION=${generation}`);
    type(restoreNewest);
    expect(statSync(file('newest.db')).mode & 0o777).toBe(0o600);
    return readContents(file('newest.db'));
  }

  /** Starts Litestream, and waits until it has the database open. */
  async function replicate(): Promise<void> {
    await typist.stay(LITESTREAM, false);
    await until(() => {
      const output = typist.outputOf(LITESTREAM);
      if (/not found|failed/.test(output)) throw new Error(output);
      return output.includes('replicating to');
    });
  }

  /** Waits for a generation that is none of `others`, with all these devices. */
  async function copied(uids: readonly string[], others: readonly string[] = []): Promise<string> {
    for (;;) {
      const generation = generations().find(({ name }) => !others.includes(name))?.name;
      if (generation !== undefined) {
        const found = new Set(newest(generation).resources.map(({ uid }) => uid));
        if (uids.every((uid) => found.has(uid))) return generation;
      }
      await setTimeout(200);
    }
  }

  /** The part of the header of the log that changes when SQLite begins it anew. */
  const logSalt = (): string => readFileSync(file(`${DATABASE}-wal`)).toString('hex', 16, 24);

  test(
    'under load, with kills, to a time between and to the newest state',
    async () => {
      typist.type('export WORKERS=2');
      await typist.stay(START);
      await replicate();
      const load = new DeviceLoad(port, 8);
      load.start();
      try {
        await load.reach(200);
        const known = load.uids();
        const first = await copied(known);
        const time = Date.now();
        await until(() => generations()[0].end > time + 1_000);

        // SQLite empties its log, which nobody copies.
        await typist.stop(LITESTREAM, 'SIGKILL');
        const salt = logSalt();
        await until(() => logSalt() !== salt);
        await replicate();
        const second = await copied(load.uids(), [first]);
        const late = load.uids();
        await until(() => load.uids().length > late.length);
        await typist.stop(LITESTREAM, 'SIGKILL');
        await typist.stop(START, 'SIGKILL');
        await load.stop();

        const live = readContents(file(DATABASE));
        expect(load.uids().filter((uid) => !live.resources.some((row) => row.uid === uid))).toEqual([]);
        const given = { [SHOWN.generation]: first, [SHOWN.time]: new Date(time).toISOString() };
        type(restore, given);
        expect(statSync(file('restored.db')).mode & 0o777).toBe(0o600);
        // A closed connection stays until its statements are collected, and with it the index of a log that belongs to the
        // file, wherever it is moved: a later connection of this process would not see what others write.
        copyFileSync(file('restored.db'), file('copy.db'));
        const restored = readContents(file('copy.db'));
        expectPrefix(restored, live);
        const uids = new Set(restored.resources.map(({ uid }) => uid));
        expect(known.filter((uid) => !uids.has(uid))).toEqual([]);
        expect(load.begunAfter(time).filter((uid) => uids.has(uid))).toEqual([]);
        expectPrefix(newest(first), live);
        renameSync(file('data'), file('lost'));
        expect(generations().map(({ name }) => name)).toContain(second);
        expectPrefix(newest(second), live);
        renameSync(file('lost'), file('data'));

        await expectInPlace(restored, live, [first, second]);
      } finally {
        await load.stop();
      }
    },
    5 * MINUTES,
  );

  /** Puts what was restored in place: a service and Litestream go on with it. */
  async function expectInPlace(restored: Contents, live: Contents, former: string[]): Promise<void> {
    type(place);
    await typist.stay(START);
    await replicate();
    const listed = JSON.parse((await request('GET', '/devices')).text) as { metadata: { uid: string } }[];
    const uidsOf = ({ resources }: Contents): string[] => resources.map(({ uid }) => uid).toSorted();
    expect(listed.map(({ metadata }) => metadata.uid).toSorted()).toEqual(uidsOf(restored));
    expect((await create('new')).status).toBe(201);
    expect(await streamStatus(String(live.events.at(-1)!.position))).toBe(410);
    expect(await streamStatus(String(restored.events.at(-1)!.position))).toBe(200);
    const present = readContents(file(DATABASE));
    const third = await copied(uidsOf(present), former);
    expect(newest(third)).toEqual(present);
  }
});

describeWithPostgres('PostgreSQL', () => {
  const copy = section('docs/postgresql.md', '## From SQLite to PostgreSQL');
  const backups = section('docs/postgresql.md', '## Backups of PostgreSQL');
  const method = section('docs/scale.md', '## Method');
  let server: PostgresServer;
  let real: string;

  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server?.close());
  beforeEach(async () => void (real = await server.newDatabase()));

  test(
    'From SQLite to PostgreSQL',
    async () => {
      expect(copy.commands).toHaveLength(1);
      await typist.stay(START);
      for (const name of ['a', 'b', 'c']) expect((await create(name)).status).toBe(201);
      const before = (await request('GET', '/devices')).text;
      await typist.stop(START);
      const printed = type(copy.commands[0], { [EXAMPLE_URL]: real });
      expect(printed).toMatch(/^resources: 3$/m);
      await typist.stay(START);
      expect((await request('GET', '/devices')).text).toBe(before);
      expect(existsSync(file('data/device-service.db'))).toBe(true);
    },
    5 * MINUTES,
  );

  (hasClient ? test : test.skip)(
    'Backups of PostgreSQL',
    async () => {
      const [dump, restore, ...others] = backups.commands;
      expect(others).toEqual([]);
      typist.type(`export DATABASE_URL='${real}'`);
      await typist.stay(START);
      const keyed = await create('sensor', 'a-key');
      expect(keyed.status).toBe(201);
      const before = await request('GET', '/devices');
      type(dump, { [EXAMPLE_URL]: real });
      expect(statSync(file('backup.dump')).mode & 0o777).toBe(0o600);
      const retained = await newestPosition();
      expect((await create('undone')).status).toBe(201);
      const undone = await newestPosition();
      await typist.stop(START);

      await server.run('DROP DATABASE IF EXISTS restored');
      type(restore, { 'postgres://user:password@host/restored': databaseOf(real, 'restored') });
      await typist.stay(START);
      expect((await request('GET', '/devices')).text).toBe(before.text);
      expect((await create('sensor', 'a-key')).text).toBe(keyed.text);
      for (const name of ['a', 'b']) expect((await create(name)).status).toBe(201);
      expect(await streamStatus(undone)).toBe(410);
      expect(await streamStatus(retained)).toBe(200);
      await typist.stop(START);
      await server.run('DROP DATABASE restored');
    },
    5 * MINUTES,
  );

  test(
    'the method of the page on scale',
    () => {
      const [{ text }, ...others] = method.commands;
      expect(others).toEqual([]);
      const values = { 'scale.ts /tmp': `scale.ts '${folder}'`, [EXAMPLE_URL]: real, ' 1000000': ' 4000' };
      for (const shown of Object.keys(values)) expect(text).toContain(shown);
      const printed = typist.type(`cd '${root}'\n${replaced(text, values)}`);
      expect(printed.match(/^newest position .* ms$/gm)).toHaveLength(2);
    },
    5 * MINUTES,
  );
});

describeWithStandby('a primary and a standby', () => {
  const { commands } = section('docs/postgresql.md', '## Failover');

  (hasClient ? test : test.skip)(
    'Failover',
    async () => {
      const server = await postgresServer();
      try {
        const database = await server.newDatabase();
        const standby = await server.startStandby();
        try {
          const [hosts, promote, ...others] = commands;
          expect(others).toEqual([]);
          const shown = /'(postgres:[^']+)'/.exec(hosts.text)![1];
          type(hosts, { [shown]: standby.together(database) });
          await typist.stay(START);
          expect((await create('before')).status).toBe(201);
          const before = await request('GET', '/devices');
          await until(async () => (await devicesIn(standby.instead(database))) === 1);
          expect(await server.stop('crash')).toBe(true);
          expect((await create('refused')).status).toBe(503);
          type(promote, { 'postgres://postgres@b:5432/database': `'${standby.instead(database)}'` });
          await until(async () => (await create('after')).status === 201);
          expect((await request('GET', '/devices')).text.slice(0, before.text.length - 1)).toBe(
            before.text.slice(0, -1),
          );
          await typist.stop(START);
        } finally {
          await standby.close();
        }
      } finally {
        await server.close();
      }
    },
    5 * MINUTES,
  );
});

describeWithPatroni('Patroni', () => {
  const { commands } = section('docs/postgresql.md', '## Patroni');

  test(
    'Patroni',
    async () => {
      const [start, service, roles, ...others] = commands;
      // startPatroni runs this, with the file of the page.
      expect([start.text, others]).toEqual(['patroni patroni.yml\n', []]);
      const cluster = await startPatroni();
      try {
        const { leader, standby } = await cluster.pair();
        const [variable, run] = service.text.trim().split('\n');
        typist.type(variable.replace(/'postgres:[^']+'/, `'${cluster.url}'`));
        await typist.stay(run);
        expect((await create('before')).status).toBe(201);
        const printed = type(roles, {
          'patroni.yml': leader.settings,
          'leader a': `leader ${leader.name}`,
          'candidate b': `candidate ${standby.name}`,
        });
        expect(printed).toMatch(new RegExp(`${standby.name} .*Sync Standby`));
        expect(printed).toContain(`Successfully switched over to "${standby.name}"`);
        await until(async () => (await create('after')).status === 201);
        expect(await devicesIn(standby.url)).toBe(2);
        await typist.stop(run);
      } finally {
        await typist.close();
        await cluster.close();
      }
    },
    5 * MINUTES,
  );
});

(hasClient ? describeWithStandby : describe.skip)('a primary and a standby behind a pooler', () => {
  describeWithPooler('PgBouncer', () => {
    const { commands, files } = section('docs/postgresql.md', '## Poolers');

    test(
      'Poolers',
      async () => {
        const [users, pooler, service, reload, ...others] = commands;
        expect([others, files.map(({ argument }) => argument)]).toEqual([[], ['pgbouncer.ini']]);
        const server = await postgresServer();
        let standby: Standby | undefined;
        try {
          const database = await server.newDatabase();
          const { pathname, searchParams } = new URL(database.replace('@/', '@localhost/'));
          const name = pathname.slice(1);
          const host = searchParams.get('host')!;
          // PgBouncer does not run as root, and its port may be another's.
          const isRoot = process.getuid?.() === 0;
          const bouncer = new Typist(folder, join(root, 'node_modules/.bin'), {
            8080: port,
            6432: await freePort(),
          });
          typist = bouncer;
          const settings = replaced(files[0].text, {
            'database = host=host': `${name} = host=${host}`,
            auth_type: `${isRoot ? 'user = nobody\n' : ''}auth_type`,
            'admin_users = user': 'admin_users = postgres',
          });
          writeFileSync(file('pgbouncer.ini'), bouncer.real(settings));
          type(users, { '"user"': '"postgres"' });
          if (isRoot) chownSync(file('userlist.txt'), 65534, 65534);
          const command = pooler.text.trim();
          await bouncer.stay(command, false);
          await until(() => {
            if (/FATAL/.test(bouncer.outputOf(command))) throw new Error(bouncer.outputOf(command));
            return bouncer.outputOf(command).includes('process up');
          });
          const [variable, start] = service.text.trim().split('\n');
          bouncer.type(replaced(variable, { '//user': '//postgres', '/database': `/${name}` }));
          await bouncer.stay(start);
          expect((await create('pooled')).status).toBe(201);
          expect((await request('GET', '/devices')).text).toContain('pooled');
          expect(bouncer.outputOf(command)).toContain(`login attempt: db=${name} user=postgres`);
          standby = await server.startStandby();
          await until(async () => (await devicesIn(standby!.instead(database))) === 1);
          expect(await server.stop('crash')).toBe(true);
          await standby.promote();
          const other = new URL(standby.url.replace('@/', '@localhost/')).searchParams.get('host')!;
          type(reload, {
            'host=host ': `host=${host} `,
            'host=b ': `host=${other} `,
            '//user': '//postgres',
          });
          await until(async () => (await create('after')).status === 201);
          expect(await devicesIn(standby.instead(database))).toBe(2);
          expect(await bouncer.stop(start)).toBe(0);
          await bouncer.stop(command);
        } finally {
          await typist.close();
          await standby?.close();
          await server.close();
        }
      },
      5 * MINUTES,
    );
  });
});

test.each(['docs/sqlite.md', 'docs/postgresql.md', 'docs/scale.md'])(
  'every section of %s with commands is typed here',
  (page) => {
    const withCommands = [...sections(page)].filter(([, blocks]) =>
      blocks.some(({ language, directive }) => language === 'sh' && directive !== 'not run'),
    );
    expect(withCommands.map(([heading]) => `${page} ${heading}`).filter((name) => !tested.has(name))).toEqual(
      [],
    );
  },
);
