import { nextQuery } from '../../../../templates/client/listing';
import { connection } from '../../data/api';
import type { ResourceEvent } from '../../data/use-events';

/** An event that was given up for one consumer. */
export interface DeadLetter {
  id: number;
  consumer: string;
  attempts: number;
  error: string;
  failedAt: string;
  event: ResourceEvent;
}

/** Letters on one page. */
const PAGE_SIZE = 50;

/** A page of letters, oldest first. */
export interface LetterPage {
  letters: DeadLetter[];
  /** The position of the next page; absent on the last one. */
  next?: string;
}

/** The result of a resend. */
export interface Resent {
  sent: number[];
  failed: { id: number; consumer: string; error: string }[];
}

/** Reads the letters after a position. */
export async function readLetters(after: string | undefined, signal: AbortSignal): Promise<LetterPage> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(after && { after }) });
  const call = { method: 'GET', path: `/events/dead-letters?${query}` } as const;
  const { value, headers } = await connection.send<DeadLetter[]>(call, { signal });
  const next = new URLSearchParams(nextQuery(headers.get('Link') ?? '')).get('after') ?? undefined;
  return { letters: value, next };
}

/** Delivers letters once more; those that are accepted disappear. */
export async function resend(ids: number[]): Promise<Resent> {
  const query = new URLSearchParams([...ids.map((id) => ['id', String(id)]), ['limit', String(ids.length)]]);
  const path = `/events/dead-letters/resend?${query}`;
  return (await connection.send<Resent>({ method: 'POST', path })).value;
}
