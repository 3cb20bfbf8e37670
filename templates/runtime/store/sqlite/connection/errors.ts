import { StoreBusy } from '../../retry-busy';
import { StoreUnavailable } from '../../store';

/** SQLite's primary result codes (https://sqlite.org/rescode.html) that are no mistake of the caller. */
const REASONS: { [code: number]: string } = {
  3: 'access to the database file is denied',
  7: 'SQLite is out of memory',
  8: 'the database file cannot be written',
  10: 'reading or writing the database file failed',
  11: 'the database file is damaged',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
  15: 'the locks of the database file do not work',
  26: 'the database file is not a SQLite database',
};

const BUSY = new Set([5, 6]);

/**
 * The same codes by SQLite's own messages: the package that stands in for `node:sqlite` leaves codes out of the errors
 * of `all`.
 */
const CODES: { [message: string]: number } = {
  'access permission denied': 3,
  'database is locked': 5,
  'database table is locked': 6,
  'out of memory': 7,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'locking protocol': 15,
  'file is not a database': 26,
};

/** Returns the primary result code of an error that the driver threw; undefined for any other error. */
function resultCode(error: unknown): number | undefined {
  if (member(error, 'code') !== 'ERR_SQLITE_ERROR') return undefined;
  const code = member(error, 'errcode');
  return typeof code === 'number' ? code & 0xff : CODES[String(member(error, 'message'))];
}

/** Not by `instanceof Error`: an error of native code may come from another realm. */
function member(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

/** Returns whether the file itself is unusable: not a database, or damaged. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return code === 11 || code === 26;
}

/**
 * Returns the error to pass on for one of the driver or the file system: StoreBusy, StoreUnavailable, or the error
 * itself where it is a defect of this program. `committing` means that COMMIT threw it: when the disk failed there, the
 * transaction may come back after a crash.
 */
export function storeError(error: unknown, committing = false): unknown {
  if (member(error, 'syscall') !== undefined) {
    return new StoreUnavailable(String(member(error, 'message')), false, { cause: error });
  }
  const code = resultCode(error);
  if (code === undefined) return error;
  if (BUSY.has(code))
    return new StoreBusy('another process holds the lock of the database', false, { cause: error });
  const reason = REASONS[code];
  return reason === undefined
    ? error
    : new StoreUnavailable(reason, committing && code === 10, { cause: error });
}

/** Runs an action that reads, and replaces its errors by those to pass on. */
export function guard<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw storeError(error);
  }
}
