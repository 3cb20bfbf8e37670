import {
  type DeadLetter,
  type EventLog,
  FIRST,
  type Hold,
  LONGEST_HOLD,
  type NewDeadLetter,
  OLDEST,
  type Position,
  PositionGone,
  type ReadLimit,
  type Retention,
  type StoredEvent,
} from '../../events/event-log';
import { summedBytes } from '../../first-rows';
import { rowBytes } from '../../stored-resource';
import type { Connection } from '../connection/driver';
import type { MakeWriter, OpenedStore } from '../parts/sqlite-parts';
import { BOUND } from '../reads/list-query';

/** Time after its last lease in which events are spared for a consumer, in milliseconds. */
const RECENTLY = 3_600_000;

const MARK = 'UPDATE event_mark SET pruned = ? WHERE pruned < ?';

const PRUNE = 'DELETE FROM events WHERE position <= ?';

const claimAt = (position: string): string =>
  `INSERT INTO cursors (consumer, position, owner, held_until) VALUES (?, ${position}, ?, ?)
   ON CONFLICT (consumer) DO UPDATE SET owner = excluded.owner, held_until = excluded.held_until
   WHERE owner = excluded.owner OR held_until <= ? OR held_until > ?`;

const CLAIM_NOW = claimAt('(SELECT coalesce((SELECT max(position) FROM events), pruned) FROM event_mark)');

const CLAIM_OLDEST = claimAt('0');

const ADVANCE = 'UPDATE cursors SET position = ?, held_until = ? WHERE consumer = ? AND owner = ?';

const RELEASE = 'UPDATE cursors SET held_until = ? WHERE consumer = ? AND owner = ?';

