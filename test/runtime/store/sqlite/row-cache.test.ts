import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Command } from '../../../../templates/runtime/store/command';
import { DatabaseState } from '../../../../templates/runtime/store/sqlite/cache/database-state';
import { RowCache } from '../../../../templates/runtime/store/sqlite/cache/row-cache';
import { connect, type Connection } from '../../../../templates/runtime/store/sqlite/connection/driver';
import { noteOpened, OpenFiles, walState } from '../../../../templates/runtime/store/sqlite/file/open-files';
import { makeDurable } from '../../../../templates/runtime/store/sqlite/file/setup';
import { type Applied, BatchWriter } from '../../../../templates/runtime/store/sqlite/writes/batch-writer';
import type { StoredResource } from '../../../../templates/runtime/store/store';
import { openStore } from '../open-store';
import { creation, deletionOf, KIND, OTHER_KIND, updateOf } from '../store-writes';

const UID = 'dev-0000000000000001';

function row(uid: string, length = 0): StoredResource {
  return {
    id: 1,
    uid,
    revision: 1,
    version: 'v1',
    text: 'x'.repeat(length),
    etag: '""',
    kept: null,
    position: null,
  };
}

describe('RowCache', () => {
  let state: string | undefined;
  let database: DatabaseState;
  const read = jest.fn<StoredResource | undefined, [string]>();
  const reading = (rows: RowCache, uid: string, kind = KIND): StoredResource | undefined =>
    rows.get(kind, uid, () => read(uid));
  const keeping = (rows: RowCache, uid: string): void => {
    reading(rows, uid);
    reading(rows, uid);
    read.mockClear();
  };

  const begin = (rows: RowCache, commands: readonly Command[]): void => {
    database.begin();
    rows.begin(commands);
  };
  const end = (rows: RowCache, commands: readonly Command[], applied?: Applied): void => {
    database.end(commands, applied);
    rows.end(commands, applied);
  };

  const rowsOfState = (): RowCache => new RowCache(database, 100_000);

  beforeEach(() => {
    state = '1';
    database = new DatabaseState(() => state);
    read.mockReset().mockImplementation((uid) => row(uid));
  });

  test('what was read twice is not read again', () => {
    const rows = rowsOfState();
    reading(rows, 'a');
    expect(reading(rows, 'a')).toBe(reading(rows, 'a'));
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('fields that are preserved for other versions take room like texts', () => {
    const rows = rowsOfState();
    read.mockImplementation((uid) => ({ ...row(uid), kept: 'x'.repeat(10_000) }));
    for (let number = 0; number < 20; number++) keeping(rows, `dev-${number}`);
    reading(rows, 'dev-0');
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('what is read once, among many, is not kept', () => {
    const rows = new RowCache(database, 100_000_000);
    const uids = Array.from({ length: 100_000 }, (_, number) => `dev-${number}`);
    for (const uid of uids) reading(rows, uid);
    read.mockClear();
    for (const uid of uids) reading(rows, uid);
    expect(read.mock.calls.length).toBeGreaterThan(99_000);
  });

  test('ten thousand rows that are read again and again are all kept', () => {
    const rows = new RowCache(database, 100_000_000);
    const uids = Array.from({ length: 10_000 }, (_, number) => `dev-${number}`);
    for (let times = 0; times < 100; times++) {
      for (let number = 0; number < uids.length; number++)
        reading(rows, uids[Math.floor(Math.random() * uids.length)]);
    }
    read.mockClear();
    for (const uid of uids) reading(rows, uid);
    expect(read).not.toHaveBeenCalled();
  });

  test('what is missing is looked for every time', () => {
    read.mockReturnValue(undefined);
    const rows = rowsOfState();
    expect([reading(rows, 'a'), reading(rows, 'a')]).toEqual([undefined, undefined]);
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('a row is known under its own kind alone', () => {
    const rows = rowsOfState();
    reading(rows, 'a');
    reading(rows, 'a', OTHER_KIND);
    expect(read).toHaveBeenCalledTimes(2);
  });

  const event = { id: 'event', type: 'updated', text: '{}', kept: null };
  const update = updateOf(row('a'), { event });
  const done = { results: ['done' as const], positions: new Map([['a', '7']]) };

  test('what this process changes is read again while that is under way and when it fails', () => {
    const rows = rowsOfState();
    keeping(rows, 'a');
    begin(rows, [deletionOf(row('a'))]);
    reading(rows, 'a');
    expect(read).toHaveBeenCalledTimes(1);
    end(rows, [deletionOf(row('a'))]);
    reading(rows, 'a');
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('a row that was kept is known again when this process has written it', () => {
    const rows = rowsOfState();
    keeping(rows, 'a');
    begin(rows, [update]);
    end(rows, [update], done);
    const { version, text, etag, kept } = update;
    expect(reading(rows, 'a')).toEqual({
      id: 1,
      uid: 'a',
      revision: 2,
      version,
      text,
      etag,
      kept,
      position: '7',
    });
    expect(read).not.toHaveBeenCalled();
  });

  test('a row that was not kept is not, because it was written', () => {
    const rows = rowsOfState();
    begin(rows, [update]);
    end(rows, [update], done);
    reading(rows, 'a');
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('a write in conflict is no row', () => {
    const rows = rowsOfState();
    keeping(rows, 'a');
    begin(rows, [update]);
    end(rows, [update], { results: ['conflict'], positions: new Map() });
    reading(rows, 'a');
    expect(read).toHaveBeenCalledTimes(1);
  });

  /** Returns how often a known row is read again after `happen`. */
  function readsAgainAfter(happen: (rows: RowCache) => void): number {
    const rows = rowsOfState();
    keeping(rows, 'b');
    happen(rows);
    reading(rows, 'b');
    reading(rows, 'b');
    return read.mock.calls.length;
  }

  /** A commit from state to state, behind which the state is that of `now`. */
  function commit(rows: RowCache, now: string, before: string | undefined, after: string | undefined): void {
    begin(rows, [update]);
    state = now;
    end(rows, [update], { ...done, states: { before, after } });
  }

  test.each<[string, (rows: RowCache) => void, number]>([
    ['nothing', () => undefined, 0],
    ['a commit of another', () => (state = '2'), 1],
    ['a state that is not known', () => (state = undefined), 2],
    ['a commit of this process', (rows) => commit(rows, '2', '1', '2'), 0],
    [
      'a commit of this process that is under way',
      (rows) => {
        begin(rows, [update]);
        state = '2';
      },
      2,
    ],
    ['a commit of this process, with one of another before', (rows) => commit(rows, '3', '2', '3'), 1],
    ['a commit of this process, with one of another behind', (rows) => commit(rows, '3', '1', '2'), 1],
    ['commits that cannot be told apart', (rows) => commit(rows, '3', undefined, undefined), 1],
    ['a commit of this process that changes no state', (rows) => commit(rows, '1', '1', '1'), 2],
  ])('after %s', (_what, happen, times) => {
    expect(readsAgainAfter(happen)).toBe(times);
  });

  test('a commit of another is seen at once, also within one turn of the event loop', () => {
    const rows = rowsOfState();
    keeping(rows, 'a');
    reading(rows, 'a');
    state = '2';
    reading(rows, 'a');
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('once a commit of this process has changed no state, rows are not trusted again', () => {
    const rows = rowsOfState();
    commit(rows, '1', '1', '1');
    commit(rows, '2', '1', '2');
    keeping(rows, 'b');
    reading(rows, 'b');
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('a batch in which everything was in conflict changes no state, and nothing is wrong', () => {
    const rows = rowsOfState();
    keeping(rows, 'b');
    begin(rows, [update]);
    end(rows, [update], { results: ['conflict'], positions: new Map(), states: { before: '1', after: '1' } });
    reading(rows, 'b');
    expect(read).not.toHaveBeenCalled();
  });

  test('what is read often stays, the rest makes room', () => {
    const rows = rowsOfState();
    keeping(rows, 'often');
    for (let number = 0; number < 1_000; number++) {
      reading(rows, 'often');
      reading(rows, `twice-${number}`);
      reading(rows, `twice-${number}`);
    }
    expect(read.mock.calls.filter(([uid]) => uid === 'often')).toHaveLength(0);
    read.mockClear();
    reading(rows, 'twice-0');
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('a row larger than the limit is not kept', () => {
    read.mockImplementation((uid) => row(uid, 200_000));
    const rows = rowsOfState();
    reading(rows, 'a');
    reading(rows, 'a');
    expect(read).toHaveBeenCalledTimes(2);
  });
});

describe('a store on a file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svcgen-hot-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  test.each([true, false])(
    'a row shows what this process and others have written since (thread: %s)',
    async (thread) => {
      const url = `sqlite:${folder}/hot.db`;
      const options = { writerThread: thread };
      const [store, other] = [await openStore(url, options), await openStore(url, options)];
      await store.write(creation(UID));
      const get = async (): Promise<StoredResource> => (await store.get(KIND, UID))!;
      for (const writing of [store, other, store, other, other]) {
        const before = await get();
        expect(await writing.write(updateOf(before))).toBe('done');
        expect((await get()).revision).toBe(before.revision + 1);
      }
      expect(await other.write(deletionOf(await get()))).toBe('done');
      expect(await store.get(KIND, UID)).toBeUndefined();
      await Promise.all([store.close(), other.close()]);
    },
  );

  test('with others that write at any time, a row that is read is the one that is stored', async () => {
    const path = join(folder, 'any-time.db');
    const store = await openStore(`sqlite:${path}`, { writerThread: true });
    const other = connect(path);
    const uids = ['a', 'b', 'c'];
    await Promise.all(uids.map((uid) => store.write(creation(uid))));
    const foreign = other.prepare('UPDATE resources SET revision = revision + 1 WHERE uid = ?');
    const stored = other.prepare<{ revision: number }>('SELECT revision FROM resources WHERE uid = ?');
    const compare = async (): Promise<void> => {
      const least = uids.map((uid) => stored.get(uid)!.revision);
      const found = await Promise.all(uids.map((uid) => store.get(KIND, uid)));
      // The thread may commit in between.
      found.forEach((row, index) => expect(row!.revision).toBeGreaterThanOrEqual(least[index]));
    };
    const steps = fc.array(
      fc.record({
        by: fc.constantFrom('store', 'other', 'log'),
        uid: fc.constantFrom(...uids),
        wait: fc.boolean(),
      }),
      { minLength: 5, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const writes: Promise<unknown>[] = [];
        for (const { by, uid, wait } of sequence) {
          if (by === 'store') writes.push(store.write(updateOf((await store.get(KIND, uid))!)));
          else if (by === 'other') unlessLocked(() => foreign.run(uid));
          else unlessLocked(() => other.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
          if (wait) await Promise.all(writes.splice(0));
          await compare();
        }
        await Promise.all(writes);
        await compare();
        const rows = await Promise.all(uids.map((uid) => store.get(KIND, uid)));
        expect(rows.map((row) => row!.revision)).toEqual(uids.map((uid) => stored.get(uid)!.revision));
      }),
      { numRuns: 60 },
    );
    other.close();
    await store.close();
  });
});

/** The thread of the store may hold the lock; then nothing happens. */
function unlessLocked(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!String(error).includes('locked')) throw error;
  }
}

test('a state that cannot be read is not known', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-hot-'));
  // To read a folder is an error of the file system.
  const file = openSync(folder, 'r');
  expect(walState(file)).toBeUndefined();
  closeSync(file);
  rmSync(folder, { recursive: true });
});

describe('the states around a batch', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-hot-'));
  const path = join(folder, 'states.db');
  const judgement: Command = { action: 'judge', write: creation('never') };
  const inConflict = deletionOf(row('never'));
  let other: Connection;
  let writer: BatchWriter;
  /** Called right after the end of the next transaction, before this process can look. */
  let behind: (() => void) | undefined;

  beforeAll(async () => {
    await (await openStore(`sqlite:${path}`)).close();
    const connection = connect(path);
    makeDurable(connection, path);
    other = connect(path);
    other.prepare('SELECT count(*) FROM kinds').get();
    writer = new BatchWriter(
      {
        prepare: (sql) => connection.prepare(sql),
        close: () => connection.close(),
        exec(sql) {
          connection.exec(sql);
          if (sql !== 'COMMIT' && sql !== 'ROLLBACK') return;
          behind?.();
          behind = undefined;
        },
      },
      { files: new OpenFiles(noteOpened(path)) },
    );
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const foreign = (): void => other.exec('UPDATE probe SET written = written + 1');

  const probe: Command = {
    action: 'run',
    statements: [{ sql: 'UPDATE probe SET written = written + 1', parameters: [] }],
  };

  test.each<[string, Command, (() => void) | undefined, string]>([
    ['a write', creation(UID), undefined, 'changed'],
    ['a write in conflict', inConflict, undefined, 'same'],
    ['a dry run', judgement, undefined, 'same'],
    ['a commit of another behind a write', probe, foreign, 'unknown'],
    ['a commit of another behind a write in conflict', inConflict, foreign, 'unknown'],
    ['a commit of another behind a dry run', judgement, foreign, 'unknown'],
    ['another write', probe, undefined, 'changed'],
  ])('%s', (_what, command, happens, expected) => {
    behind = happens;
    expect(statesAround(command)).toBe(expected);
  });

  test('a write with which the log begins anew', () => {
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(statesAround(probe)).toBe('changed');
  });

  function statesAround(command: Command): string {
    const { before, after } = writer.applyBatch([command]).states!;
    return before === undefined ? 'unknown' : before === after ? 'same' : 'changed';
  }
});
