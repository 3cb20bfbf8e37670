import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import workerThreads = require('node:worker_threads');
import { StoreBusy } from '../../../../templates/runtime/store/retry-busy';
import { connect } from '../../../../templates/runtime/store/sqlite/connection/driver';
import {
  errorOf,
  messageOf,
  WriterThread,
} from '../../../../templates/runtime/store/sqlite/thread/writer-thread';
import { OtherDeclarations, type Store, StoreUnavailable } from '../../../../templates/runtime/store/store';
import { openStore } from '../open-store';
import { creation, KIND } from '../store-writes';

const ALL = { after: 0, limit: 100_000, selector: [] };

const folder = mkdtempSync(join(tmpdir(), 'svcgen-thread-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['busy', new StoreBusy('locked')],
  ['unavailable', new StoreUnavailable('the disk is full')],
  ['unavailable, with an unknown outcome', new StoreUnavailable('lost', true)],
  ['other declarations', new OtherDeclarations(['a/B', 'a/C'])],
  ['a defect', new TypeError('x is not a function')],
])('an error is the same on the other side: %s', (_, error) => {
  const received = errorOf(structuredClone(messageOf(error)));
  expect([received.message, received.stack]).toEqual([error.message, error.stack]);
  expect(received instanceof StoreBusy).toBe(error instanceof StoreBusy);
  expect(received instanceof StoreUnavailable).toBe(error instanceof StoreUnavailable);
  expect(Object(received).outcomeUnknown).toBe(Object(error).outcomeUnknown);
  expect(Object(received).kinds).toEqual(Object(error).kinds);
});

test('a lock that another process holds is waited for, and then is an error that says that nothing was written', async () => {
  const path = join(folder, 'locked.db');
  const store = await openStore(`sqlite:${path}`, { writerThread: true, busyTimeoutMs: 50 });
  const other = connect(path);
  other.exec('BEGIN IMMEDIATE');
  await expect(store.write(creation('a'))).rejects.toMatchObject({
    name: 'StoreBusy',
    outcomeUnknown: false,
  });
  other.exec('COMMIT');
  expect(await store.write(creation('a'))).toBe('done');
  expect((await store.get(KIND, 'a'))?.uid).toBe('a');
  other.close();
  await store.close();
});

/** Every thread that was started, in order. */
const threads: workerThreads.Worker[] = [];
const { Worker: Thread } = workerThreads;
jest.spyOn(workerThreads, 'Worker').mockImplementation((...parameters) => {
  const thread = new Thread(...parameters);
  threads.push(thread);
  return thread;
});

describe('a thread that has ended', () => {
  let path: string;
  let store: Store;
  let number = 0;

  beforeEach(async () => {
    path = join(folder, `ended-${(number += 1)}.db`);
    store = await openStore(`sqlite:${path}`, { writerThread: true });
    await store.write(creation('before'));
  });

  afterEach(() => store.close());

  test('is replaced for the next batch', async () => {
    await threads.at(-1)!.terminate();
    expect(await store.write(creation('after'))).toBe('done');
    expect((await store.list(KIND, ALL)).map(({ uid }) => uid)).toEqual(['before', 'after']);
  });

  test('is replaced by one that knows the declarations', async () => {
    const other = connect(path);
    other.prepare('INSERT INTO index_states VALUES (?, ?)').run(KIND, 'digest');
    for (let times = 0; times < 2; times++) {
      await expect(store.write(creation('after'))).rejects.toMatchObject({ kinds: [KIND] });
      await threads.at(-1)!.terminate();
    }
    other.exec('DELETE FROM index_states');
    other.close();
    expect(await store.write(creation('after'))).toBe('done');
  });

  test('before it answered leaves that batch open, and the next one is written', async () => {
    // It ends as it does when the store closes, and never gets to the batch.
    const thread = threads.at(-1)!;
    const post = thread.postMessage.bind(thread);
    jest.spyOn(thread, 'postMessage').mockImplementationOnce((batch) => {
      post(null);
      post(batch);
    });
    const refusal = await store.write(creation('open')).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StoreUnavailable);
    expect(refusal).toMatchObject({ outcomeUnknown: true });
    expect(await store.write(creation('after'))).toBe('done');
  });
});

test('a thread that cannot run refuses every batch, and says that nothing was written', async () => {
  const thread = new WriterThread({
    path: join(folder, 'missing', 'file.db'),
    opened: { files: [], walIndex: 0 },
    modules: [],
  });
  for (let times = 0; times < 2; times++) {
    const refusal = await thread.applyBatch([creation('a')]).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StoreUnavailable);
    expect(refusal).toMatchObject({ outcomeUnknown: false });
  }
  await thread.close();
});
