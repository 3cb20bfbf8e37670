import { StoreBusy } from '../../retry-busy';
import { StoreUnavailable } from '../../store';

/** A primary result code of SQLite that is no mistake of the caller (https://sqlite.org/rescode.html). */
interface Result {
  code: number;
  /** SQLite's own message: the package that stands in for `node:sqlite` leaves codes out of the errors of `all`. */
  message: string;
  /** Absent where another process holds a lock. */
  reason?: string;
}

const RESULTS: readonly Result[] = [
  { code: 3, message: 'access permission denied', reason: 'access to the database file is denied' },
  { code: 5, message: 'database is locked' },
  { code: 6, message: 'database table is locked' },
  { code: 7, message: 'out of memory', reason: 'SQLite is out of memory' },
  { code: 8, message: 'attempt to write a readonly database', reason: 'the database file cannot be written' },
  { code: 10, message: 'disk I/O error', reason: 'reading or writing the database file failed' },
  { code: 11, message: 'database disk image is malformed', reason: 'the database file is damaged' },
  { code: 13, message: 'database or disk is full', reason: 'the disk is full' },
  { code: 14, message: 'unable to open database file', reason: 'the database file cannot be opened' },
  { code: 15, message: 'locking protocol', reason: 'the locks of the database file do not work' },
  { code: 26, message: 'file is not a database', reason: 'the database file is not a SQLite database' },
];

/** Returns the primary result of an error that the driver threw; undefined for any other error. */
function resultOf(error: unknown): Result | undefined {
  if (member(error, 'code') !== 'ERR_SQLITE_ERROR') return undefined;
  const code = member(error, 'errcode');
  return typeof code === 'number'
    ? RESULTS.find((result) => result.code === (code & 0xff))
    : RESULTS.find(({ message }) => message === member(error, 'message'));
}

/** Not by `instanceof Error`: an error of native code may come from another realm. */
function member(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

/** Returns whether the file itself is unusable: not a database, or damaged. */
export function isDamage(error: unknown): boolean {
  const code = resultOf(error)?.code;
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
  const result = resultOf(error);
  if (result === undefined) return error;
  const { code, reason } = result;
  if (reason === undefined)
    return new StoreBusy('another process holds the lock of the database', false, { cause: error });
  return new StoreUnavailable(reason, committing && code === 10, { cause: error });
}

/** Runs an action, and replaces its errors by those to pass on. */
export function guard<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw storeError(error);
  }
}
