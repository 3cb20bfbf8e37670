import type { Command } from '../../command';
import { LONGEST_HOLD } from '../../events/event-log';
import type { SingleWrite, WriteResult } from '../../store';
import type { Position } from '../../stored-resource';
import type { Connection, Statement } from '../connection/driver';
import type { MakeWriter, PartWriter, WrittenRow } from '../parts/sqlite-parts';

/** Writes events and the commands of their log, inside the transaction of a batch. */
class EventWriter implements PartWriter {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(connection: Connection) {
    this.#sql = prepare(connection);
  }

  position({ event }: SingleWrite): Position | null {
    return event === undefined ? null : String(this.#sql.nextPosition.get()!.position);
  }

  written({ uid, event }: SingleWrite, { kind, position }: WrittenRow): void {
    if (event === undefined) return;
    const { id, type, text, kept } = event;
    this.#sql.add.run(Number(position), id, type, kind, uid, text, kept);
  }

  apply(command: Command): WriteResult | undefined {
    switch (command.action) {
      case 'pruneEvents': {
        const upTo = Number(command.upTo);
        this.#sql.mark.run(upTo, upTo);
        return done(this.#sql.prune, upTo);
      }
      case 'claimCursor': {
        const { hold, from, now } = command;
        const { consumer, owner, leaseMs } = hold;
        const claim = from === 'now' ? this.#sql.claimNow : this.#sql.claimOldest;
        return done(claim, consumer, owner, now + leaseMs, now, now + LONGEST_HOLD * leaseMs);
      }
      case 'moveCursor': {
        const { hold, position, now } = command;
        return done(this.#sql.move, Number(position), now + hold.leaseMs, hold.consumer, hold.owner);
      }
      case 'releaseCursor':
        return done(this.#sql.release, command.now, command.hold.consumer, command.hold.owner);
      case 'bury': {
        const { letter, keep, now } = command;
        const { consumer, position, attempts, error, kind, text, kept } = letter;
        this.#sql.bury.run(consumer, Number(position), attempts, error, now, kind, text, kept);
        this.#sql.trimDead.run(keep);
        return 'done';
      }
      case 'unbury':
        return done(this.#sql.unbury, command.id);
      default:
        return undefined;
    }
  }
}

/** Makes the writer of events. */
export const writer: MakeWriter = ({ connection }) => new EventWriter(connection);

function done(statement: Statement, ...parameters: (string | number)[]): WriteResult {
  return statement.run(...parameters).changes === 0 ? 'conflict' : 'done';
}

function prepare(connection: Connection) {
  const claimAt = (position: string): Statement =>
    connection.prepare(
      `INSERT INTO cursors (consumer, position, owner, held_until) VALUES (?, ${position}, ?, ?)
       ON CONFLICT (consumer) DO UPDATE SET owner = excluded.owner, held_until = excluded.held_until
       WHERE owner = excluded.owner OR held_until <= ? OR held_until > ?`,
    );
  return {
    nextPosition: connection.prepare<{ position: number }>(
      "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) + 1 AS position",
    ),
    add: connection.prepare(
      'INSERT INTO events (position, id, type, kind, uid, text, kept) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    mark: connection.prepare('UPDATE event_mark SET pruned = ? WHERE pruned < ?'),
    prune: connection.prepare('DELETE FROM events WHERE position <= ?'),
    claimNow: claimAt('(SELECT coalesce((SELECT max(position) FROM events), pruned) FROM event_mark)'),
    claimOldest: claimAt('0'),
    move: connection.prepare(
      'UPDATE cursors SET position = ?, held_until = ? WHERE consumer = ? AND owner = ?',
    ),
    release: connection.prepare('UPDATE cursors SET held_until = ? WHERE consumer = ? AND owner = ?'),
    bury: connection.prepare(
      `INSERT INTO dead_letters (consumer, position, attempts, error, failed_at, kind, text, kept)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    ),
    unbury: connection.prepare('DELETE FROM dead_letters WHERE id = ?'),
    trimDead: connection.prepare(
      // Not by the distance of their ids: those of letters that were sent again are missing among them.
      'DELETE FROM dead_letters WHERE id <= (SELECT id FROM dead_letters ORDER BY id DESC LIMIT 1 OFFSET ?)',
    ),
  };
}
