import type { Client, QueryResultRow } from 'pg';
import {
  type DeadLetter,
  type EventLog,
  FIRST,
  type Hold,
  type NewDeadLetter,
  OLDEST,
  type Position,
  PositionGone,
  type ReadLimit,
  type Retention,
  type StoredEvent,
} from '../../events/event-log';
import { NOBODY } from '../../store';
import type { OpenedStore } from '../postgres-parts';
import { EVENT_SQL } from './event-sql';
import { NOTIFY, PostgresListener } from './listener';

/** Time after its last lease in which events are spared for a consumer, in seconds. */
const RECENTLY = 3600;

/** A position in the database: the transaction that wrote the event, and the event's own number. */
interface Place {
  transaction: string;
  position: number;
}

type EventRow = Place & Omit<StoredEvent, 'position'>;

/**
 * The event log of a PostgreSQL database. Its numbers become visible out of order when transactions run concurrently:
 * an event is visible when no running transaction could still put one before it. Transactions of others that share the
 * server do not count.
 */
export class PostgresEventLog implements EventLog {
  readonly #watchers = new Set<() => void>();
  readonly #listener: PostgresListener;
  /** Notifies the watchers when there are new events. */
  readonly #look = oneAtATime(() => this.#lookOnce());
  /** Polling finds what is lost with a notification. */
  readonly #notify = oneAtATime(() => this.#notifyOnce());
  #seen: Position | undefined;

  constructor(private readonly store: OpenedStore) {
    this.#listener = new PostgresListener(store.servers, () => void this.#look());
  }

