import type { Hold, NewDeadLetter, Position } from './event-log';

/** Changes of the event log besides the writes that add to it. Plain data. `now` is in milliseconds since 1970. */
export type EventCommand =
  /** Removes the events up to this position. */
  | { action: 'pruneEvents'; upTo: Position }
  /** In conflict while another owner holds the cursor. */
  | { action: 'claimCursor'; hold: Hold; from: 'now' | 'oldest'; now: number }
  /** In conflict when another owner has taken the cursor. */
  | { action: 'moveCursor'; hold: Hold; position: Position; now: number }
  | { action: 'releaseCursor'; hold: Hold; now: number }
  | { action: 'bury'; letter: NewDeadLetter; keep: number; now: number }
  | { action: 'unbury'; id: number };
