import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Command } from '../../../templates/runtime/store/command';
import { type CommitLimits, GroupCommit } from '../../../templates/runtime/store/group-commit';
import { StoreBusy } from '../../../templates/runtime/store/retry-busy';
import { StoreUnavailable, type WriteResult } from '../../../templates/runtime/store/store';
import { creation } from './store-writes';

const LIMITS: CommitLimits = {
  busyTimeoutMs: 200,
  batchWrites: 10,
  batchBytes: 100_000,
  gatherMs: 0,
  queueWrites: 50,
  queueBytes: 1e6,
};

const uidOf = (command: Command): string => ('uid' in command ? command.uid : command.action);

/** A group commit that notes its batches, and the results of `apply`. */
function record(
  apply: (batch: string[]) => WriteResult[] | Promise<WriteResult[]>,
  limits: Partial<CommitLimits> = {},
) {
  const batches: string[][] = [];
  const commits = new GroupCommit(
    (batch) => {
      batches.push(batch.map(uidOf));
      return apply(batch.map(uidOf));
    },
    { ...LIMITS, ...limits },
  );
  return { commits, batches, submit: (uid: string, text = '{}') => commits.submit(creation(uid, { text })) };
}

const allDone = (batch: string[]): WriteResult[] => batch.map(() => 'done');

test('writes of one turn of the event loop share a commit', async () => {
  const { submit, batches } = record(allDone);
  await Promise.all(['a', 'b', 'c'].map((uid) => submit(uid)));
  await submit('d');
  expect(batches).toEqual([['a', 'b', 'c'], ['d']]);
});

test('writes that arrive while a commit runs share the next one', async () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const { submit, batches } = record(async (batch) => {
    if (batch[0] === 'a') await ended;
    return allDone(batch);
  });
  const first = submit('a');
  while (batches.length === 0) await setImmediate();
  const later = [submit('b')];
  await setImmediate();
  later.push(submit('c'));
  end();
  await Promise.all([first, ...later]);
  expect(batches).toEqual([['a'], ['b', 'c']]);
});

describe('clients that write one thing after the other', () => {
  let now: number;

  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => jest.restoreAllMocks());

  /** Two clients are answered by a commit that takes 100 ms; one writes again at once, the other some turns later. */
  async function twoClients(gatherMs: number, meanwhile: () => void = () => undefined): Promise<string[][]> {
    const { submit, batches } = record(
      (batch) => {
        now += 100;
        return allDone(batch);
      },
      { gatherMs },
    );
    const other = submit('b').then(async () => {
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      meanwhile();
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      await submit('d');
    });
    await submit('a');
    await submit('c');
    await other;
    return batches;
  }

  test('share commits: the next one is joined by those whom the last one answered', async () => {
    expect(await twoClients(5)).toEqual([
      ['b', 'a'],
      ['c', 'd'],
    ]);
  });

  test.each([
    ['for so long', 5, 6],
    ['for a part of the time that the last one took', 1_000, 21],
  ])('are waited for %s', async (_, gatherMs, ms) => {
    expect(await twoClients(gatherMs, () => void (now += ms))).toEqual([['b', 'a'], ['c'], ['d']]);
  });

  test('are not waited for when the store closes', async () => {
    const { commits, submit } = record(
      (batch) => {
        now += 100;
        return allDone(batch);
      },
      { gatherMs: 5 },
    );
    await Promise.all([submit('a'), submit('b')]);
    const last = submit('c');
    await commits.close();
    expect(await last).toBe('done');
  });
});

test('each write gets its own result', async () => {
  const { submit } = record((batch) => batch.map((uid) => (uid === 'b' ? 'conflict' : 'done')));
  expect(await Promise.all(['a', 'b', 'c'].map((uid) => submit(uid)))).toEqual(['done', 'conflict', 'done']);
});

test.each([
  ['writes', Array.from({ length: 25 }, () => '{}'), [10, 10, 5]],
  ['bytes', ['x'.repeat(60_000), 'x'.repeat(30_000), 'x'.repeat(60_000)], [2, 1]],
  ['bytes, where one has more', ['{}', 'x'.repeat(200_000), '{}'], [1, 1, 1]],
])('a commit has a limited number of %s', async (_, texts, sizes) => {
  const { submit, batches } = record(allDone);
  await Promise.all(texts.map((text, index) => submit(String(index), text)));
  expect(batches.map(({ length }) => length)).toEqual(sizes);
});

