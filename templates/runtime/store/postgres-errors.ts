import { StoreBusy } from './retry-busy';
import { StoreUnavailable } from './store';

/** Conflicts of transactions, and locks not had in time: the same statement may succeed when it is repeated. */
const REPEATABLE = new Set(['40001', '40P01', '55P03']);

/**
 * Conditions of the server that are no mistake of the caller
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html), by the start of their SQLSTATE.
 */
const UNAVAILABLE = ['08', '25006', '28', '3D000', '42501', '53', '57', '58', 'XX'];

/** Those of them after which the connection is gone: the server ended it. */
const ENDED = ['08', '57P'];

/** What the server answers with an error has a severity; without one, the connection failed. */
interface ServerError {
  severity: string;
  code: string;
  message: string;
}

function isServerError(error: unknown): error is ServerError {
  return typeof error === 'object' && error !== null && 'severity' in error && 'code' in error;
}

const startsWith = (code: string, starts: readonly string[]): boolean =>
  starts.some((start) => code.startsWith(start));

/** What `pg` and the network throw when a connection fails has these names, not those of defects or of a store. */
const CONNECTION_ERRORS = new Set(['Error', 'AggregateError']);

/** Whether an error that `pg` gave means that the connection is of no more use. */
export function isConnectionLoss(error: unknown): boolean {
  return isServerError(error) ? startsWith(error.code, ENDED) : CONNECTION_ERRORS.has(nameOf(error));
}

/** Whether the server ended the connection because somebody told it to. */
export function isTermination(error: unknown): boolean {
  return isServerError(error) && error.code === '57P01';
}

function nameOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
}

/**
 * The error to pass on for one that `pg` gave: StoreBusy, StoreUnavailable, or the error itself where it is a defect
 * of this program. `writing` tells that it came while a write was under way: when the connection was lost then, the
 * write may have been made.
 */
export function storeError(error: unknown, writing = false): unknown {
  if (!isServerError(error)) {
    if (!isConnectionLoss(error)) return error;
    return new StoreUnavailable(`the connection to PostgreSQL failed: ${reasonOf(error)}`, writing, {
      cause: error,
    });
  }
  if (REPEATABLE.has(error.code)) return new StoreBusy(error.message, false, { cause: error });
  if (!startsWith(error.code, UNAVAILABLE)) return error;
  return new StoreUnavailable(`PostgreSQL: ${error.message}`, writing && isConnectionLoss(error), {
    cause: error,
  });
}

/** Where several addresses of a host were tried, the error has no message but a code. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || 'no reason is known';
}