const BURY = `INSERT INTO dead_letters (consumer, position, attempts, error, failed_at, kind, text, kept)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

const UNBURY = 'DELETE FROM dead_letters WHERE id = ?';

/** Not by the distance of their ids: those of letters that were sent again are missing among them. */
const TRIM_DEAD_LETTERS =
  'DELETE FROM dead_letters WHERE id <= (SELECT id FROM dead_letters ORDER BY id DESC LIMIT 1 OFFSET ?)';

/**
 * The event log of a SQLite database. One writer at a time makes the order of positions that of the commits, so that
 * nothing ever appears before an event that was read already.
 */
export class SqliteEventLog implements EventLog {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #watchers = new Set<() => void>();
  #seen = -1;

  constructor(private readonly store: OpenedStore) {
    this.#sql = prepare(store.reading.connection);
  }

  newest(): Position {
    const { newest } = this.#marks();
    return newest === 0 ? FIRST : String(newest);
  }

  read(after: Position, limit: ReadLimit): StoredEvent[] {
    const start = after === OLDEST ? this.#marks().pruned : Number(after);
    if (Number.isNaN(start)) throw new PositionGone('this position is of a PostgreSQL database');
    const rows = this.#guard(() => this.#sql.read.all(start, limit.events, limit.bytes));
    // Read after the rows: another process may prune at any time.
    const { pruned, newest } = this.#marks();
    if (after === OLDEST && start < pruned) return this.read(after, limit);
    if (start < pruned) throw new PositionGone('events after this position are no longer kept');
    if (start > newest) throw new PositionGone('this position is not of this log');
    if (this.#guard(() => this.#sql.lost.get(start, start)) !== undefined)
      throw new PositionGone('the database was restored to a state before this position');
    return rows.map(({ position, ...row }) => ({ position: String(position), ...row }));
  }

  watch(onChange: () => void, pollMs: number): () => void {
    this.#watchers.add(onChange);
    this.#seen = Math.max(this.#seen, this.#marks().newest);
    let known = this.#dataVersion();
    const timer = setInterval(() => {
      // The data version changes with the commits of other connections; reading it does not touch the file.
      const found = this.#dataVersion();
      if (found !== known) this.committed();
      known = found;
    }, pollMs).unref();
    return () => {
      clearInterval(timer);
      this.#watchers.delete(onChange);
    };
  }

  /** Notifies the watchers of events that they have not been notified of. */
  committed(): void {
    if (this.#watchers.size === 0) return;
    const newest = this.#attempt(() => this.#sql.marks.get()!.newest) ?? this.#seen;
    if (newest <= this.#seen) return;
    this.#seen = newest;
    for (const onChange of this.#watchers) onChange();
  }

  async prune(retention: Retention, bite: number): Promise<boolean> {
    const now = Date.now();
    const { newest } = this.#marks();
    const rows = this.#guard(() => this.#sql.oldest.all(bite));
    const spared = this.#guard(() => this.#sql.slowest.get(now - RECENTLY)?.position) ?? newest;
    const excess = Math.min(this.#before(newest, retention.events), spared);
    const expired = now - retention.days * 86_400_000;
    const retained = rows.findIndex(({ position, writtenAt }) => position > excess && writtenAt >= expired);
    const pruned = retained < 0 ? rows : rows.slice(0, retained);
    if (pruned.length === 0) return false;
    const upTo = pruned.at(-1)!.position;
    await this.store.run({ sql: PRUNE, parameters: [upTo] }, { sql: MARK, parameters: [upTo, upTo] });
    return pruned.length === bite;
  }

  async claim({ consumer, owner, leaseMs }: Hold, from: 'now' | 'oldest'): Promise<Position | undefined> {
    const now = Date.now();
    const sql = from === 'now' ? CLAIM_NOW : CLAIM_OLDEST;
    const parameters = [consumer, owner, now + leaseMs, now, now + LONGEST_HOLD * leaseMs];
    if (!(await this.store.run({ sql, parameters }))) return undefined;
    const cursor = this.#guard(() => this.#sql.cursor.get(consumer, owner));
    return cursor === undefined ? undefined : String(cursor.position);
  }

  async advance({ consumer, owner, leaseMs }: Hold, position: Position): Promise<boolean> {
    const parameters = [Number(position), Date.now() + leaseMs, consumer, owner];
    return this.store.run({ sql: ADVANCE, parameters });
  }

  async release({ consumer, owner }: Hold): Promise<void> {
    await this.store.run({ sql: RELEASE, parameters: [Date.now(), consumer, owner] });
  }

  async bury(
    { consumer, position, attempts, error, kind, text, kept }: NewDeadLetter,
    keep: number,
  ): Promise<void> {
    const parameters = [consumer, Number(position), attempts, error, Date.now(), kind, text, kept];
    await this.store.run({ sql: BURY, parameters }, { sql: TRIM_DEAD_LETTERS, parameters: [keep] });
  }

  deadLetters(after: number, limit: number): DeadLetter[] {
    const rows = this.#guard(() => this.#sql.deadLetters.all(after, limit));
    return rows.map((row) => ({ ...row, position: String(row.position) }));
  }

  async unbury(id: number): Promise<void> {
    await this.store.run({ sql: UNBURY, parameters: [id] });
  }

  #marks(): { pruned: number; newest: number } {
    return this.#guard(() => this.#sql.marks.get())!;
  }

  /** Returns the position that the last `events` events come after. */
  #before(newest: number, events: number): number {
    let [end, missing] = [newest, events];
    for (const { first, last } of this.#guard(() => this.#sql.allLost.all())) {
      if (last > end) continue;
      if (end - last >= missing) break;
      missing -= end - last;
      end = first - 1;
    }
    return end - missing;
  }

  #dataVersion(): number | undefined {
    return this.#attempt(() => this.#sql.dataVersion.get()?.data_version);
  }

  /** Returns what is read; undefined where that fails. */
  #attempt<T>(read: () => T): T | undefined {
    try {
      return this.#guard(read);
    } catch {
      return undefined;
    }
  }

  #guard<T>(action: () => T): T {
    return this.store.reading.run(action);
  }
}

type EventRow = Omit<StoredEvent, 'position'> & { position: number };
type DeadLetterRow = Omit<DeadLetter, 'position'> & { position: number };

function prepare(connection: Connection) {
  const sized = `SELECT position, ${rowBytes('events')} AS bytes FROM events WHERE position > ?
    ORDER BY position LIMIT ${BOUND}`;
  return {
    marks: connection.prepare<{ pruned: number; newest: number }>(
      'SELECT pruned, coalesce((SELECT max(position) FROM events), pruned) AS newest FROM event_mark',
    ),
    read: connection.prepare<EventRow>(
      `SELECT e.position, e.type, k.name AS kind, e.uid, e.written_at * 1000 AS writtenAt, e.text, e.kept
       FROM ${summedBytes(sized, 'position')} page
       CROSS JOIN events e ON e.position = page.position JOIN kinds k ON k.id = e.kind
       WHERE page.before < ? ORDER BY page.position`,
    ),
    lost: connection.prepare('SELECT 1 AS found FROM lost_positions WHERE first <= ? AND last >= ?'),
    allLost: connection.prepare<{ first: number; last: number }>(
      'SELECT first, last FROM lost_positions ORDER BY first DESC',
    ),
    oldest: connection.prepare<{ position: number; writtenAt: number }>(
      `SELECT position, written_at * 1000 AS writtenAt FROM events ORDER BY position LIMIT ${BOUND}`,
    ),
    slowest: connection.prepare<{ position: number | null }>(
      'SELECT min(position) AS position FROM cursors WHERE held_until > ?',
    ),
    cursor: connection.prepare<{ position: number }>(
      'SELECT position FROM cursors WHERE consumer = ? AND owner = ?',
    ),
    deadLetters: connection.prepare<DeadLetterRow>(
      `SELECT id, consumer, position, attempts, error, failed_at AS failedAt, kind, text, kept
       FROM dead_letters WHERE id > ? ORDER BY id LIMIT ${BOUND}`,
    ),
    dataVersion: connection.prepare<{ data_version: number }>('PRAGMA data_version'),
  };
}

/** Makes the writer of events, inside the transaction of a batch, perhaps in a thread. */
export const writer: MakeWriter = ({ connection }) => {
  const next = connection.prepare<{ position: number }>(
    "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) + 1 AS position",
  );
  const add = connection.prepare(
    'INSERT INTO events (position, id, type, kind, uid, text, kept) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return {
    position: ({ event }) => (event === undefined ? null : String(next.get()!.position)),
    written({ uid, event }, { kind, position }) {
      if (event === undefined) return;
      const { id, type, text, kept } = event;
      add.run(Number(position), id, type, kind, uid, text, kept);
    },
  };
};
