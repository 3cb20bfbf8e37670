import { execFileSync } from 'node:child_process';
import fs, {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CopySource } from '../../../../templates/runtime/store/copy/source';
import * as driver from '../../../../templates/runtime/store/sqlite/connection/driver';
import { type Store, StoreRefused, StoreUnavailable } from '../../../../templates/runtime/store/store';
import { killChildren, startChild } from '../../support/child';
import { inspectStore, openStore } from '../open-store';
import { creation, KIND } from '../store-writes';

// A copy, whose functions can be replaced.
jest.mock('../../../../templates/runtime/store/sqlite/connection/driver', () => ({
  __esModule: true,
  ...jest.requireActual<typeof driver>('../../../../templates/runtime/store/sqlite/connection/driver'),
}));
const { connect } = driver;
const ALL = { after: 0, limit: 100_000, selector: [] };

let folder: string;
let file: string;
let store: Store | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen-faults-'));
  file = join(folder, 'service.db');
});

afterEach(async () => {
  killChildren();
  await store?.close();
  store = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function open(options = {}): Promise<Store> {
  store = await openStore(`sqlite:${file}`, options);
  return store;
}

/** A closed database with 200 resources. */
async function fill(): Promise<void> {
  const filling = await openStore(`sqlite:${file}`);
  for (let n = 0; n < 200; n++) {
    void filling.write(
      creation(`dev-${n}`, { text: JSON.stringify('x'.repeat(1000)), labels: { n: String(n) } }),
    );
  }
  await filling.close();
}

function change(sql: string): void {
  const connection = connect(file);
  connection.exec(sql);
  connection.close();
}

function overwrite(position: number, bytes: Buffer): void {
  const content = readFileSync(file);
  bytes.copy(content, position);
  writeFileSync(file, content);
}

const noise = Buffer.from(Array.from({ length: 8192 }, (_, index) => (index * 7919 + (index >> 3)) % 251));

test('warnings of the process are shown again after SQLite was loaded', async () => {
  const { emitWarning } = process;
  await jest.isolateModulesAsync(async () => {
    const loading = await import('../../../../templates/runtime/store/sqlite/connection/driver');
    loading.connect(':memory:').close();
  });
  expect(process.emitWarning).toBe(emitWarning);
});

describe('a database that is refused, and stays byte for byte as it is', () => {
  const refused: [string, () => void | Promise<void>, RegExp][] = [
    ['text', () => writeFileSync(file, 'name,price\n'.repeat(1000)), /not a SQLite database/],
    ['a few bytes', () => writeFileSync(file, 'SQLite'), /not a SQLite database/],
    ['noise', () => writeFileSync(file, noise), /not a SQLite database/],
    ['of another application', () => change('CREATE TABLE users (name TEXT)'), /another application/],
    [
      'of another application that names itself',
      () => change('PRAGMA application_id = 7'),
      /another application/,
    ],
    [
      'of another application, with a log',
      () => change('PRAGMA journal_mode = WAL; CREATE TABLE t (a)'),
      /another appl/,
    ],
    [
      'of a newer service',
      () => fill().then(() => change('PRAGMA user_version = 1000')),
      /newer version.*1000/s,
    ],
    ['empty', () => writeFileSync(file, ''), /empty/],
    [
      'without its last byte',
      () => fill().then(() => truncateSync(file, statSync(file).size - 1)),
      /damaged/,
    ],
    ['without its end', () => fill().then(() => truncateSync(file, 100_000)), /damaged/],
    ['without all but its first page', () => fill().then(() => truncateSync(file, 4096)), /damaged/],
    [
      'without most of its first page',
      () => fill().then(() => truncateSync(file, 50)),
      /not a SQLite database/,
    ],
    ['overwritten at its start', () => fill().then(() => overwrite(0, noise)), /not a SQLite database/],
    [
      'overwritten in the schema',
      () => fill().then(() => overwrite(100, noise.subarray(0, 2000))),
      /damaged/,
    ],
    ['overwritten in the middle', () => fill().then(() => overwrite(80_000, noise)), /damaged/],
    [
      'emptied, but for its log',
      () => [writeFileSync(file, ''), writeFileSync(`${file}-wal`, noise)] as never,
      /empty/,
    ],
  ];
  test.each(refused)('%s', async (_, make, message) => {
    await make();
    const before = readFileSync(file);
    const refusal = await openStore(`sqlite:${file}`).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StoreRefused);
    expect((refusal as StoreRefused).message).toMatch(message);
    expect((refusal as StoreRefused).message).toMatch(/DATABASE_URL|backup/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('a folder', async () => {
    mkdirSync(file);
    await expect(openStore(`sqlite:${file}`)).rejects.toThrow(/is a folder/);
  });

  const ends = ['', '-wal', '-shm', '-journal'];
  test.each(ends)('a pipe in the place of its file %j', async (end) => {
    if (end !== '') await fill();
    rmSync(`${file}${end}`, { force: true });
    execFileSync('mkfifo', [`${file}${end}`]);
    await expect(openStore(`sqlite:${file}`)).rejects.toThrow(/a device, a pipe or a socket.*DATABASE_URL/);
  });

  test('a device', async () => {
    await expect(openStore('sqlite:/dev/null')).rejects.toThrow(/a device, a pipe or a socket/);
    symlinkSync('/dev/zero', file);
    await expect(openStore(`sqlite:${file}`)).rejects.toThrow(/zero is a device/);
  });

  test.each([
    ['a URI', (path: string) => `file:${path}`],
    ['a path with parameters', (path: string) => `${path}?mode=ro`],
    ['a folder that does not exist', (path: string) => `${path}/`],
  ])('%s, without making anything', async (_, nameOf) => {
    const url = `sqlite:${nameOf(file)}`;
    await expect(openStore(url)).rejects.toThrow(/names no file; DATABASE_URL is sqlite:<file>/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(['', 'sqlite:', 'sqlite:///x.db', 'mysql://host/db', './service.db', 'SQLITE:x'])(
    'the URL %j',
    async (url) => {
      await expect(openStore(url)).rejects.toThrow(/DATABASE_URL must be sqlite:<file>/);
    },
  );

  test.each([
    ['postgres://user:secret@127.0.0.1:99999/db', /not a URL/],
    ['postgres://user:secret@127.0.0.1/d%b', /not a URL/],
    ['postgres://user:secret@127.0.0.1/db?sslmode=verify-full&sslrootcert=/nowhere', /\/nowhere/],
  ])('the URL %j', async (url, reason) => {
    const refusal = openStore(url);
    await expect(refusal).rejects.toBeInstanceOf(StoreRefused);
    await expect(refusal).rejects.toThrow(/^DATABASE_URL cannot be used: (?!.*secret)/);
    await expect(refusal).rejects.toThrow(reason);
  });

  test('a URL, without telling its password', async () => {
    await expect(openStore('mysql://user:secret@host')).rejects.not.toThrow(/secret/);
  });
});

describe('a database that is made', () => {
  test.each([
    ['missing', () => undefined],
    ['begun and left', () => change('PRAGMA journal_mode = WAL')],
  ])('from a file that is %s', async (_, make) => {
    make();
    expect(await (await open()).write(creation('dev-1'))).toBe('done');
  });

  test('by several processes at once', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(`sqlite:${file}`)));
    for (const [n, opened] of stores.entries()) expect(await opened.write(creation(`dev-${n}`))).toBe('done');
    expect(await stores[0].list(KIND, ALL)).toHaveLength(4);
    await Promise.all(stores.map((opened) => opened.close()));
    expect(readdirSync(folder).filter((name) => name.includes('new'))).toEqual([]);
  });

  test('with its folders', async () => {
    file = join(folder, 'a/b/service.db');
    await (await open()).ready();
  });

  test.each([true, false])('for the eyes of its user alone (thread: %s)', async (writerThread) => {
    file = join(folder, 'a/b/service.db');
    await (await open({ writerThread })).write(creation('dev-1'));
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect(
      readdirSync(join(folder, 'a/b'))
        .toSorted()
        .map((name) => [name, modeOf(join(folder, 'a/b', name))]),
    ).toEqual([
      ['service.db', '600'],
      ['service.db-shm', '600'],
      ['service.db-wal', '600'],
    ]);
    expect([modeOf(join(folder, 'a')), modeOf(join(folder, 'a/b'))]).toEqual(['700', '700']);
  });

  test('not where no file can be', async () => {
    writeFileSync(file, 'a file');
    await expect(openStore(`sqlite:${file}/service.db`)).rejects.toBeInstanceOf(StoreUnavailable);
  });

  // Node's own recursive mkdir never returns from there.
  test.each(['/proc/none/service.db', '/proc/self/none/of/service.db'])(
    'not where no folder can be: %s',
    async (path) => {
      const refusal = openStore(`sqlite:${path}`);
      await expect(refusal).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(refusal).rejects.toThrow(
        /^the folder \/proc.* cannot be made \(E[A-Z]+: .*DATABASE_URL name a file in another one$/,
      );
    },
  );
});

test.each(['', '-shm', '-wal'])(
  'its file %j that may not be written is named, and no other is made',
  async (end) => {
    await fill();
    if (end !== '') writeFileSync(`${file}${end}`, '');
    const before = readdirSync(folder);
    // Root may write every file.
    const access = jest.spyOn(fs, 'accessSync').mockImplementation((path) => {
      if (path === `${file}${end}`) throw Object.assign(new Error('denied'), { code: 'EACCES' });
    });
    const message = `${file}${end} may not be read and written by the user of the service`;
    await expect(open()).rejects.toThrow(message);
    await expect(inspectStore(`sqlite:${file}`, async () => undefined)).rejects.toThrow(message);
    access.mockRestore();
    expect(readdirSync(folder)).toEqual(before);
  },
);

test('is durable: a log that survives a power loss', async () => {
  await open();
  const connection = connect(file);
  expect(connection.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  connection.close();
});

describe('a database behind symbolic links', () => {
  const link = (): string => join(folder, 'link/to.db');

  beforeEach(() => {
    for (const name of ['link', 'real', 'real/data']) mkdirSync(join(folder, name));
    symlinkSync(join(folder, 'real'), join(folder, 'folder'));
    symlinkSync('../folder/relative.db', link());
    symlinkSync('data/service.db', join(folder, 'real/relative.db'));
    file = join(folder, 'real/data/service.db');
  });

  test.each([true, false])('is made next to nothing else, and written (thread: %s)', async (writerThread) => {
    store = await openStore(`sqlite:${link()}`, { writerThread });
    expect(await store.write(creation('dev-1'))).toBe('done');
    expect(await store.get(KIND, 'dev-1')).toBeDefined();
    expect(readdirSync(join(folder, 'real/data'))).toEqual([
      'service.db',
      'service.db-shm',
      'service.db-wal',
    ]);
    expect(readdirSync(join(folder, 'link'))).toEqual(['to.db']);
  });

  test('is whole after a kill, for the service, doctor and a copy', async () => {
    const child = startChild('create', link(), 'dev');
    await child.said('dev-500');
    child.process.kill('SIGKILL');
    await child.ended();
    expect(await inspectStore(`sqlite:${link()}`, async () => undefined)).toContain(link());
    const source = await CopySource.open(link(), 1_000);
    expect(source.count({ name: 'resources', columns: {} })).toBeGreaterThanOrEqual(501);
    source.close();
    store = await openStore(`sqlite:${link()}`);
    expect((await store.list(KIND, ALL)).length).toBeGreaterThanOrEqual(501);
  });

  test('is refused where they lead in a circle', async () => {
    symlinkSync(link(), file);
    const refusal = openStore(`sqlite:${link()}`);
    await expect(refusal).rejects.toBeInstanceOf(StoreRefused);
    await expect(refusal).rejects.toThrow(/symbolic link/);
  });
});

describe('a lock that another process holds', () => {
  test('lets reads go on, and writes wait until it is released', async () => {
    await (await open({ busyTimeoutMs: 60_000 })).write(creation('dev-1'));
    const holder = startChild('lock', file);
    await holder.said('begun');
    let settled = false;
    const write = store!.write(creation('dev-2')).finally(() => (settled = true));
    for (let turn = 0; turn < 1000; turn++) {
      await setImmediate();
      expect(await store!.get(KIND, 'dev-1')).toBeDefined();
    }
    expect(settled).toBe(false);
    holder.process.stdin.end();
    expect(await write).toBe('done');
    await holder.ended();
  });

  test('makes writes fail when it is held too long; they are not made later', async () => {
    await (await open({ busyTimeoutMs: 500 })).write(creation('dev-1'));
    const holder = connect(file);
    holder.exec('BEGIN IMMEDIATE');
    let turns = 0;
    let settled = false;
    const writes = Promise.allSettled([store!.write(creation('dev-2')), store!.write(creation('dev-3'))]);
    void writes.then(() => (settled = true));
    for (; !settled; turns++) await setImmediate();
    expect(turns).toBeGreaterThan(100);
    for (const result of await writes) expect(result).toMatchObject({ reason: expect.any(StoreUnavailable) });
    holder.exec('ROLLBACK');
    holder.close();
    expect(await store!.write(creation('dev-4'))).toBe('done');
    expect((await store!.list(KIND, ALL)).map(({ uid }) => uid)).toEqual(['dev-1', 'dev-4']);
  });

  test('is waited for at start', async () => {
    await fill();
    const holder = connect(file);
    holder.exec('BEGIN EXCLUSIVE');
    const opening = open();
    await setImmediate();
    holder.exec('ROLLBACK');
    holder.close();
    expect(await (await opening).write(creation('dev-1000'))).toBe('done');
  });
});

describe('a file that is taken away while the service runs', () => {
  const taken: [string, () => void][] = [
    ['deleted', () => rmSync(file)],
    ['deleted, of it the log', () => rmSync(`${file}-wal`)],
    ['deleted, of it the index of the log', () => rmSync(`${file}-shm`)],
    ['replaced', () => [copyFileSync(file, `${file}.copy`), renameSync(`${file}.copy`, file)]],
    ['deleted with its folder', () => rmSync(folder, { recursive: true })],
  ];
  test.each(taken)('%s: writes fail rather than go nowhere', async (_, take) => {
    await (await open()).write(creation('dev-1'));
    take();
    await expect(store!.write(creation('dev-2'))).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store!.write(creation('dev-3'))).rejects.toMatchObject({ outcomeUnknown: false });
    expect(await store!.get(KIND, 'dev-2')).toBeUndefined();
    expect(await store!.get(KIND, 'dev-1')).toBeDefined();
  });

  test('a log that was deleted: what was acknowledged is in the file after a stop', async () => {
    await (await open()).write(creation('dev-1'));
    rmSync(`${file}-wal`);
    await expect(store!.write(creation('dev-2'))).rejects.toThrow(/the log of the database \(-wal\)/);
    await store!.close();
    expect((await (await open()).list(KIND, ALL)).map(({ uid }) => uid)).toEqual(['dev-1']);
    expect(await store!.write(creation('dev-2'))).toBe('done');
  });

  test('and brought back: writes go on', async () => {
    await open();
    renameSync(file, `${file}.away`);
    await expect(store!.write(creation('dev-1'))).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store!.ready()).rejects.toBeInstanceOf(StoreUnavailable);
    renameSync(`${file}.away`, file);
    expect(await store!.write(creation('dev-1'))).toBe('done');
  });
});

test.each([true, false])(
  'a dry run does not show that the store is writable (thread: %s)',
  async (writerThread) => {
    await open({ writerThread });
    const logSize = (): number => statSync(`${file}-wal`).size;
    await store!.judge(creation('dev-1'));
    const before = logSize();
    await store!.ready();
    expect(logSize()).toBeGreaterThan(before);
  },
);

describe('a full disk', () => {
  let mounted = false;

  beforeEach(() => {
    mounted = mount(folder);
  });

  afterEach(async () => {
    await store?.close();
    if (mounted) execFileSync('umount', ['--lazy', folder]);
  });

  test('fails writes as a whole, lets reads go on, and is forgotten when there is room', async () => {
    if (!mounted) return console.warn('skipped: a file system of its own takes root');
    await (await open()).write(creation('dev-1'));
    writeFileSync(join(folder, 'filler'), Buffer.alloc(600_000));
    const text = JSON.stringify('x'.repeat(50_000));
    const written = ['dev-1'];
    let failures = 0;
    for (let n = 2; n < 100; n++) {
      const pair = [creation(`dev-${n}a`, { text, labels: { n: 'x' } }), creation(`dev-${n}b`, { text })];
      const results = await Promise.allSettled(pair.map((write) => store!.write(write)));
      if (results.every(({ status }) => status === 'fulfilled')) written.push(`dev-${n}a`, `dev-${n}b`);
      else failures += 1;
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreUnavailable);
    }
    expect(failures).toBeGreaterThan(0);
    expect((await store!.list(KIND, ALL)).map(({ uid }) => uid)).toEqual(written);
    rmSync(join(folder, 'filler'));
    expect(await store!.write(creation('dev-last', { text }))).toBe('done');
    await store!.close();
    expect((await (await open()).list(KIND, ALL)).map(({ uid }) => uid)).toEqual([...written, 'dev-last']);
  });
});

/** Mounts a small file system; false where that takes rights that this process does not have. */
function mount(target: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', target], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('several processes', () => {
  test('open a file while another one moves its log into it', async () => {
    await (await open()).write(creation('dev-1'));
    const other = connect(file);
    expect(statSync(file).size).toBeLessThan(statSync(`${file}-wal`).size);
    // Between the first look at the file and the first look into it.
    const connecting = jest.spyOn(driver, 'connect').mockImplementationOnce((...parameters) => {
      other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return connect(...parameters);
    });
    const second = await openStore(`sqlite:${file}`);
    expect(await second.list(KIND, ALL)).toHaveLength(1);
    expect(connecting).toHaveBeenCalled();
    await second.close();
    other.close();
  });

  test('lose no increment of one counter', async () => {
    await (await open()).write(creation('counter', { text: '0' }));
    const children = [startChild('increment', file), startChild('increment', file)];
    await Promise.all(children.map((child) => child.said('done')));
    expect(await store!.get(KIND, 'counter')).toMatchObject({ text: '200', revision: 201 });
  });

  test('that are killed lose nothing that was acknowledged', async () => {
    const child = startChild('create', file, 'dev');
    await child.said('dev-500');
    child.process.kill('SIGKILL');
    await child.ended();
    const uids = new Set((await (await open()).list(KIND, ALL)).map(({ uid }) => uid));
    const acknowledged = child.lines.filter((line) => line.startsWith('dev-'));
    expect(acknowledged.filter((uid) => !uids.has(uid))).toEqual([]);
  });
});
