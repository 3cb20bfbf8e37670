import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventTail } from '../../../templates/runtime/events/log/event-tail';
import { MemoryBudget } from '../../../templates/runtime/memory/memory-budget';
import {
  FIRST,
  type Hold,
  isPosition,
  OLDEST,
  PositionGone,
} from '../../../templates/runtime/store/events/event-log';
import { connect } from '../../../templates/runtime/store/sqlite/connection/driver';
import { type Store, StoreUnavailable } from '../../../templates/runtime/store/store';
import { openStore } from '../store/open-store';
import { creation, KIND } from '../store/store-writes';

const ALL = { events: 1_000, bytes: 1e9 };
const KEEP = { events: 1_000, days: 7 };

let folder: string;
let path: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen-events-'));
  path = join(folder, 'service.db');
  store = await openStore(`sqlite:${path}`);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Creates resources, each with an event whose text is its name. */
async function write(...names: string[]): Promise<void> {
  await Promise.all(
    names.map((name) =>
      store.write(
        creation(name, {
          event: {
            id: `e-${name}`,
            type: 'io.svc.device.created',
            text: name,
            kept: name === 'a' ? '{}' : null,
          },
        }),
      ),
    ),
  );
}

const texts = async (after = OLDEST, limit = ALL): Promise<string[]> =>
  (await store.events!.read(after, limit)).map(({ text }) => text);

const hold = (owner: string, leaseMs = 60_000): Hold => ({ consumer: 'sink', owner, leaseMs });

