import { Client } from 'pg';
import { OLDEST, PositionGone, type Hold, type Position } from '../../templates/runtime/store/event-log';
import { openStore } from '../../templates/runtime/store/open-store';
import { StoreUnavailable, type Store } from '../../templates/runtime/store/store';
import { describeWithPostgres, postgresServer, type PostgresServer } from './postgres-server';
import { creation, KIND } from './store-writes';

const ALL = { events: 100_000, bytes: 1e9 };
const KEEP = { events: 1_000, days: 7 };

let server: PostgresServer;
let url: string;
let client: Client;
let store: Store;

describeWithPostgres('the event log on PostgreSQL', () => {
  beforeAll(async () => {
    server = await postgresServer();
  });

  afterAll(() => server?.close());

  beforeEach(async () => {
    url = await server.newSchema();
    store = await openStore(url);
    client = new Client(url);
    await client.connect();
  });

  afterEach(async () => {
    await store.close();
    await client.end();
  });

  /** Creates resources, each with an event whose text is its name. */
  async function write(...names: string[]): Promise<void> {
    await Promise.all(names.map((name) => writeTo(store, name)));
  }

  async function writeTo(to: Store, name: string): Promise<void> {
    await to.write(
      creation(name, { event: { id: `e-${name}`, type: 'io.svc.device.created', text: name, kept: null } }),
    );
  }

  const texts = async (after: Position = OLDEST, limit = ALL): Promise<string[]> =>
    (await store.events.read(after, limit)).map(({ text }) => text);

  /** The position after the event with this text. */
  async function after(text: string): Promise<Position> {
    return (await store.events.read(OLDEST, ALL)).find((event) => event.text === text)!.position;
  }

  const hold = (owner: string, leaseMs = 60_000): Hold => ({ consumer: 'sink', owner, leaseMs });

  const age = (days: number) =>
    client.query(`UPDATE events SET written_at = written_at - make_interval(days => ${days})`);

  test('events are read in the order of their writes, from any position', async () => {
    expect(await store.events.newest()).toBe(OLDEST);
    await write('a', 'b');
    await write('c');
    const events = await store.events.read(OLDEST, ALL);
    expect(events.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect(events[0]).toEqual({
      position: expect.stringMatching(/^\d+-\d+$/),
      type: 'io.svc.device.created',
      kind: KIND,
      uid: 'a',
      writtenAt: expect.any(Number),
      text: 'a',
      kept: null,
    });
    expect(Math.abs(Date.now() - events[0].writtenAt)).toBeLessThan(60_000);
    expect(events.every(({ position }) => store.events.isPosition(position))).toBe(true);
    expect(await texts(events[0].position)).toEqual(['b', 'c']);
    expect(await store.events.newest()).toBe(events[2].position);
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
    ['17-3', true],
    ['17', true],
    ['-1', false],
    ['1-', false],
    ['1-x', false],
    ['', false],
    [`1-${'9'.repeat(30)}`, false],
  ])('%j is a position: %p', (text, want) => {
    expect(store.events.isPosition(text)).toBe(want);
  });

  test('a write in conflict leaves no event', async () => {
    await write('a');
    await write('a', 'b');
    expect(await texts()).toEqual(['a', 'b']);
  });

  describe('transactions that run side by side', () => {
    const insert = (text: string) =>
      `INSERT INTO events (id, type, kind, uid, text) VALUES ('${text}', 't', (SELECT id FROM kinds), 'u', '${text}')`;

    test('an event is not seen before one that comes before it, nor lost', async () => {
      await write('first');
      await client.query('BEGIN');
      await client.query(insert('slow'));
      await write('fast');
      expect(await texts()).toEqual(['first']);
      const seen = await store.events.newest();
      await client.query('COMMIT');
      expect(await texts(seen)).toEqual(['slow', 'fast']);
    });

    test('one that is rolled back holds nothing up', async () => {
      await write('first');
      await client.query('BEGIN');
      await client.query(insert('slow'));
      await write('fast');
      await client.query('ROLLBACK');
      expect(await texts()).toEqual(['first', 'fast']);
    });

    test('a reader that follows many writers misses nothing and sees nothing twice', async () => {
      const others = await Promise.all([1, 2, 3].map(() => openStore(url)));
      const names = Array.from({ length: 1200 }, (_, index) => `n-${index}`);
      const writing = Promise.all(
        [store, ...others].map(async (each, index) => {
          const own = names.filter((_, n) => n % 4 === index);
          for (let n = 0; n < own.length; n += 10) {
            await Promise.all(own.slice(n, n + 10).map((name) => writeTo(each, name)));
          }
        }),
      );
      const seen: string[] = [];
      for (let position: Position = OLDEST; seen.length < names.length;) {
        const events = await others[0].events.read(position, { events: 50, bytes: 1e6 });
        seen.push(...events.map(({ text }) => text));
        position = events.at(-1)?.position ?? position;
      }
      await writing;
      expect(seen.toSorted()).toEqual(names.toSorted());
      await Promise.all(others.map((each) => each.close()));
    });
  });

  test('of more events than are kept the oldest go, in bites; their positions are gone', async () => {
    await write(...Array.from({ length: 10 }, (_, index) => String(index)));
    const [fourth, fifth] = [await after('4'), await after('5')];
    expect(await store.events.prune({ ...KEEP, events: 4 }, 5)).toBe(true);
    expect(await texts()).toEqual(['5', '6', '7', '8', '9']);
    expect(await store.events.prune({ ...KEEP, events: 4 }, 5)).toBe(false);
    expect(await store.events.prune({ ...KEEP, events: 4 }, 5)).toBe(false);
    expect(await texts()).toEqual(['6', '7', '8', '9']);
    expect(await texts(fifth)).toEqual(['6', '7', '8', '9']);
    await expect(texts(fourth)).rejects.toThrow(PositionGone);
  });

  test('a position stays valid when all events are gone, and new ones follow it', async () => {
    await write('a', 'b');
    const [first, newest] = [await after('a'), await store.events.newest()];
    await store.events.prune({ ...KEEP, events: 0 }, 10);
    expect(await texts()).toEqual([]);
    expect(await store.events.newest()).toBe(newest);
    await store.close();
    store = await openStore(url);
    await write('c');
    expect(await texts(newest)).toEqual(['c']);
    await expect(texts(first)).rejects.toThrow(PositionGone);
  });

  test('a position of another log is gone', async () => {
    await write('a');
    await expect(texts('9000000000000-1')).rejects.toThrow(PositionGone);
  });

  test('events that are too old go', async () => {
    await write('a', 'b');
    await age(2);
    await write('c');
    await store.events.prune({ ...KEEP, days: 1 }, 10);
    expect(await texts()).toEqual(['c']);
  });

  test('events that a consumer has not had are spared until they are too old', async () => {
    await write('a', 'b', 'c');
    await store.events.claim(hold('one'), 'oldest');
    await store.events.advance(hold('one'), await after('a'));
    await store.events.prune({ ...KEEP, events: 0 }, 10);
    expect(await texts()).toEqual(['b', 'c']);
    await age(8);
    await store.events.prune({ ...KEEP, events: 0 }, 10);
    expect(await texts()).toEqual([]);
  });

  describe('watchers', () => {
    /** Watches; resolves when what is there already was told of, with a promise of the next call. */
    const begin = (pollMs: number): Promise<{ told: Promise<void> }> =>
      new Promise((begun) => {
        let tell = (): void => undefined;
        const told = new Promise<void>((resolve) => (tell = resolve));
        let calls = 0;
        const stop = store.events.watch(() => {
          calls += 1;
          if (calls === 1) return begun({ told });
          stop();
          tell();
        }, pollMs);
      });

    test.each([
      ['in this process', () => store, 60_000],
      ['in another process', () => openStore(url), 60_000],
      ['of which nobody tells', () => undefined, 20],
    ])('are told of commits %s', async (_, from, pollMs) => {
      await write('a');
      const { told } = await begin(pollMs);
      const listening = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND state = 'idle'`;
      while ((await client.query<{ count: number }>(listening)).rows[0].count === 0);
      const writer = await from();
      if (writer === undefined) {
        await client.query(
          `INSERT INTO events (id, type, kind, uid, text) SELECT 'x', type, kind, uid, 'b' FROM events`,
        );
      } else {
        await writeTo(writer, 'b');
      }
      await told;
      expect(await texts()).toEqual(['a', 'b']);
      if (writer !== store) await writer?.close();
    });

    test('listen again when their connection is lost', async () => {
      await write('a');
      const { told } = await begin(30);
      const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()`;
      while ((await client.query(ended)).rowCount === 0);
      await write('b');
      await told;
    });
  });

  test('a new consumer starts now or at the oldest event, and is found where it was left', async () => {
    await write('a', 'b');
    expect(await store.events.claim(hold('one'), 'now')).toBe(await after('b'));
    expect(await store.events.claim({ ...hold('one'), consumer: 'all' }, 'oldest')).toBe(OLDEST);
    const first = await after('a');
    expect(await store.events.advance(hold('one'), first)).toBe(true);
    await store.close();
    store = await openStore(url);
    expect(await store.events.claim(hold('one'), 'now')).toBe(first);
  });

  test('one owner at a time holds a consumer', async () => {
    expect(await store.events.claim(hold('one'), 'now')).toBe(OLDEST);
    expect(await store.events.claim(hold('two'), 'now')).toBeUndefined();
    expect(await store.events.advance(hold('two'), '1-1')).toBe(false);
    await store.events.release(hold('one'));
    expect(await store.events.claim(hold('two'), 'now')).toBe(OLDEST);
    expect(await store.events.advance(hold('one'), '1-1')).toBe(false);
  });

  test('a hold that has run out can be taken', async () => {
    await store.events.claim(hold('one', -1), 'now');
    expect(await store.events.claim(hold('two'), 'now')).toBe(OLDEST);
  });

  test('a dead letter is kept once for each consumer; the newest stay', async () => {
    const letter = {
      consumer: 'sink',
      position: '1-1',
      attempts: 3,
      error: 'HTTP 500',
      kind: KIND,
      text: '{}',
      kept: '{"v2":{}}',
    };
    await store.events.bury(letter, 2);
    await store.events.bury(letter, 2);
    expect(await store.events.deadLetters(0, 10)).toEqual([
      { ...letter, id: expect.any(Number), failedAt: expect.any(Number) },
    ]);
    await store.events.bury({ ...letter, consumer: 'other' }, 2);
    await store.events.bury({ ...letter, position: '1-2', error: 'a NUL: \0' }, 2);
    const letters = await store.events.deadLetters(0, 10);
    expect(letters.map(({ consumer, position }) => [consumer, position])).toEqual([
      ['other', '1-1'],
      ['sink', '1-2'],
    ]);
    expect(await store.events.deadLetters(letters[0].id, 10)).toHaveLength(1);
    await store.events.unbury(letters[0].id);
    await store.events.unbury(letters[0].id);
    expect(await store.events.deadLetters(0, 10)).toEqual([letters[1]]);
  });

  test('a database restored into another server keeps its events, before the new ones', async () => {
    await write('a', 'b');
    await store.events.claim(hold('one'), 'oldest');
    await store.events.advance(hold('one'), await after('a'));
    const old = await after('b');
    await store.close();
    await client.query(
      `UPDATE events SET transaction = (transaction::text::bigint + 1000000000)::text::xid8;
     UPDATE cursors SET transaction = (transaction::text::bigint + 1000000000)::text::xid8`,
    );
    store = await openStore(url);
    await write('c');
    expect(await texts()).toEqual(['a', 'b', 'c']);
    expect(await texts((await store.events.claim(hold('one'), 'now'))!)).toEqual(['b', 'c']);
    await expect(texts(old.replace(/^/, '1000'))).rejects.toThrow(PositionGone);
  });

  test('a closed store has no events to read', async () => {
    await store.close();
    await expect(async () => store.events.read(OLDEST, ALL)).rejects.toThrow(StoreUnavailable);
    await expect(store.events.claim(hold('one'), 'now')).rejects.toThrow(StoreUnavailable);
  });
});
