import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import fc from 'fast-check';
import { SharedMemory } from '../../../templates/runtime/events/log/event-memory';
import { MemoryBudget } from '../../../templates/runtime/memory/memory-budget';
import { type Client, MemoryLane, type Reservation } from '../../../templates/runtime/memory/memory-lane';
import { HttpProblem } from '../../../templates/runtime/model/problem';

class TestClient extends EventEmitter implements Client {
  destroyed = false;
  headersSent = false;

  close(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const LONG = { bytes: 100, waitMs: 600_000, queue: 10 };

/** The status of a refusal, or undefined for a reservation. */
async function refusal(reserved: () => Reservation | Promise<Reservation>): Promise<number | undefined> {
  try {
    await reserved();
    return undefined;
  } catch (error) {
    return (error as HttpProblem).status;
  }
}

test('requests wait for room, in the order of their arrival', async () => {
  const lane = new MemoryLane(LONG);
  const client = new TestClient();
  const first = await lane.reserve(60, client);
  const order: string[] = [];
  const second = Promise.resolve(lane.reserve(50, client)).then((it) => (order.push('second'), it));
  const third = Promise.resolve(lane.reserve(10, client)).then((it) => (order.push('third'), it));
  expect(lane.tryReserve(1)).toBeUndefined();
  await setTimeout(20);
  expect(order).toEqual([]);
  first.release();
  first.release();
  (await second).release();
  (await third).release();
  expect(order).toEqual(['second', 'third']);
  expect([lane.used, client.listenerCount('close')]).toEqual([0, 0]);
});

test('one that needs more than there is gets it alone', async () => {
  const lane = new MemoryLane(LONG);
  const large = await lane.reserve(1_000, new TestClient());
  expect(lane.tryReserve(1)).toBeUndefined();
  large.resize(10);
  expect(lane.tryReserve(90)).toBeDefined();
});

test('who waits too long, finds too many or goes gets 503 with Retry-After, and holds nothing', async () => {
  const lane = new MemoryLane({ bytes: 100, waitMs: 50, queue: 1 });
  const held = await lane.reserve(100, new TestClient());
  const waiting = refusal(() => lane.reserve(1, new TestClient()));
  expect(await refusal(() => lane.reserve(1, new TestClient()))).toBe(503);
  expect(await waiting).toBe(503);
  const gone = new TestClient();
  const leaving = refusal(() => lane.reserve(1, gone));
  gone.close();
  expect(await leaving).toBe(503);
  expect(await refusal(() => lane.reserve(1, gone))).toBe(503);
  expect(lane.used).toBe(100);
  held.release();
  expect(lane.used).toBe(0);
});

test('while others need memory, the client that holds some for the longest is given up first', async () => {
  const lane = new MemoryLane({ bytes: 100, waitMs: 500, queue: 10 });
  const givenUp: string[] = [];
  const hold = (name: string): Reservation => {
    const held = lane.take(50);
    held.awaitClient(() => {
      givenUp.push(name);
      held.release();
    });
    return held;
  };
  const [first] = [hold('first'), hold('second')];
  hold('third').clientDone();
  // It is the youngest now.
  first.clientDone();
  first.awaitClient(() => {
    givenUp.push('first');
    first.release();
  });
  await lane.reserve(50, new TestClient());
  expect(givenUp).toEqual(['second', 'first']);
});

test('without need nobody is given up', async () => {
  const lane = new MemoryLane({ bytes: 100, waitMs: 10, queue: 10 });
  lane.take(50).awaitClient(() => {
    throw new Error('given up');
  });
  await setTimeout(50);
  expect(lane.used).toBe(50);
});

/** Room for one batch of events, and clients that are given up soon where it is needed. */
const LARGE = 500_000;
const USES = ['body', 'document', 'response', 'stored'] as const;
const budget = (): MemoryBudget => new MemoryBudget({ bytes: 4_000_000, waitMs: 5, queue: 10 });

/** The client of a response that has begun, for which a reservation waits without a limit of time. */
function admitted(): TestClient {
  return Object.assign(new TestClient(), { headersSent: true });
}

async function reserveLong(memory: MemoryBudget): Promise<Reservation> {
  return memory.reserve('response', LARGE, admitted());
}

describe('the memory of one use', () => {
  const SMALL = 262_144;

  /** Reserves until there is no room, and returns how often there was. */
  const times = (memory: MemoryBudget, bytes: number): number => {
    let count = 0;
    while (memory.tryReserve('body', bytes) !== undefined) count++;
    return count;
  };

  test.each([
    ['a quarter of it is for small reservations', SMALL / 2, 8],
    ['the limit of small ones is small', SMALL, 4],
    ['the rest is for large ones', SMALL + 1, 11],
  ])('%s', (_title, bytes, count) => {
    const memory = new MemoryBudget({ bytes: 4 * 4 * 4 * SMALL, waitMs: 0, queue: 0 });
    expect([memory.bytes, times(memory, bytes)]).toEqual([64 * SMALL, count]);
    expect(USES.map((use) => memory.used(use))).toEqual([count * bytes, 0, 0, 0]);
  });

  test('one that the process could never have is refused with 413', async () => {
    const most = getHeapStatistics().heap_size_limit;
    const memory = budget();
    expect(await refusal(() => memory.reserve('body', most + 1, new TestClient()))).toBe(413);
    // Memory that is in use already is counted, however much it is.
    memory.take('body', 2 * most);
    expect(memory.used('body')).toBe(2 * most);
  });

  test('who has to wait for it holds nothing meanwhile, and reads again', async () => {
    const memory = budget();
    const spent: string[] = [];
    const spend = (name: string, cost: number, action: () => unknown): Promise<unknown> =>
      memory.spend('body', admitted(), {
        read: () => spent.push(`${name} reads`),
        cost: () => cost,
        action: () => (spent.push(`${name} has ${memory.used('body')}`), action()),
      });
    let finish = (): void => undefined;
    const first = spend('first', 700_000, () => new Promise<void>((resolve) => (finish = resolve)));
    await setTimeout(1);
    const second = spend('second', 600_000, () => {
      throw new Error('second fails');
    });
    await setTimeout(5);
    expect(memory.used('body')).toBe(700_000);
    finish();
    await first;
    await expect(second).rejects.toThrow('second fails');
    expect(spent).toEqual([
      'first reads',
      'first has 700000',
      'second reads',
      'second reads',
      'second has 600000',
    ]);
    await expect(spend('third', 1, () => Promise.reject(new Error('third fails')))).rejects.toThrow('third');
    expect(memory.used('body')).toBe(0);
  });
});

test('memory that streams share is reserved once, while one of them uses it', () => {
  const memory = budget();
  const [one, other] = [new SharedMemory(memory, LARGE), new SharedMemory(memory, LARGE)];
  const steps: [step: () => unknown, result: unknown, used: number][] = [
    [() => one.use(), true, LARGE],
    [() => one.use(), true, LARGE],
    [() => other.use(), false, LARGE],
    [() => one.leave(), undefined, LARGE],
    [() => one.leave(), undefined, 0],
    [() => other.use(), true, LARGE],
    [() => one.use(), false, LARGE],
    [() => other.leave(), undefined, 0],
    [() => one.use(), true, LARGE],
    [() => one.leave(), undefined, 0],
  ];
  for (const [step, result, used] of steps) expect([step(), memory.used('response')]).toEqual([result, used]);
});

test('while others need shared memory, all that hold it up are given up, and only they', async () => {
  const memory = budget();
  const shared = new SharedMemory(memory, LARGE);
  const givenUp: string[] = [];
  const stall = (name: string): (() => void) => {
    shared.use();
    const end = shared.awaitClient(() => {
      givenUp.push(name);
      end();
      shared.leave();
    });
    return end;
  };
  stall('first');
  stall('second')();
  shared.leave();
  stall('third');
  (await reserveLong(memory)).release();
  expect([givenUp, memory.used('response')]).toEqual([['first', 'third'], 0]);

  stall('fourth')();
  const waiting = reserveLong(memory);
  await setTimeout(50);
  expect(givenUp).toEqual(['first', 'third']);
  shared.leave();
  (await waiting).release();
});

test('who has left shared memory holds up nobody who uses it later', async () => {
  const memory = budget();
  const shared = new SharedMemory(memory, LARGE);
  shared.use();
  // Its client is disconnected, and closes the connection later.
  shared.awaitClient(() => undefined);
  shared.leave();
  shared.use();
  shared.awaitClient(() => shared.leave());
  (await reserveLong(memory)).release();
  expect(memory.used('response')).toBe(0);
});

type Step =
  { do: 'reserve'; bytes: number } | { do: 'release' | 'close' | 'shrink' | 'stall'; which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('reserve' as const), bytes: fc.integer({ min: 0, max: 150 }) }),
  fc.record({
    do: fc.constantFrom('release', 'close', 'shrink', 'stall'),
    which: fc.nat(20),
  }),
);