test('events are read in the order of their writes, from any position', async () => {
  expect(await store.events!.newest()).toBe(FIRST);
  await write('a', 'b');
  await write('c');
  const events = await store.events!.read(OLDEST, ALL);
  expect(events.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  expect(events[0]).toEqual({
    position: '1',
    type: 'io.svc.device.created',
    kind: KIND,
    uid: 'a',
    writtenAt: expect.any(Number),
    text: 'a',
    kept: '{}',
  });
  expect(await texts(events[0].position)).toEqual(['b', 'c']);
  expect(await store.events!.newest()).toBe(events[2].position);
  expect(await texts(events[2].position)).toEqual([]);
});

test('a read is bounded by events and by bytes, and brings one event at least', async () => {
  await write('aaaa', 'bbbb', 'cccc');
  expect(await texts(OLDEST, { events: 2, bytes: 1e9 })).toEqual(['aaaa', 'bbbb']);
  expect(await texts(OLDEST, { events: 10, bytes: 8 })).toEqual(['aaaa', 'bbbb']);
  expect(await texts(OLDEST, { events: 10, bytes: 1 })).toEqual(['aaaa']);
});

test.each([
  ['0', true],
  ['17', true],
  ['17-3', true],
  ['00', true],
  ['01', false],
  ['000', false],
  ['017-3', false],
  ['17-03', false],
  ['1-', false],
  ['1-x', false],
  [`1-${'9'.repeat(30)}`, false],
  ['-1', false],
  ['1.5', false],
  ['x', false],
  ['', false],
  ['9'.repeat(30), false],
])('%j is a position: %p', (text, want) => {
  expect(isPosition(text)).toBe(want);
});

test('a write in conflict leaves no event', async () => {
  await write('a');
  await write('a', 'b');
  expect(await texts()).toEqual(['a', 'b']);
});

test('of more events than are kept the oldest go, in bites; their positions are gone', async () => {
  await write(...Array.from({ length: 10 }, (_, index) => String(index)));
  expect(await store.events!.prune({ ...KEEP, events: 4 }, 5)).toBe(true);
  expect(await texts()).toEqual(['5', '6', '7', '8', '9']);
  expect(await store.events!.prune({ ...KEEP, events: 4 }, 5)).toBe(false);
  expect(await store.events!.prune({ ...KEEP, events: 4 }, 5)).toBe(false);
  expect(await texts()).toEqual(['6', '7', '8', '9']);
  expect(await texts('6')).toEqual(['6', '7', '8', '9']);
  await expect(async () => texts('5')).rejects.toThrow(PositionGone);
});

test('a position stays valid when all events are gone, and new ones follow it', async () => {
  await write('a', 'b');
  const newest = await store.events!.newest();
  await store.events!.prune({ ...KEEP, events: 0 }, 10);
  expect(await texts()).toEqual([]);
  expect(await store.events!.newest()).toBe(newest);
  await store.close();
  store = await openStore(`sqlite:${path}`);
  await write('c');
  expect(await texts(newest)).toEqual(['c']);
  await expect(async () => texts('1')).rejects.toThrow(PositionGone);
});

test('the position before the first event is gone with that event', async () => {
  const first = await store.events!.newest();
  expect(isPosition(first)).toBe(true);
  await write('a', 'b');
  expect(await texts(first)).toEqual(['a', 'b']);
  await store.events!.prune({ ...KEEP, events: 1 }, 10);
  await expect(async () => texts(first)).rejects.toThrow(PositionGone);
});

test('a position beyond the newest is not of this log', async () => {
  await write('a');
  await expect(async () => texts('2')).rejects.toThrow(PositionGone);
});

test('events that are too old go', async () => {
  await write('a', 'b');
  age(2);
  await write('c');
  await store.events!.prune({ ...KEEP, days: 1 }, 10);
  expect(await texts()).toEqual(['c']);
});

test('events that a consumer has not had are spared until they are too old', async () => {
  await write('a', 'b', 'c');
  await store.events!.claim(hold('one'), 'oldest');
  await store.events!.advance(hold('one'), '1');
  await store.events!.prune({ ...KEEP, events: 0 }, 10);
  expect(await texts()).toEqual(['b', 'c']);
  age(8);
  await store.events!.prune({ ...KEEP, events: 0 }, 10);
  expect(await texts()).toEqual([]);
});

function age(days: number): void {
  const connection = connect(path);
  connection.exec(`UPDATE events SET written_at = written_at - ${days * 86_400}`);
  connection.close();
}

test('watchers are told of commits in this process and in others', async () => {
  const other = await openStore(`sqlite:${path}`);
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = store.events!.watch(() => {
        stop();
        resolve();
      }, 5);
    });
  const own = next();
  await write('a');
  await own;
  const foreign = next();
  await other.write(creation('b', { event: { id: 'e', type: 't', text: 'b', kept: null } }));
  await foreign;
  expect(await texts()).toEqual(['a', 'b']);
  await other.close();
});

test('a new consumer starts now or at the oldest event, and is found where it was left', async () => {
  await write('a', 'b');
  expect(await store.events!.claim(hold('one'), 'now')).toBe('2');
  expect(await store.events!.claim({ ...hold('one'), consumer: 'all' }, 'oldest')).toBe('0');
  expect(await store.events!.advance(hold('one'), '1')).toBe(true);
  await store.close();
  store = await openStore(`sqlite:${path}`);
  expect(await store.events!.claim(hold('one'), 'now')).toBe('1');
});

test('one owner at a time holds a consumer', async () => {
  expect(await store.events!.claim(hold('one'), 'now')).toBe('0');
  expect(await store.events!.claim(hold('two'), 'now')).toBeUndefined();
  expect(await store.events!.advance(hold('two'), '1')).toBe(false);
  await store.events!.release(hold('one'));
  expect(await store.events!.claim(hold('two'), 'now')).toBe('0');
  expect(await store.events!.advance(hold('one'), '1')).toBe(false);
});

test('a hold that has run out can be taken', async () => {
  await store.events!.claim(hold('one', -1), 'now');
  expect(await store.events!.claim(hold('two'), 'now')).toBe('0');
});

test('a hold from before the clock was set back can be taken', async () => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  await store.events!.claim(hold('one'), 'now');
  clock.mockRestore();
  expect(await store.events!.claim(hold('two'), 'now')).toBe('0');
  expect(await store.events!.claim(hold('three'), 'now')).toBeUndefined();
});

