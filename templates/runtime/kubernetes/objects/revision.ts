import type { Service } from '../../service/service';
import { FIRST, type Position } from '../../store/events/event-log';
import type { StoredResource } from '../../store/store';
import { badRequest } from '../status/problem';

/** Number of digits of the position within its transaction, in a database that has transactions. */
const DIGITS = 15;

/** Revision of what is older than every event. 0 means "any" to Kubernetes clients. */
export const OLDEST_REVISION = '1';

/**
 * Returns the resourceVersion at a position of the log. It is a decimal number of any length: of the number of the event,
 * behind that of its transaction if it has one. So they compare as the positions do.
 */
export function revisionAt(position: Position): string {
  const [transaction, number] = position.split('-');
  if (number === undefined) return String(Number(transaction) + 1);
  return `${transaction}${String(Number(number) + 1).padStart(DIGITS, '0')}`;
}

/** Returns the position of a resourceVersion. Throws a problem 400 for a string that is none. */
export function positionAt(revision: string): Position {
  if (!/^[1-9]\d{0,33}$/.test(revision))
    throw badRequest(`resourceVersion: Invalid value: ${JSON.stringify(revision.slice(0, 64))}`);
  if (revision === OLDEST_REVISION) return FIRST;
  const number = Math.max(0, Number(revision.slice(-DIGITS)) - 1);
  const transaction = revision.slice(0, -DIGITS);
  return transaction === '' ? String(number) : `${transaction}-${number}`;
}

/** Returns the resourceVersion of a stored resource. One that was last written without an event is older than all. */
export function revisionOf({ position }: Pick<StoredResource, 'position'>): string {
  return position === null ? OLDEST_REVISION : revisionAt(position);
}

/**
 * Returns the resourceVersion of a list that is read afterwards: a watch from it misses nothing, and may repeat changes
 * that the list shows.
 */
export async function listRevision({ events }: Service): Promise<string> {
  return revisionAt(await events.log.newest());
}
