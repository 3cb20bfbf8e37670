import { StoreBusy } from '../../retry-busy';
import { OTHER_DECLARATIONS, OtherDeclarations, StoreUnavailable, UPGRADED } from '../../store';

/**
 * Conflicts of transactions, lock time-outs, and a former transaction whose `COMMIT` was cancelled: the same statement may
 * succeed when it is repeated.
 */
const REPEATABLE = new Set(['40001', '40P01', '55P03', '25P02']);

/**
 * Conditions of the server that are no mistake of the caller
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html), by the start of their SQLSTATE.
 */
const UNAVAILABLE = [
  '08',
  '25006',
  '25P03',
  '25P04',
  '28',
  '3D000',
  '42501',
  '42P01',
  '53',
  '57',
  '58',
  'XX',
];

/** Functions of the server that fail when its transaction ids are used up, until a vacuum. Others fail with the same SQLSTATE. */
const NO_IDS = ['GetNewTransactionId', 'GetNewMultiXactId'];

/** Conditions after which the connection is gone: the server ended it, also for a transaction that took too long. */
const ENDED = ['08', '25P03', '25P04', '57P'];

/** An error response of the server has a severity; without one, the connection failed. */
interface ServerError {
  severity: string;
  code: string;
  message: string;
  /** The function of the server that failed. */
  routine?: string;
}

/** Returns whether an error is the response of a server. */
export function isServerError(error: unknown): error is ServerError {
  return typeof error === 'object' && error !== null && 'severity' in error && 'code' in error;
}

const startsWith = (code: string, starts: readonly string[]): boolean =>
  starts.some((start) => code.startsWith(start));

/** Names of the errors that `pg` and the network throw when a connection fails. Defects and errors of a store have others. */
const CONNECTION_ERRORS = new Set(['Error', 'AggregateError']);

/** Returns whether an error of `pg` means that the connection is lost. */
export function isConnectionLoss(error: unknown): boolean {
  return isServerError(error) ? startsWith(error.code, ENDED) : CONNECTION_ERRORS.has(nameOf(error));
}

/** Returns whether a session of the server takes no writes: another may, where the setting or the server has changed. */
export function isReadOnly(error: unknown): boolean {
  return isServerError(error) && error.code === '25006';
}

/** No such prepared statement, and one of this name that another client of the session has prepared. */
const UNPREPARED = ['26000', '42P05'];

/** The start of the message with which a transaction fails on another server than that of its connection. */
export const OTHER_SERVER = 'a pooler has changed over to a server';

/** Returns whether a transaction did nothing because a pooler sent it to another server. */
export function isOtherServer(error: unknown): boolean {
  return isServerError(error) && error.code === '22P02' && error.message.includes(OTHER_SERVER);
}

/** Returns whether a statement was not run because it was prepared in another session of the server. */
export function isUnprepared(error: unknown): boolean {
  return isServerError(error) && UNPREPARED.includes(error.code);
}

/** A taken key, a reference without a target, and the division by zero with which a transaction aborts itself. */
const [VIOLATIONS, DIVISION] = [['23505', '23503'], '22012'];

/** Returns whether a transaction failed because of what another one has just written. */
export function isViolation(error: unknown): boolean {
  return isServerError(error) && VIOLATIONS.includes(error.code);
}

/** Returns whether a transaction aborted itself. */
export function hasGivenUp(error: unknown): boolean {
  return isServerError(error) && error.code === DIVISION;
}

/** Returns whether the server ended the connection on somebody's request. */
export function isTermination(error: unknown): boolean {
  return isServerError(error) && error.code === '57P01';
}

/** Returns whether the server has no connection left, for anybody or for this user or database. */
export function isFull(error: unknown): boolean {
  const refusal = error instanceof StoreUnavailable ? error.cause : error;
  return isServerError(refusal) && refusal.code === '53300';
}

function nameOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
}

/**
 * Returns the error to pass on for one of `pg`: StoreBusy, StoreUnavailable, or the error itself where it is a defect
 * of this program. `writing` means that it came during a write: when the connection was lost then, the write may have
 * been made.
 */
export function storeError(error: unknown, writing = false): unknown {
  if (!isServerError(error)) {
    if (!isConnectionLoss(error)) return error;
    return new StoreUnavailable(`the connection to PostgreSQL failed: ${reasonOf(error)}`, writing, {
      cause: error,
    });
  }
  if (REPEATABLE.has(error.code) || isOtherServer(error))
    return new StoreBusy(error.message, false, { cause: error });
  const others = kindsOfOthers(error);
  if (others !== undefined) return new OtherDeclarations(others);
  const isUnavailable = startsWith(error.code, UNAVAILABLE) || NO_IDS.includes(error.routine ?? '');
  if (!isUnavailable && !isUpgraded(error)) return error;
  return new StoreUnavailable(`PostgreSQL: ${error.message}`, writing && isConnectionLoss(error), {
    cause: error,
  });
}

/** Returns whether `CURRENT_SCHEMA` failed a transaction. */
function isUpgraded({ code, message }: { code: string; message: string }): boolean {
  return code === '22P02' && message.includes(UPGRADED);
}

/** Returns the kinds for which `sameDeclarations` failed a transaction. */
function kindsOfOthers({ code, message }: ServerError): string[] | undefined {
  if (code !== '22P02') return undefined;
  return new RegExp(`${OTHER_DECLARATIONS} (.+) [.]`).exec(message)?.[1].split(' ');
}

/** The start of the message of `pg` for a server that demands a password, where there is none. */
const NO_PASSWORD = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a';

/** Returns the message of an error of `pg`. Where several IP addresses of a host were tried, it has none but those of each. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map((each) => reasonOf(each)).join('; ');
  const { message, code } = error as { message?: string; code?: string };
  if (message?.startsWith(NO_PASSWORD)) return 'the server demands a password; DATABASE_URL has none';
  return message || code || 'no reason is known';
}