test('whatever happens, nothing is left in the end, and nobody gets more than there is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const lane = new MemoryLane({ bytes: 100, waitMs: 5, queue: 3 });
      const clients: TestClient[] = [];
      const held: Reservation[] = [];
      const asked: Promise<unknown>[] = [];
      for (const each of steps) {
        if (each.do === 'reserve') {
          const client = new TestClient();
          const granted = (reservation: Reservation): void => {
            held.push(reservation);
            expect(lane.used <= 100 || lane.used === each.bytes).toBe(true);
          };
          const ask = async (): Promise<void> => granted(await lane.reserve(each.bytes, client));
          asked.push(
            ask().catch((error: unknown) => {
              if (!(error instanceof HttpProblem)) throw error;
            }),
          );
          clients.push(client);
        } else if (each.do === 'close') clients[each.which]?.close();
        else if (each.do === 'release') held[each.which]?.release();
        else if (each.do === 'shrink') held[each.which]?.resize(0);
        else {
          const stalled = held[each.which];
          stalled?.awaitClient(() => stalled.release());
        }
        await Promise.resolve();
      }
      const ending = setInterval(() => held.forEach((reservation) => reservation.release()), 1);
      await Promise.all(asked);
      clearInterval(ending);
      for (const reservation of held) reservation.release();
      expect(lane.used).toBe(0);
      expect(clients.map((client) => client.listenerCount('close'))).toEqual(clients.map(() => 0));
    }),
    { numRuns: 200 },
  );
});
