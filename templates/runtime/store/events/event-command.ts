import { type Command, writesOf } from '../command';
import type { Hold, NewDeadLetter, Position } from './event-log';

/** Changes of the event log besides the writes that add to it. Plain data. `now` is in milliseconds since 1970. */
type EventCommand =
  /** Removes the events up to this position. */
  | { action: 'pruneEvents'; upTo: Position }
  /** In conflict while another owner holds the cursor. */
  | { action: 'claimCursor'; hold: Hold; from: 'now' | 'oldest'; now: number }
  /** In conflict when another owner has taken the cursor. */
  | { action: 'moveCursor'; hold: Hold; position: Position; now: number }
  | { action: 'releaseCursor'; hold: Hold; now: number }
  | { action: 'bury'; letter: NewDeadLetter; keep: number; now: number; bytes: number }
  | { action: 'unbury'; id: number };

declare module '../command' {
  interface PartCommands {
    events: EventCommand;
  }
}

/** Returns whether any command of a batch has an event. */
export function hasEvents(batch: readonly Command[]): boolean {
  return batch.some((command) => writesOf(command).some(({ event }) => event !== undefined));
}
