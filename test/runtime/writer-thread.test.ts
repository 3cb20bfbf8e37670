import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../templates/runtime/store/open-store';
import { StoreBusy } from '../../templates/runtime/store/retry-busy';
import { connect } from '../../templates/runtime/store/sqlite-driver';
import { StoreUnavailable } from '../../templates/runtime/store/store';
import { errorOf, messageOf } from '../../templates/runtime/store/thread-message';
import { WriterThread } from '../../templates/runtime/store/writer-thread';
import { creation, KIND } from './store-writes';

const folder = mkdtempSync(join(tmpdir(), 'svcgen-thread-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['busy', new StoreBusy('locked')],
  ['unavailable', new StoreUnavailable('the disk is full')],
  ['unavailable, with an unknown outcome', new StoreUnavailable('lost', true)],
  ['a defect', new TypeError('x is not a function')],
])('an error is the same on the other side: %s', (_, error) => {
  const received = errorOf(structuredClone(messageOf(error)));
  expect([received.message, received.stack]).toEqual([error.message, error.stack]);
  expect(received instanceof StoreBusy).toBe(error instanceof StoreBusy);
  expect(received instanceof StoreUnavailable).toBe(error instanceof StoreUnavailable);
  expect(Object(received).outcomeUnknown).toBe(Object(error).outcomeUnknown);
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

test('a thread that cannot run refuses every batch', async () => {
  const thread = new WriterThread({ path: join(folder, 'missing', 'file.db'), walIndex: 0 });
  await expect(thread.applyBatch([creation('a')])).rejects.toBeInstanceOf(StoreUnavailable);
  await expect(thread.applyBatch([creation('a')])).rejects.toMatchObject({ outcomeUnknown: false });
  await thread.close();
});