  async newest(): Promise<Position> {
    const [place] = await this.store.reads.read<Place>({
      name: 'newest-event',
      text: EVENT_SQL.newest,
      values: [await this.#horizon()],
    });
    const newest = textOf(place);
    return newest === OLDEST ? FIRST : newest;
  }

  async read(after: Position, limit: ReadLimit): Promise<StoredEvent[]> {
    const { round } = this.store.servers;
    const values = [...placeOf(after), limit.events, limit.bytes, await this.#horizon()];
    const rows = await this.store.reads.read<EventRow & { gone: boolean; unknown: boolean }>({
      name: 'read-events',
      text: EVENT_SQL.read,
      values,
    });
    if (rows[0].unknown) {
      // A pooler may have asked a primary that was replaced; a transaction finds that out.
      await this.#write('nothing', 'SELECT', []);
      if (round !== this.store.servers.round) return this.read(after, limit);
      throw new PositionGone('this position is not of this log');
    }
    if (rows[0].gone && after !== OLDEST)
      throw new PositionGone('events after this position are no longer kept');
    return rows.flatMap(({ transaction, position, type, kind, uid, writtenAt, text, kept }) =>
      text === null
        ? []
        : [{ position: textOf({ transaction, position }), type, kind, uid, writtenAt, text, kept }],
    );
  }

  watch(onChange: () => void, pollMs: number): () => void {
    this.#watchers.add(onChange);
    this.#listener.listen(pollMs);
    void this.#look();
    const timer = setInterval(() => void this.#look(), pollMs).unref();
    return () => {
      clearInterval(timer);
      this.#watchers.delete(onChange);
    };
  }

  /** Notifies the watchers here and in other processes; call it when this process has committed events. */
  committed(): void {
    void this.#look();
    void this.#notify();
  }

  async prune(retention: Retention, bite: number): Promise<boolean> {
    const rows = await this.store.reads.read<Place & { expired: boolean; surplus: boolean }>({
      name: 'oldest-events',
      text: EVENT_SQL.oldest,
      values: [bite, retention.events, retention.days, RECENTLY, await this.#horizon()],
    });
    const kept = rows.findIndex(({ expired, surplus }) => !expired && !surplus);
    const pruned = kept < 0 ? rows : rows.slice(0, kept);
    if (pruned.length === 0) return false;
    const { transaction, position } = pruned[pruned.length - 1];
    await this.#write('prune-events', EVENT_SQL.prune, [
      transaction,
      position,
      pruned.map((place) => place.position),
    ]);
    return pruned.length === bite;
  }

  async claim({ consumer, owner, leaseMs }: Hold, from: 'now' | 'oldest'): Promise<Position | undefined> {
    const start = placeOf(from === 'now' ? await this.newest() : OLDEST);
    const values = [...start, consumer, owner, leaseMs / 1000];
    const [place] = await this.#write<Place>('claim', EVENT_SQL.claim, values);
    return place && textOf(place);
  }

  async advance({ consumer, owner, leaseMs }: Hold, position: Position): Promise<boolean> {
    const values = [...placeOf(position), consumer, owner, leaseMs / 1000];
    return (await this.#write('advance', EVENT_SQL.advance, values)).length > 0;
  }

  async release({ consumer, owner }: Hold): Promise<void> {
    await this.#write('release', EVENT_SQL.release, [consumer, owner]);
  }

  async bury(
    { consumer, position, attempts, error, kind, text, kept }: NewDeadLetter,
    keep: number,
  ): Promise<void> {
    // The error may quote a foreign server.
    const values = [consumer, position, attempts, error.replaceAll('\0', ''), kind, text, kept];
    await this.#write('bury', EVENT_SQL.bury, values);
    await this.#write('trim-dead-letters', EVENT_SQL.trimDeadLetters, [keep]);
  }

  deadLetters(after: number, limit: number): Promise<DeadLetter[]> {
    return this.store.reads.read<DeadLetter>({
      name: 'dead-letters',
      text: EVENT_SQL.deadLetters,
      values: [after, limit],
    });
  }

  async unbury(id: number): Promise<void> {
    await this.#write('unbury', EVENT_SQL.unbury, [id]);
  }

  /** Stops listening. */
  async close(): Promise<void> {
    this.#watchers.clear();
    await this.#listener.close();
    await this.#look();
  }

  /** Returns the first transaction whose events are not settled. */
  async #horizon(): Promise<string> {
    const query = { name: 'horizon', text: EVENT_SQL.horizon, values: [] };
    return (await this.store.reads.read<{ horizon: string }>(query))[0].horizon;
  }

  #write<R extends QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R[]> {
    return this.store.patiently(() => this.store.writes.write<R>({ name, text, values }));
  }

  async #lookOnce(): Promise<void> {
    if (this.#watchers.size === 0) return;
    const newest = await this.newest().catch(() => this.#seen);
    if (newest === this.#seen) return;
    this.#seen = newest;
    for (const onChange of this.#watchers) onChange();
  }

  async #notifyOnce(): Promise<void> {
    await this.store.writes.write({ name: 'notify', text: NOTIFY, values: [] }).catch(() => undefined);
  }
}

/** Splits a position. Events that were copied from SQLite have no transaction, and keep their positions: numbers. */
function placeOf(position: Position): [transaction: string, position: number] {
  const [transaction, number] = position.split('-');
  return number === undefined ? ['0', Number(transaction)] : [transaction, Number(number)];
}

function textOf({ transaction, position }: Place): Position {
  return transaction === '0' ? String(position) : `${transaction}-${position}`;
}

/** Returns a function that runs an action; a call while it runs makes it run once more. It resolves when both have ended. */
function oneAtATime(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isAsked = false;
  const run = async (): Promise<void> => {
    try {
      while (isAsked) {
        isAsked = false;
        await action();
      }
    } finally {
      running = undefined;
    }
  };
  return () => {
    isAsked = true;
    return (running ??= run());
  };
}

/** Waits for the writes under way: they would leave events before the mark, which nobody could read or remove. */
const LOCK = 'LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE';

const MARK = `UPDATE event_mark SET transaction = pg_current_xact_id(),
  position = nextval(pg_get_serial_sequence('events', 'position'))`;

/**
 * Begins a new log if a service without events has used the database meanwhile. Earlier positions become invalid, since
 * the log lacks changes after them.
 */
export async function beginAnew(client: Client): Promise<void> {
  const { rowCount } = await client.query('DELETE FROM cursors WHERE consumer = $1', [NOBODY]);
  if (rowCount === 0) return;
  await client.query(LOCK);
  await client.query('DELETE FROM events');
  await client.query(MARK);
}