test('a commit that fails fails all its writes, and no others', async () => {
  let broken = true;
  const { submit, batches } = record((batch) => {
    if (broken) throw new StoreUnavailable('the disk is full');
    return allDone(batch);
  });
  const results = await Promise.allSettled([submit('a'), submit('b')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  broken = false;
  expect(await submit('c')).toBe('done');
  expect(batches).toEqual([['a', 'b'], ['c']]);
});

test('what fails after a commit fails no write, and nothing is written twice', async () => {
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  const onCommit = (): void => {
    throw new TypeError('no metrics');
  };
  const { submit, batches } = record(allDone, { onCommit });
  expect(await Promise.all([submit('a'), submit('b')])).toEqual(['done', 'done']);
  expect(await submit('c')).toBe('done');
  expect(batches).toEqual([['a', 'b'], ['c']]);
  expect(warn.mock.calls.map(([warning]) => String(warning))).toEqual(Array(2).fill('TypeError: no metrics'));
  warn.mockRestore();
});

test('what is only judged counts as no write, and alone as no commit', async () => {
  const counts: number[] = [];
  const { commits, submit } = record(allDone, { onCommit: (writes) => void counts.push(writes) });
  const judge = () => commits.submit({ action: 'judge', write: creation('a') });
  expect(await Promise.all([judge(), judge()])).toEqual(['done', 'done']);
  expect(await Promise.all([submit('b'), judge()])).toEqual(['done', 'done']);
  await setTimeout(1);
  expect(counts).toEqual([1]);
});

test('what is refused counts as no write, and alone as no commit', async () => {
  const counts: number[] = [];
  const onCommit = (writes: number): void => void counts.push(writes);
  const { submit } = record((batch) => batch.map((uid) => (uid === 'a' ? 'done' : 'conflict')), { onCommit });
  expect(await submit('b')).toBe('conflict');
  expect(await Promise.all(['a', 'b'].map((uid) => submit(uid)))).toEqual(['done', 'conflict']);
  await setTimeout(1);
  expect(counts).toEqual([1]);
});

test('a write that is a defect is left out', async () => {
  const { submit, batches } = record((batch) => {
    if (batch.includes('bad')) throw new TypeError('cannot bind');
    return allDone(batch);
  });
  const results = await Promise.allSettled(['a', 'bad', 'b'].map((uid) => submit(uid)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(batches).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
});

test('a lock is waited for, as long as each write may wait', async () => {
  let locked = true;
  const isFree = (batch: string[]): WriteResult[] => {
    if (locked) throw new StoreBusy('locked');
    return allDone(batch);
  };
  await expect(record(isFree).submit('a')).rejects.toBeInstanceOf(StoreBusy);
  const { submit, batches } = record(isFree, { busyTimeoutMs: 3_600_000 });
  const waiting = submit('b');
  while (batches.length < 4) await setTimeout(1);
  locked = false;
  expect(await waiting).toBe('done');
});

test('the time that a client has waited counts; what came later waits on', async () => {
  let locked = true;
  const HOUR = 3_600_000;
  const { commits, submit } = record(
    (batch) => {
      if (locked) throw new StoreBusy('locked');
      return allDone(batch);
    },
    { busyTimeoutMs: HOUR },
  );
  const old = commits.submit(creation('old'), performance.now() - 2 * HOUR);
  const young = submit('young');
  await expect(old).rejects.toBeInstanceOf(StoreBusy);
  locked = false;
  expect(await young).toBe('done');
});

test.each([
  ['writes', { queueWrites: 3 }, '{}'],
  ['bytes', { queueBytes: 4000 }, 'x'.repeat(1000)],
])('a limited number of %s waits', async (_, limits, text) => {
  const { submit, batches } = record(allDone, limits);
  const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((uid) => submit(uid, text)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(results[3]).toMatchObject({ reason: expect.any(StoreUnavailable) });
  expect(await submit('e', text)).toBe('done');
  expect(batches).toEqual([['a', 'b', 'c'], ['e']]);
});

test('closing finishes what waits and refuses the rest', async () => {
  const { commits, submit } = record(allDone);
  const waiting = Promise.all(Array.from({ length: 30 }, (_, index) => submit(String(index))));
  await commits.close();
  expect(await waiting).toHaveLength(30);
  await expect(submit('late')).rejects.toThrow('closed');
});
