import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { KeyedMutex } from '../../concurrency/keyed-mutex';
import { LARGE, turnOfLarge } from '../../concurrency/large-work';
import { parseQuery, type Query } from '../../http/request/query';
import { requestTarget } from '../../http/request/request-target';
import type { Page } from '../../http/responses/page';
import { sendJson } from '../../http/responses/respond';
import type { KindDefinition } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import { textOf } from '../../model/thrown';
import type { Service } from '../../service/service';
import type { DeadLetter } from '../../store/events/event-log';
import { Semaphore } from '../delivery/semaphore';
import { LoggedEvent } from '../log/logged-event';
import { limitOf, PAGE_BYTES, PAGE_LENGTH, STEP } from './dead-letters';
import { EventView, unknownIn } from './event-view';

/** Number of failures in one request after which a consumer is not tried again. */
const FAILURES = 3;

/** Part of the time after which a silent connection is closed that a request may take: its response must come earlier. */
const TIME_PART = 0.5;

/**
 * `POST /events/dead-letters/resend`: delivers dead letters once more, in order, and deletes those that consumers
 * accept. `id` and `consumer`, both repeatable, and the filters of the listing select them. At most `limit` of them are
 * sent, oldest first, and fewer where they are large. An unknown parameter is refused: without it more letters would be
 * sent than intended. The response lists the ids of accepted letters, and the errors of the others; it comes in time, even
 * where a consumer takes long or never ends.
 */
export function resendDeadLetters(service: Service, kinds: KindDefinition[]): Page {
  return async (req, res) => {
    const query = parseQuery(requestTarget(req.url).query);
    checkParameters(query);
    const view = await EventView.ofDeadLetters({ service, kinds }, req, query);
    const reserved = await service.memory.reserve('document', PAGE_BYTES, res);
    const ending = new AbortController();
    const end = (reason: string): void => ending.abort(new Error(reason));
    res.on('close', () => end('the client has gone'));
    const timer = setTimeout(
      () => end('the time of the request is over'),
      service.settings.STALL_TIMEOUT_MS * TIME_PART,
    );
    const signal = AbortSignal.any([ending.signal, service.events.stopping]);
    // Each delivery adds a listener.
    setMaxListeners(0, signal);
    const resending = new Resending(service, signal);
    try {
      const letters = await choose(service, view, query, signal);
      const errors = await Promise.all(letters.map((letter) => resending.resend(letter)));
      sendJson(req, res, 200, {
        sent: letters.flatMap(({ id }, index) => (errors[index] === undefined ? [id] : [])),
        failed: letters.flatMap(({ id, consumer }, index) => {
          const error = errors[index];
          return error === undefined ? [] : [{ id, consumer, error }];
        }),
      });
    } finally {
      clearTimeout(timer);
      end('the request is over');
      reserved.release();
    }
  };
}

function checkParameters(query: Query): void {
  const [unknown] = unknownIn(query, ['id', 'consumer', 'limit']);
  if (unknown !== undefined)
    throw new HttpProblem(400, `There is no query parameter ${JSON.stringify(unknown.slice(0, 64))} here.`);
  if (!(query.get('id') ?? []).every((id) => /^\d{1,15}$/.test(id)))
    throw new HttpProblem(400, 'The query parameter "id" must be the id of a dead letter.');
}

/**
 * Returns the letters that a query selects, as far as they are found until the signal aborts. Throws HttpProblem 503 when none
 * is.
 */
async function choose(
  { events }: Service,
  view: EventView,
  query: Query,
  signal: AbortSignal,
): Promise<DeadLetter[]> {
  const limit = limitOf(query);
  const matches = (name: string, value: string): boolean => query.get(name)?.includes(value) ?? true;
  const chosen: DeadLetter[] = [];
  let length = 0;
  for (let after = Math.min(...(query.get('id') ?? ['1']).map(Number)) - 1; ;) {
    const page = await events.log.deadLetters(after, STEP);
    for (const letter of page) {
      if (!matches('id', String(letter.id)) || !matches('consumer', letter.consumer)) continue;
      if (!(await view.shows(LoggedEvent.ofLetter(letter)))) continue;
      chosen.push(letter);
      length += letter.text.length;
      if (chosen.length === limit || length > PAGE_LENGTH) return chosen;
    }
    if (page.length < STEP || (signal.aborted && chosen.length > 0)) return chosen;
    if (signal.aborted) throw new HttpProblem(503, 'No letter that the request selects was found in time.');
    after = page.at(-1)!.id;
    // Filters may leave out thousands; others get their responses in between.
    await (page.some(({ text }) => text.length >= LARGE) ? turnOfLarge() : setImmediate());
  }
}

/** One attempt for each letter: those of one resource in order, and none after a failed one. */
class Resending {
  readonly #lanes = new KeyedMutex();
  readonly #slots = new Map<string, Semaphore>();
  readonly #failed = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** Rejects when the signal aborts: a handler in this process need not heed it. */
  readonly #ended: Promise<never>;

  constructor(
    private readonly service: Service,
    private readonly signal: AbortSignal,
  ) {
    this.#ended = new Promise((_, reject) => {
      // A signal of several with a listener is never collected: `once` removes it at the end.
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    this.#ended.catch(() => undefined);
  }

  /** Returns the reason of a failure; undefined on success. */
  resend(letter: DeadLetter): Promise<string | undefined> {
    const { consumer } = letter;
    const lane = `${consumer} ${LoggedEvent.ofLetter(letter).uid}`;
    const slots = this.#slots.get(consumer) ?? new Semaphore(this.service.settings.EVENTS_CONCURRENCY);
    this.#slots.set(consumer, slots);
    return this.#lanes.run(lane, () => slots.run(() => this.#try(letter, lane)));
  }

  async #try(letter: DeadLetter, lane: string): Promise<string | undefined> {
    if (this.signal.aborted) return `not tried: ${(this.signal.reason as Error).message}`;
    const failures = this.#failures.get(letter.consumer) ?? 0;
    if (failures >= FAILURES) return 'not tried: others for this consumer failed';
    if (this.#failed.has(lane)) return 'not tried: an earlier one of this resource failed';
    try {
      await Promise.race([this.service.events.resend(letter, this.signal), this.#ended]);
      return undefined;
    } catch (error) {
      this.#failed.add(lane);
      this.#failures.set(letter.consumer, (this.#failures.get(letter.consumer) ?? 0) + 1);
      return textOf(error);
    }
  }
}
