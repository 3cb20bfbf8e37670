/**
 * A position in the log, as a string that only the store reads: after one event, before the next. It is the same for
 * every reader and every process. `0` is the position before the oldest stored event.
 */
export type Position = string;

/** The position before the oldest stored event, whatever has been pruned. */
export const OLDEST: Position = '0';

/** The position before the first event that was ever stored: it is gone once that has been removed. */
export const FIRST: Position = '00';

/**
 * Returns whether a string has the form of a position of any database: one number, or two on PostgreSQL. A position
 * of another database is no malformed one: its client must list anew.
 */
export function isPosition(text: string): boolean {
  return /^(?:\d{1,19}-)?\d{1,15}$/.test(text);
}
