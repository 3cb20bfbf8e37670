import { ApiError, ConnectionError, ResponseTooLargeError, TimeoutError } from '../client/errors';
import { CommandFailure, UsageError } from './definition';
import { printable } from './output';

/** Errors whose message is enough for a user. */
const REPORTED = [ConnectionError, TimeoutError, ResponseTooLargeError, UsageError, CommandFailure];

/** Returns the message of an error for users. Rethrows errors that are not of the service, the network or the user. */
export function explain(error: unknown): string {
  return linesOf(error)
    .map((line) => `${printable(line)}\n`)
    .join('');
}

function linesOf(error: unknown): string[] {
  if (error instanceof ApiError) {
    const { errors = [], referrers = [] } = error.problem;
    const fields = errors.map(({ pointer, rule, detail }) => `  ${pointer}: ${detail} (${rule})`);
    const others = referrers.map(({ kind, uid, name, pointer }) => `  ${kind} ${name} (${uid}): ${pointer}`);
    return [error.message, ...fields, ...others];
  }
  if (REPORTED.some((type) => error instanceof type)) return (error as Error).message.split('\n');
  throw error;
}
