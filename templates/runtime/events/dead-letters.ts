import type { KindDefinition } from '../kind';
import { PAGE_LENGTH } from '../list-rows';
import { HttpProblem } from '../problem';
import { parseQuery, type Query } from '../query';
import { requestTarget } from '../request-target';
import { send, unknownParameters } from '../respond';
import type { Service } from '../service';
import type { Page } from '../site';
import type { DeadLetter, EventLog } from '../store/event-log';
import { EventView, unknownIn } from './event-view';
import { LoggedEvent } from './logged-event';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** How many are read at once: each may hold an event as large as a resource. */
const STEP = 8;

/**
 * `GET /events/dead-letters`: the events that were given up, oldest first, with whom they were for and what went
 * wrong; of those that the client may see. `limit` and `after`, an id, page through them: the next page is in
 * `Link`. A page of large events ends early.
 */
export function deadLetters(service: Service, kinds: KindDefinition[]): Page {
  return async (req, res) => {
    const query = parseQuery(requestTarget(req.url).query);
    const view = await EventView.of(kinds, req, query);
    const { texts, next } = await pageOf(
      service.store.events,
      view,
      limitOf(query),
      integer(query, 'after', 0) ?? 0,
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

/** Up to so many letters behind one, those that are shown as texts; `next` is behind which others may follow. */
async function pageOf(
  log: EventLog,
  view: EventView,
  limit: number,
  start: number,
): Promise<{ texts: string[]; next: number | undefined }> {
  const texts: string[] = [];
  let [next, left, length] = [start, limit, 0];
  while (left > 0 && length <= PAGE_LENGTH) {
    const asked = Math.min(left, STEP);
    const letters = await log.deadLetters(next, asked);
    for (const letter of letters) {
      const event = LoggedEvent.ofLetter(letter);
      if (await view.shows(event)) texts.push(textOf(letter, view.text(event)));
      length += event.text.length;
      next = letter.id;
    }
    if (letters.length < asked) return { texts, next: undefined };
    left -= asked;
  }
  return { texts, next };
}

/** How many letters a query asks for. Throws HttpProblem 400. */
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
