import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { HotRows } from '../../templates/runtime/store/hot-rows';
import { openStore } from '../../templates/runtime/store/open-store';
import { connect } from '../../templates/runtime/store/sqlite-driver';
import type { StoredResource } from '../../templates/runtime/store/store';
import { creation, deletionOf, KIND, OTHER_KIND, updateOf } from './store-writes';

const UID = 'dev-0000000000000001';

function row(uid: string, length = 0): StoredResource {
  return { id: 1, uid, revision: 1, version: 'v1', text: 'x'.repeat(length), etag: '""', kept: null };
}

describe('HotRows', () => {
  const connection = connect(':memory:');
  const read = jest.fn<StoredResource | undefined, [string]>();
  const reading = (rows: HotRows, uid: string, kind = KIND): StoredResource | undefined =>
    rows.get(kind, uid, () => read(uid));

  beforeEach(() => read.mockReset().mockImplementation((uid) => row(uid)));
  afterAll(() => connection.close());

  test('what was read is not read again', () => {
    const rows = new HotRows(connection, 100_000);
    expect(reading(rows, 'a')).toBe(reading(rows, 'a'));
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('what is missing is looked for every time', () => {
    read.mockReturnValue(undefined);
    const rows = new HotRows(connection, 100_000);
    expect([reading(rows, 'a'), reading(rows, 'a')]).toEqual([undefined, undefined]);
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('a row is known under its own kind alone', () => {
    const rows = new HotRows(connection, 100_000);
    reading(rows, 'a');
    reading(rows, 'a', OTHER_KIND);
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('what is forgotten is read again', () => {
    const rows = new HotRows(connection, 100_000);
    reading(rows, 'a');
    rows.forget('a');
    reading(rows, 'a');
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('what is read often stays, the rest makes room', () => {
    const rows = new HotRows(connection, 100_000);
    for (let number = 0; number < 1_000; number++) {
      reading(rows, 'often');
      reading(rows, `once-${number}`);
    }
    expect(read.mock.calls.filter(([uid]) => uid === 'often')).toHaveLength(1);
    reading(rows, 'once-0');
    expect(read.mock.calls.filter(([uid]) => uid === 'once-0')).toHaveLength(2);
  });

  test('a row larger than the limit is not kept', () => {
    read.mockImplementation((uid) => row(uid, 200_000));
    const rows = new HotRows(connection, 100_000);
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
        await setImmediate();
        expect((await get()).revision).toBe(before.revision + 1);
      }
      expect(await other.write(deletionOf(await get()))).toBe('done');
      await setImmediate();
      expect(await store.get(KIND, UID)).toBeUndefined();
      await Promise.all([store.close(), other.close()]);
    },
  );
});
