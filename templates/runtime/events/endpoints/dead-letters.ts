import { parseQuery, type Query } from '../../http/request/query';
import { requestTarget } from '../../http/request/request-target';
import type { Page } from '../../http/responses/page';
import { send, unknownParameters } from '../../http/responses/respond';
import type { KindDefinition } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import type { Service } from '../../service/service';
import type { DeadLetter, EventLog } from '../../store/events/event-log';
import { LoggedEvent } from '../log/logged-event';
import { EventView, unknownIn } from './event-view';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** Number of letters per read: each may hold an event as large as a resource. */
export const STEP = 8;
/** Maximum length of a page or of a resend, in characters; it ends with the letter that reaches it. */
export const PAGE_LENGTH = 1_048_576;
/** Memory for a page and for one read. */
export const PAGE_BYTES = 8 * 1_048_576;

/**
 * `GET /events/dead-letters`: the events that were given up, oldest first, each with its consumer and error, as far as
 * the client may see them. `limit` and `after`, an id, page through them; the next page is in `Link`. A page of large
 * events ends early.
 */
export function deadLetters(service: Service, kinds: KindDefinition[]): Page {
  return async (req, res) => {
    const query = parseQuery(requestTarget(req.url).query);
    const view = await EventView.ofDeadLetters({ service, kinds }, req, query);
    const [limit, start] = [limitOf(query), integer(query, 'after', 0) ?? 0];
    const reserved = await service.memory.reserve('response', PAGE_BYTES, res);
    const { texts, next } = await pageOf(service.events.log, view, limit, start).finally(() =>
      reserved.release(),
    );
    const unknown = unknownIn(query, ['limit', 'after']);
    const headers: { [name: string]: string | string[] } = {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      Vary: 'Accept',
      ...(unknown.length > 0 && { Warning: unknownParameters(unknown) }),
    };
    if (next !== undefined) headers['Link'] = `</events/dead-letters?${nextQuery(query, next)}>; rel="next"`;
    send(req, res, 200, headers, `[${texts.join(',')}]`);
  };
}

/** Reads a page of letters after an id, as texts; `next` is the id after which others may follow. */
async function pageOf(
  log: EventLog,
  view: EventView,
  limit: number,
  start: number,
): Promise<{ texts: string[]; next: number | undefined }> {
  const texts: string[] = [];
  let [next, length] = [start, 0];
  while (texts.length < limit && length <= PAGE_LENGTH) {
    const letters = await log.deadLetters(next, STEP);
    for (const letter of letters) {
      if (texts.length === limit) return { texts, next };
      const event = LoggedEvent.ofLetter(letter);
      if (await view.shows(event)) texts.push(textOf(letter, view.text(event)));
      length += event.text.length;
      next = letter.id;
    }
    if (letters.length < STEP) return { texts, next: undefined };
  }
  return { texts, next };
}

/** Returns the number of letters that a query asks for. Throws HttpProblem 400. */
export function limitOf(query: Query): number {
  return Math.min(integer(query, 'limit', 1) ?? DEFAULT_LIMIT, MAX_LIMIT);
}

function integer(query: Query, name: string, least: number): number | undefined {
  const [text] = query.get(name) ?? [];
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
  throw new HttpProblem(400, `The query parameter "${name}" must be an integer of ${least} or more.`);
}

function nextQuery(query: Query, after: number): string {
  const next = new URLSearchParams();
  for (const [name, values] of query)
    if (name !== 'after') for (const value of values) next.append(name, value);
  next.append('after', String(after));
  return next.toString();
}

function textOf({ id, consumer, attempts, error, failedAt }: DeadLetter, event: string): string {
  const letter = JSON.stringify({
    id,
    consumer,
    attempts,
    error,
    failedAt: new Date(failedAt).toISOString(),
  });
  return `${letter.slice(0, -1)},"event":${event}}`;
}
