import { Client } from 'pg';
import {
  FIRST,
  type Hold,
  isPosition,
  OLDEST,
  type Position,
  PositionGone,
} from '../../../../templates/runtime/store/events/event-log';
import { type Store, StoreUnavailable } from '../../../../templates/runtime/store/store';
import { changedPart, found, newPart, PART } from '../indexing/parts';
import { openIndexedStore, openStore } from '../open-store';
import { creation, KIND } from '../store-writes';
import { describeWithPostgres, type PostgresServer, postgresServer } from './postgres-server';

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
    (await store.events!.read(after, limit)).map(({ text }) => text);

  /** The position after the event with this text. */
  async function after(text: string): Promise<Position> {
    return (await store.events!.read(OLDEST, ALL)).find((event) => event.text === text)!.position;
  }

  /** The texts after a position, read in small steps until the writing has ended and nothing is left. */
  async function follow(from: Store, start: Position, writing: Promise<unknown>): Promise<string[]> {
    let hasEnded = false;
    const ending = writing.finally(() => (hasEnded = true));
    const seen: string[] = [];
    for (let position = start; ;) {
      const isLast = hasEnded;
      const events = await from.events!.read(position, { events: 50, bytes: 1e6 });
      if (isLast && events.length === 0) break;
      seen.push(...events.map(({ text }) => text));
      position = events.at(-1)?.position ?? position;
    }
    await ending;
    return seen;
  }

  const hold = (owner: string, leaseMs = 60_000): Hold => ({ consumer: 'sink', owner, leaseMs });

  const age = (days: number) =>
    client.query(`UPDATE events SET written_at = written_at - make_interval(days => ${days})`);

  test('events are read in the order of their writes, from any position', async () => {
    expect(await store.events!.newest()).toBe(FIRST);
    await write('a', 'b');
    await write('c');
    const events = await store.events!.read(OLDEST, ALL);
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
    expect(events.every(({ position }) => isPosition(position))).toBe(true);
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
      const seen = await store.events!.newest();
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

    test('an event of several writes at once is not passed by', async () => {
      const indexed = await openIndexedStore(url);
      await indexed.write(newPart('par-1', { name: 'a' }));
      // It stops between its first transaction id and its events; without a wait for a lock, which would time out.
      await client.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          WHILE NOT pg_try_advisory_xact_lock_shared(7) LOOP PERFORM pg_sleep(0.01); END LOOP;
          RETURN NULL;
        END $$;
        CREATE TRIGGER wait BEFORE DELETE ON refs EXECUTE FUNCTION wait();
        SELECT pg_advisory_lock(7)`);
      const change = changedPart(await found(indexed, 'par-1', PART), { name: 'b' });
      const event = { id: 'slow', type: 't', text: 'slow', kept: null };
      const slow = indexed.write({ action: 'all', writes: [{ ...change, event }] });
      const waiting = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'transactionid' AND query LIKE 'DELETE FROM refs%'`;
      while ((await client.query(waiting)).rowCount === 0);
      await write('fast');
      const before = await texts();
      await client.query('SELECT pg_advisory_unlock(7)');
      expect(await slow).toBe('done');
      expect([before, await texts()]).toEqual([[], ['slow', 'fast']]);
      await indexed.close();
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
      const seen = await follow(others[0], OLDEST, writing);
      expect(seen.toSorted()).toEqual(names.toSorted());
      await Promise.all(others.map((each) => each.close()));
    });
  });

  describe('transactions of others that are left open', () => {
    let others: Client[];

    beforeEach(() => void (others = []));
    afterEach(() => Promise.all(others.map((other) => other.end())));

    /** Leaves a transaction with an id of its own open. */
    async function leaveOpen(sql: string, where = url): Promise<void> {
      const other = new Client(where);
      await other.connect();
      others.push(other);
      await other.query('BEGIN');
      await other.query(sql);
    }

    test.each([
      ['in another database', 'SELECT pg_current_xact_id()', () => server.newDatabase()],
      ['in this database', 'SELECT pg_current_xact_id()', () => url],
      ['with a row of a resource locked', 'SELECT FROM resources FOR UPDATE SKIP LOCKED', () => url],
      ['with the events read', 'SELECT pg_current_xact_id() FROM events', () => url],
    ])('%s hold no event up', async (_, sql, where) => {
      await write('a');
      await leaveOpen(sql, await where());
      const events = store.events!;
      const told = new Promise<Position>((resolve) => {
        const stop = events.watch(() => {
          void texts().then(async (seen) => {
            if (!seen.includes('b')) return;
            stop();
            resolve(await events.newest());
          });
        }, 60_000);
      });
      await write('b');
      expect(await told).toBe(await after('b'));
      await leaveOpen(sql, await where());
      await write('c');
      expect(await texts(await after('b'))).toEqual(['c']);
      expect(await events.prune({ ...KEEP, events: 1 }, 10)).toBe(false);
      expect(await texts()).toEqual(['c']);
    });

    test('and end, hide no event of a reader that follows many writers', async () => {
      await write('first');
      let isWriting = true;
      const coming = [1, 2, 3].map(async () => {
        const other = new Client(url);
        await other.connect();
        while (isWriting) {
          await other.query('BEGIN; SELECT pg_current_xact_id()');
          await other.query('SELECT pg_sleep(random() / 200)');
          await other.query('COMMIT');
        }
        await other.end();
      });
      const many = Array.from({ length: 800 }, (_, index) => `n-${index}`);
      const writers = await Promise.all([1, 2].map(() => openStore(url)));
      const start = await store.events!.newest();
      const writing = Promise.all(
        writers.map(async (each, index) => {
          const own = many.filter((_, n) => n % 2 === index);
          for (let n = 0; n < own.length; n += 8)
            await Promise.all(own.slice(n, n + 8).map((name) => writeTo(each, name)));
        }),
      );
      const seen = await follow(store, start, writing);
      isWriting = false;
      await Promise.all(coming);
      expect(seen.toSorted()).toEqual(many.toSorted());
      await Promise.all(writers.map((each) => each.close()));
    });
  });

  test('the position before the first event is gone with that event', async () => {
    const first = await store.events!.newest();
    await write('a', 'b');
    expect(await texts(first)).toEqual(['a', 'b']);
    expect(await store.events!.prune({ ...KEEP, events: 1 }, 10)).toBe(false);
    await expect(texts(first)).rejects.toThrow(PositionGone);
  });

  test('of more events than are kept the oldest go, in bites; their positions are gone', async () => {
    await write(...Array.from({ length: 10 }, (_, index) => String(index)));
    const [fourth, fifth] = [await after('4'), await after('5')];
    expect(await store.events!.prune({ ...KEEP, events: 4 }, 5)).toBe(true);
    expect(await texts()).toEqual(['5', '6', '7', '8', '9']);
    expect(await store.events!.prune({ ...KEEP, events: 4 }, 5)).toBe(false);
    expect(await store.events!.prune({ ...KEEP, events: 4 }, 5)).toBe(false);
    expect(await texts()).toEqual(['6', '7', '8', '9']);
    expect(await texts(fifth)).toEqual(['6', '7', '8', '9']);
    await expect(texts(fourth)).rejects.toThrow(PositionGone);
  });

  test('a position stays valid when all events are gone, and new ones follow it', async () => {
    await write('a', 'b');
    const [first, newest] = [await after('a'), await store.events!.newest()];
    await store.events!.prune({ ...KEEP, events: 0 }, 10);
    expect(await texts()).toEqual([]);
    expect(await store.events!.newest()).toBe(newest);
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
    await store.events!.prune({ ...KEEP, days: 1 }, 10);
    expect(await texts()).toEqual(['c']);
  });

  test('events that a consumer has not had are spared until they are too old', async () => {
    await write('a', 'b', 'c');
    await store.events!.claim(hold('one'), 'oldest');
    await store.events!.advance(hold('one'), await after('a'));
    await store.events!.prune({ ...KEEP, events: 0 }, 10);
    expect(await texts()).toEqual(['b', 'c']);
    await age(8);
    await store.events!.prune({ ...KEEP, events: 0 }, 10);
    expect(await texts()).toEqual([]);
  });

  describe('watchers', () => {
    /** Watches; resolves after the call for what is there already, with a promise of the next call. */
    const begin = (pollMs: number): Promise<{ called: Promise<void> }> =>
      new Promise((begun) => {
        let report = (): void => undefined;
        const called = new Promise<void>((resolve) => (report = resolve));
        let calls = 0;
        const stop = store.events!.watch(() => {
          calls += 1;
          if (calls === 1) return begun({ called });
          stop();
          report();
        }, pollMs);
      });

    test.each([
      ['in this process', () => store, 60_000],
      ['in another process', () => openStore(url), 60_000],
      ['of which nobody tells', () => undefined, 20],
    ])('are called of commits %s', async (_, from, pollMs) => {
      await write('a');
      const { called } = await begin(pollMs);
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
      await called;
      expect(await texts()).toEqual(['a', 'b']);
      if (writer !== store) await writer?.close();
    });

    test('listen again when their connection is lost', async () => {
      await write('a');
      const { called } = await begin(30);
      const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()`;
      while ((await client.query(ended)).rowCount === 0);
      await write('b');
      await called;
    });
  });

  test('a new consumer starts now or at the oldest event, and is found where it was left', async () => {
    await write('a', 'b');
    expect(await store.events!.claim(hold('one'), 'now')).toBe(await after('b'));
    expect(await store.events!.claim({ ...hold('one'), consumer: 'all' }, 'oldest')).toBe(OLDEST);
    const first = await after('a');
    expect(await store.events!.advance(hold('one'), first)).toBe(true);
    await store.close();
    store = await openStore(url);
    expect(await store.events!.claim(hold('one'), 'now')).toBe(first);
  });

  test('one owner at a time holds a consumer', async () => {
    expect(await store.events!.claim(hold('one'), 'now')).toBe(OLDEST);
    expect(await store.events!.claim(hold('two'), 'now')).toBeUndefined();
    expect(await store.events!.advance(hold('two'), '1-1')).toBe(false);
    await store.events!.release(hold('one'));
    expect(await store.events!.claim(hold('two'), 'now')).toBe(OLDEST);
    expect(await store.events!.advance(hold('one'), '1-1')).toBe(false);
  });

  test('a hold that has run out can be taken', async () => {
    await store.events!.claim(hold('one', -1), 'now');
    expect(await store.events!.claim(hold('two'), 'now')).toBe(OLDEST);
  });

  test('a hold from before the clock was set back can be taken', async () => {
    await store.events!.claim(hold('one'), 'now');
    await client.query("UPDATE cursors SET held_until = held_until + interval '1 hour'");
    expect(await store.events!.claim(hold('two'), 'now')).toBe(OLDEST);
    expect(await store.events!.claim(hold('three'), 'now')).toBeUndefined();
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
    await store.events!.bury(letter, 2);
    await store.events!.bury(letter, 2);
    expect(await store.events!.deadLetters(0, 10)).toEqual([
      { ...letter, id: expect.any(Number), failedAt: expect.any(Number) },
    ]);
    await store.events!.bury({ ...letter, consumer: 'other' }, 2);
    await store.events!.bury({ ...letter, position: '1-2', error: 'a NUL: \0' }, 2);
    const letters = await store.events!.deadLetters(0, 10);
    expect(letters.map(({ consumer, position }) => [consumer, position])).toEqual([
      ['other', '1-1'],
      ['sink', '1-2'],
    ]);
    expect(await store.events!.deadLetters(letters[0].id, 10)).toHaveLength(1);
    await store.events!.unbury(letters[0].id);
    await store.events!.unbury(letters[0].id);
    expect(await store.events!.deadLetters(0, 10)).toEqual([letters[1]]);
  });

  test('a database restored into another server keeps its events, before the new ones', async () => {
    await write('a', 'b');
    await store.events!.claim(hold('one'), 'oldest');
    await store.events!.advance(hold('one'), await after('a'));
    const old = await after('b');
    await store.close();
    await client.query(
      `UPDATE events SET transaction = (transaction::text::bigint + 1000000000)::text::xid8;
     UPDATE cursors SET transaction = (transaction::text::bigint + 1000000000)::text::xid8;
     UPDATE resources SET position = '1000' || position`,
    );
    store = await openStore(url);
    await write('c');
    expect(await texts()).toEqual(['a', 'b', 'c']);
    const events = await store.events!.read(OLDEST, ALL);
    const rows = await store.list(KIND, { after: 0, limit: 10, selector: [] });
    expect(rows.map(({ position }) => position)).toEqual(events.map(({ position }) => position));
    expect(await texts(await store.events!.claim(hold('one'), 'now'))).toEqual(['b', 'c']);
    await expect(texts(old.replace(/^/, '1000'))).rejects.toThrow(PositionGone);
  });

  test('a restored database keeps the order of its events where only some are of transactions to come', async () => {
    await write('a', 'b', 'c');
    const [a, b] = [await after('a'), await after('b')];
    await store.events!.claim(hold('one'), 'oldest');
    await store.events!.advance(hold('one'), a);
    await store.close();
    await client.query(
      `UPDATE events SET transaction = '1000000000' WHERE text <> 'a';
       UPDATE resources SET position = regexp_replace(position, '^\\d+', '1000000000') WHERE uid <> 'a'`,
    );
    store = await openStore(url);
    await write('d');
    expect(await texts()).toEqual(['a', 'b', 'c', 'd']);
    expect(await texts(await store.events!.claim(hold('one'), 'now'))).toEqual(['b', 'c', 'd']);
    const events = await store.events!.read(OLDEST, ALL);
    const rows = await store.list(KIND, { after: 0, limit: 10, selector: [] });
    expect(rows.map(({ position }) => position)).toEqual(events.map(({ position }) => position));
    await expect(texts(b)).rejects.toThrow(PositionGone);
  });

  test('a restored consumer gets what it lacks, also with a lower number than what it has', async () => {
    for (const name of ['a', 'b', 'c']) await write(name);
    await store.events!.claim(hold('one'), 'oldest');
    await store.events!.advance(hold('one'), await after('c'));
    await store.close();
    await client.query(
      `UPDATE events SET transaction = CASE text WHEN 'a' THEN '1000000001' WHEN 'b' THEN '1000000003' ELSE '1000000002' END::xid8;
       UPDATE cursors SET transaction = '1000000002'`,
    );
    store = await openStore(url);
    expect(await texts()).toEqual(['a', 'b', 'c']);
    expect(await texts(await store.events!.claim(hold('one'), 'now'))).toEqual(['b', 'c']);
  });

  test('what comes after the last removed event stays in a restored log, also with a lower number', async () => {
    for (const name of ['a', 'b', 'c']) await write(name);
    await store.close();
    await client.query(
      `UPDATE event_mark SET transaction = '1000000001', position = (SELECT position FROM events WHERE text = 'b');
       DELETE FROM events WHERE text = 'b';
       UPDATE events SET transaction = '1000000002'`,
    );
    store = await openStore(url);
    expect(await store.events!.claim(hold('one'), 'oldest')).toBe(OLDEST);
    expect(await texts()).toEqual(['a', 'c']);
    expect(await store.events!.prune({ events: 0, days: 7 }, 10)).toBe(false);
    expect(await texts()).toEqual(['a', 'c']);
    await store.events!.advance(hold('one'), await after('c'));
    await store.events!.prune({ events: 0, days: 7 }, 10);
    expect(await texts()).toEqual([]);
  });

  test('a start after a restore takes its time: the server may respond later than to others', async () => {
    await write('a');
    await store.close();
    await client.query(
      `UPDATE events SET transaction = '1000000000';
       CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1.5); RETURN NEW; END';
       CREATE TRIGGER slowly BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION slowly()`,
    );
    store = await openStore(url, { responseTimeoutMs: 1_000 });
    expect(await texts()).toEqual(['a']);
  });

  test('a closed store has no events to read', async () => {
    await store.close();
    await expect(async () => store.events!.read(OLDEST, ALL)).rejects.toThrow(StoreUnavailable);
    await expect(store.events!.claim(hold('one'), 'now')).rejects.toThrow(StoreUnavailable);
  });
});
