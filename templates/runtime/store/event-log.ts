import type { MaybePromise } from './store';

/**
 * A place in the log, as text that only the store reads: after an event, before the one that follows. It is the
 * same for every reader and every process. `0` is the place before the oldest event that is kept.
 */
export type Position = string;

/** Before the oldest event that is kept, whatever has been pruned. */
export const OLDEST: Position = '0';

/** A stored event. */
export interface StoredEvent {
  /** The place after this event. */
  position: Position;
  type: string;
  /** `<group>/<Kind>` */
  kind: string;
  uid: string;
  /** When it was stored, in milliseconds since 1970, whole seconds. */
  writtenAt: number;
  /** The whole CloudEvent as JSON text. */
  text: string;
  /** What spokes keep aside of its resource, as JSON text; null for nothing. */
  kept: string | null;
}

/** How much one read brings at most; it brings one event at least, where there is one. */
export interface ReadLimit {
  events: number;
  bytes: number;
}

/** What of the log is kept. */
export interface Retention {
  events: number;
  days: number;
}

/** One process's hold on the cursor of a consumer: while it lasts, no other process delivers to that consumer. */
export interface Hold {
  consumer: string;
  /** Who holds it: unique for each process. */
  owner: string;
  /** How long from now, in milliseconds. */
  leaseMs: number;
}

/** An event that a consumer did not take, and why. */
export interface NewDeadLetter {
  consumer: string;
  position: Position;
  attempts: number;
  error: string;
  /** `<group>/<Kind>` */
  kind: string;
  /** The whole CloudEvent as JSON text. */
  text: string;
  /** What the event has beside its text; null for nothing. */
  kept: string | null;
}

/** A dead letter as it is kept. */
export interface DeadLetter extends NewDeadLetter {
  /** Grows with each. */
  id: number;
  /** Milliseconds since 1970. */
  failedAt: number;
}

/**
 * The events of a store in the order in which their writes were committed, and how far each consumer has come. An
 * event is seen only when all that come before it are: what was read up to a position stays complete. All methods
 * throw StoreUnavailable when the store cannot be reached or written.
 */
export interface EventLog {
  /** Whether a text has the form of a position. */
  isPosition(text: string): boolean;
  /** The place after the newest event. */
  newest(): MaybePromise<Position>;
  /** The events after a position; empty at the end. Throws PositionGone when some of them are no longer kept. */
  read(after: Position, limit: ReadLimit): MaybePromise<StoredEvent[]>;
  /**
   * Calls back when there are new events, soon after the commit in this process and within `pollMs` after one in
   * another. Returns what ends it.
   */
  watch(onChange: () => void, pollMs: number): () => void;
  /**
   * Removes up to `bite` of the oldest events beyond the retention; tells whether there may be more. Events that
   * a consumer of the last hour has not had are spared until they are too old.
   */
  prune(retention: Retention, bite: number): Promise<boolean>;
  /**
   * Takes hold of a consumer's cursor, which is made at `from` when it is new. Returns where the consumer is, or
   * undefined while another holds it.
   */
  claim(hold: Hold, from: 'now' | 'oldest'): Promise<Position | undefined>;
  /** Stores how far the consumer is and renews the hold. False when the hold is lost: nothing was stored. */
  advance(hold: Hold, position: Position): Promise<boolean>;
  /** Gives the hold back, so that another need not wait for its end. */
  release(hold: Hold): Promise<void>;
  /** Puts an event aside for a consumer, once; of all dead letters the newest `keep` stay. */
  bury(letter: NewDeadLetter, keep: number): Promise<void>;
  /** The dead letters after the one with the id `after`, oldest first. */
  deadLetters(after: number, limit: number): MaybePromise<DeadLetter[]>;
  /** Forgets the dead letter with this id, if there is one. */
  unbury(id: number): Promise<void>;
}

/** The events after this position are not all kept, or it is not of this log: the reader must list anew. */
export class PositionGone extends Error {
  override name = 'PositionGone';
}
