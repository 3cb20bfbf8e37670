import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { positionAt, revisionAt } from '../../../templates/runtime/kubernetes/objects/revision';
import { isPosition, OLDEST, PositionGone } from '../../../templates/runtime/store/events/event-log';
import { connect } from '../../../templates/runtime/store/sqlite/connection/driver';
import type { Store } from '../../../templates/runtime/store/store';
import { openStore } from '../store/open-store';
import { creationWithEvent } from '../store/store-writes';

// The event log of a SQLite file that is replaced by a backup of it: what was read after the backup is never skipped.

const ALL = { events: 1_000, bytes: 1e9 };

let folder: string;
let path: string;
let store: Store;

const open = async (): Promise<void> => void (store = await openStore(`sqlite:${path}`));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen-restored-'));
  path = join(folder, 'service.db');
  await open();
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function write(...names: string[]): Promise<void> {
  for (const name of names) await store.write(creationWithEvent(name));
}

const texts = async (after: string): Promise<string[]> =>
  (await store.events!.read(after, ALL)).map(({ text }) => text);

function backUp(name = 'backup.db'): string {
  const backup = join(folder, name);
  const connection = connect(path);
  connection.exec(`VACUUM INTO '${backup}'`);
  connection.close();
  return backup;
}

/** Puts a backup in the place of the database. */
async function restore(backup: string): Promise<void> {
  await store.close();
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
  renameSync(backup, path);
  await open();
}

test('a position that a restore undid is gone for ever, and those before it go on', async () => {
  await write('a', 'b', 'c');
  const backup = backUp();
  await write('lost 1', 'lost 2');
  const undone = await store.events!.newest();
  await restore(backup);
  expect(await store.events!.newest()).toBe('3');
  await expect(async () => texts(undone)).rejects.toThrow(PositionGone);
  await write('d', 'e', 'f');
  await expect(async () => texts(undone)).rejects.toThrow(PositionGone);
  expect(await texts('3')).toEqual(['d', 'e', 'f']);
  expect(await texts('2')).toEqual(['c', 'd', 'e', 'f']);
  expect(await texts(OLDEST)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('a backup from before the first event undoes all of them', async () => {
  const backup = backUp();
  await write('lost 1', 'lost 2');
  const undone = await store.events!.newest();
  await restore(backup);
  await write('a', 'b', 'c');
  await expect(async () => texts(undone)).rejects.toThrow(PositionGone);
  expect(await texts(OLDEST)).toEqual(['a', 'b', 'c']);
});

test('a position after a restore is one that clients may send, of the stream as of a watch', async () => {
  await write('a');
  await restore(backUp());
  await write('b');
  const position = await store.events!.newest();
  expect(isPosition(position)).toBe(true);
  expect(positionAt(revisionAt(position))).toBe(position);
  expect(await texts(position)).toEqual([]);
});

test('the same backup may be restored again, and a backup that was made after a restore', async () => {
  await write('a');
  const [first, second] = [backUp('first.db'), backUp('second.db')];
  await write('lost 1', 'lost 2');
  await restore(first);
  await write('b');
  const third = backUp('third.db');
  await write('lost 3');
  const undone = ['3', await store.events!.newest()];
  await restore(third);
  await write('c', 'd');
  for (const position of undone) await expect(async () => texts(position)).rejects.toThrow(PositionGone);
  expect(await texts('1')).toEqual(['b', 'c', 'd']);
  undone.push(await store.events!.newest());
  await restore(second);
  await write('e', 'f', 'g');
  for (const position of undone) await expect(async () => texts(position)).rejects.toThrow(PositionGone);
  expect(await texts('1')).toEqual(['e', 'f', 'g']);
});

test('positions go on after a restart', async () => {
  await write('a');
  await store.close();
  await open();
  await write('b');
  expect(await store.events!.newest()).toBe('2');
});

test('as many events are retained as without a restore', async () => {
  await write('a', 'b', 'c', 'd');
  await restore(backUp());
  await restore(backUp());
  const retain = async (events: number): Promise<string[]> => {
    while (await store.events!.prune({ events, days: 7 }, 1));
    return texts(OLDEST);
  };
  expect(await retain(3)).toEqual(['b', 'c', 'd']);
  await write('e');
  expect(await retain(3)).toEqual(['c', 'd', 'e']);
  await write('f', 'g', 'h');
  expect(await retain(3)).toEqual(['f', 'g', 'h']);
});
