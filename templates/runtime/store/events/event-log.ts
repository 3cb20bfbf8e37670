import { type Command, writesOf } from '../command';
import type { MaybePromise, Position } from '../stored-resource';

export type { Position };

/** The position before the oldest stored event, whatever has been pruned. */
export const OLDEST: Position = '0';

/** The position before the first event that was ever stored: it is gone once that has been removed. */
export const FIRST: Position = '00';

/**
 * Returns whether a string has the form of a position of any database: one number, or two on PostgreSQL. A position
 * of another database is not malformed: its client must list again.
 */
export function isPosition(text: string): boolean {
  return text === FIRST || /^(?:[1-9]\d{0,18}-)?(?:0|[1-9]\d{0,14})$/.test(text);
}

/** A stored event. */
export interface StoredEvent {
  /** The position after this event. */
  position: Position;
  type: string;
  /** `<group>/<Kind>` */
  kind: string;
  uid: string;
  /** Time of storage, in milliseconds since 1970, whole seconds. */
  writtenAt: number;
  /** The whole CloudEvent as JSON text. */
  text: string;
  /** Preserved fields of its resource, as JSON text; null for none. */
  kept: string | null;
}

/** Maximum size of one read; it returns at least one event, if there is one. */
export interface ReadLimit {
  events: number;
  /** Size of the texts and of what is stored next to them, in UTF-8: no more than the event with which they reach it. A store may count characters instead. */
  bytes: number;
}

/** Limits of the stored log. */
export interface Retention {
  events: number;
  days: number;
}

/** One process's lease of the cursor of a consumer: while it lasts, no other process delivers to that consumer. */
export interface Hold {
  consumer: string;
  /** The holder: unique for each process. */
  owner: string;
  /** Duration from now, in milliseconds. */
  leaseMs: number;
}

/**
 * Maximum remaining time of a hold, in leases of the process that asks. A longer one was taken while the clock was ahead, and
 * is ignored. The margin is for processes with different leases, as during a deployment.
 */
export const LONGEST_HOLD = 10;

/** An event that a consumer did not accept, and the reason. */
export interface NewDeadLetter {
  consumer: string;
  position: Position;
  attempts: number;
  error: string;
  /** `<group>/<Kind>` */
  kind: string;
  /** The whole CloudEvent as JSON text. */
  text: string;
  /** Data stored next to the event's text; null for none. */
  kept: string | null;
}

/** A stored dead letter. */
export interface DeadLetter extends NewDeadLetter {
  /** Ascending. */
  id: number;
  /** Milliseconds since 1970. */
  failedAt: number;
}

/**
 * The events of a store in the order in which their writes were committed, and the progress of each consumer. An event
 * is visible only when all earlier ones are: a read up to a position stays complete. All methods throw StoreUnavailable
 * when the store cannot be reached or written.
 */
export interface EventLog {
  /** Returns the position after the newest event; FIRST where there has been none, since OLDEST passes over removed events. */
  newest(): MaybePromise<Position>;
  /**
   * Returns the events after a position; empty at the end. Throws PositionGone when some of them have been removed, and
   * when the position is of another log.
   */
  read(after: Position, limit: ReadLimit): MaybePromise<StoredEvent[]>;
  /**
   * Calls back when there are new events, soon after the commit in this process and within `pollMs` after one in
   * another. Returns the function that ends the watch.
   */
  watch(onChange: () => void, pollMs: number): () => void;
  /**
   * Removes up to `bite` of the oldest events beyond the retention; returns whether there may be more. Events that a
   * consumer of the last hour has not received are spared until they are too old.
   */
  prune(retention: Retention, bite: number): Promise<boolean>;
  /**
   * Leases a consumer's cursor; a new one starts at `from`. Returns the consumer's position, or undefined while another
   * process holds it.
   */
  claim(hold: Hold, from: 'now' | 'oldest'): Promise<Position | undefined>;
  /** Stores the consumer's position and renews the lease. Returns false when another process has it: nothing was stored. */
  advance(hold: Hold, position: Position): Promise<boolean>;
  /** Ends the lease, so that another process need not wait for its expiry. */
  release(hold: Hold): Promise<void>;
  /** Stores an event as a dead letter of a consumer, once; only the newest `keep` dead letters stay. */
  bury(letter: NewDeadLetter, keep: number): Promise<void>;
  /** Returns the dead letters after the one with the id `after`, oldest first. */
  deadLetters(after: number, limit: number): MaybePromise<DeadLetter[]>;
  /** Deletes the dead letter with this id, if there is one. */
  unbury(id: number): Promise<void>;
}

/** Some events after this position have been removed, or it is not of this log: the reader must list anew. */
export class PositionGone extends Error {
  override name = 'PositionGone';
}

/** Returns whether any command of a batch has an event. */
export function hasEvents(batch: readonly Command[]): boolean {
  return batch.some((command) => writesOf(command).some(({ event }) => event !== undefined));
}

declare module '../store' {
  interface StoreParts {
    /** The events that were written with the resources; absent in a service without events. */
    events?: EventLog;
  }
}