test('a dead letter is kept once for each consumer; the newest stay', async () => {
  const letter = {
    consumer: 'sink',
    position: '1',
    attempts: 3,
    error: 'HTTP 500',
    kind: KIND,
    text: '{}',
    kept: '{"v2":{}}',
  };
  await store.events!.bury(letter, 2);
  await store.events!.bury(letter, 2);
  expect(await store.events!.deadLetters(0, 10)).toEqual([
    { id: 1, ...letter, failedAt: expect.any(Number) },
  ]);
  await store.events!.bury({ ...letter, consumer: 'other' }, 2);
  await store.events!.bury({ ...letter, position: '2' }, 2);
  const letters = await store.events!.deadLetters(0, 10);
  expect(letters.map(({ consumer, position }) => [consumer, position])).toEqual([
    ['other', '1'],
    ['sink', '2'],
  ]);
  expect(await store.events!.deadLetters(letters[0].id, 10)).toHaveLength(1);
  await store.events!.unbury(letters[0].id);
  await store.events!.unbury(letters[0].id);
  expect(await store.events!.deadLetters(0, 10)).toEqual([letters[1]]);
});

test('a dead letter stays while no more than those to keep are stored, however many were removed since', async () => {
  const letter = { consumer: 'sink', attempts: 3, error: 'HTTP 500', kind: KIND, text: '{}', kept: null };
  for (let position = 1; position <= 4; position++) {
    await store.events!.bury({ ...letter, position: String(position) }, 2);
    if (position > 1) await store.events!.unbury(position);
  }
  expect((await store.events!.deadLetters(0, 10)).map(({ position }) => position)).toEqual(['1']);
});

test('a closed store has no events to read', async () => {
  await store.close();
  expect(() => store.events!.read(OLDEST, ALL)).toThrow(StoreUnavailable);
  await expect(store.events!.claim(hold('one'), 'now')).rejects.toThrow(StoreUnavailable);
});

test('the memory of events that streams share has their texts, and each form that is made of them once', async () => {
  await write('a', 'b');
  const budget = new MemoryBudget({ bytes: 1_000_000, waitMs: 1_000, queue: 1 });
  const tail = new EventTail(store.events!, 1_000, budget);
  const { events, memory } = await tail.read(OLDEST);
  tail.close();
  const make = (): void =>
    events.forEach((event) => {
      event.once('in v2', () => 'four');
      event.bytes('in bytes', () => 'é');
    });
  const steps: [step: () => unknown, used: number][] = [
    [() => memory.use(), 'ab{}'.length],
    [make, 'ab{}'.length + 2 * (4 + 2)],
    [make, 'ab{}'.length + 2 * (4 + 2)],
    [() => memory.leave(), 0],
    [() => memory.use(), 'ab{}'.length + 2 * (4 + 2)],
    [() => memory.leave(), 0],
  ];
  for (const [step, used] of steps) {
    step();
    expect(budget.used('response')).toBe(used);
  }
});

test.each([
  ['texts of one byte per character', 'a', 1_300],
  ['texts of three bytes per character', '漢', 1_300],
  ['many small texts', 'b', 1],
])('a reader reads on at once where the store has more events: %s', async (_, character, length) => {
  const names = Array.from({ length: 300 }, (_, n) => `${character.repeat(length)}${n}`);
  await write(...names);
  const budget = new MemoryBudget({ bytes: 100_000_000, waitMs: 1_000, queue: 1 });
  const tail = new EventTail(store.events!, 1_000, budget);
  const found: string[] = [];
  let [end, more] = [OLDEST, true];
  while (more) {
    const batch = await tail.read(end);
    found.push(...batch.events.map(({ text }) => text));
    ({ end, more } = batch);
  }
  tail.close();
  expect(found).toEqual(names);
});
