import type { KindDefinition } from '../kind';
import { HttpProblem } from '../problem';
import { parseQuery, type Query } from '../query';
import { requestTarget } from '../request-target';
import { sendJson } from '../respond';
import type { Service } from '../service';
import type { Page } from '../site';
import type { DeadLetter } from '../store/event-log';
import { Turns } from '../turns';
import { limitOf } from './dead-letters';
import { EventView, unknownIn } from './event-view';
import { LoggedEvent } from './logged-event';
import { Slots } from './slots';

/** How many are read at once. */
const PAGE = 100;
/** A consumer that failed so often in one request is not asked again. */
const FAILURES = 3;

/**
 * `POST /events/dead-letters/resend`: delivers dead letters once more, in their order, and forgets those that are
 * taken. Which, say `id` and `consumer`, both repeatable, and what the listing is filtered by; up to `limit` of them,
 * the oldest. A parameter that is not known is refused: without it more would be sent than was meant. The answer has the ids
 * of those that were taken, and why the others were not.
 */
export function resendDeadLetters(service: Service, kinds: KindDefinition[]): Page {
  return async (req, res) => {
    const query = parseQuery(requestTarget(req.url).query);
    checkParameters(query);
    const view = await EventView.of(kinds, req, query);
    const letters = await choose(service, view, query);
    const left = new AbortController();
    res.on('close', () => left.abort(new Error('the client has gone')));
    const resending = new Resending(service, AbortSignal.any([left.signal, service.events.stopping]));
    const errors = await Promise.all(letters.map((letter) => resending.resend(letter)));
    sendJson(req, res, 200, {
      sent: letters.flatMap(({ id }, index) => (errors[index] === undefined ? [id] : [])),
      failed: letters.flatMap(({ id, consumer }, index) => {
        const error = errors[index];
        return error === undefined ? [] : [{ id, consumer, error }];
      }),
    });
  };
}

function checkParameters(query: Query): void {
  const [unknown] = unknownIn(query, ['id', 'consumer', 'limit']);
  if (unknown !== undefined)
    throw new HttpProblem(400, `There is no query parameter ${JSON.stringify(unknown.slice(0, 64))} here.`);
  if (!(query.get('id') ?? []).every((id) => /^\d{1,15}$/.test(id)))
    throw new HttpProblem(400, 'The query parameter "id" must be the id of a dead letter.');
}

async function choose({ events }: Service, view: EventView, query: Query): Promise<DeadLetter[]> {
  const limit = limitOf(query);
  const matches = (name: string, value: string): boolean => query.get(name)?.includes(value) ?? true;
  const chosen: DeadLetter[] = [];
  for (let after = 0; ;) {
    const page = await events.log.deadLetters(after, PAGE);
    for (const letter of page) {
      if (!matches('id', String(letter.id)) || !matches('consumer', letter.consumer)) continue;
      if (await view.shows(LoggedEvent.ofLetter(letter))) chosen.push(letter);
      if (chosen.length === limit) return chosen;
    }
    if (page.length < PAGE) return chosen;
    after = page.at(-1)!.id;
  }
}

/** One try for each letter: those of one resource in their order, and none after one that failed. */
class Resending {
  readonly #lanes = new Turns();
  readonly #slots = new Map<string, Slots>();
  readonly #failed = new Set<string>();
  readonly #failures = new Map<string, number>();

  constructor(
    private readonly service: Service,
    private readonly signal: AbortSignal,
  ) {}

  /** Why it was not taken; undefined when it was. */
  resend(letter: DeadLetter): Promise<string | undefined> {
    const { consumer } = letter;
    const lane = `${consumer} ${LoggedEvent.ofLetter(letter).uid}`;
    const slots = this.#slots.get(consumer) ?? new Slots(this.service.settings.EVENTS_CONCURRENCY);
    this.#slots.set(consumer, slots);
    return this.#lanes.take(lane, () => slots.run(() => this.#try(letter, lane)));
  }

  async #try(letter: DeadLetter, lane: string): Promise<string | undefined> {
    const failures = this.#failures.get(letter.consumer) ?? 0;
    if (failures >= FAILURES) return 'not tried: others for this consumer failed';
    if (this.#failed.has(lane)) return 'not tried: an earlier one of this resource failed';
    try {
      this.signal.throwIfAborted();
      await this.service.events.resend(letter, this.signal);
      return undefined;
    } catch (error) {
      this.#failed.add(lane);
      this.#failures.set(letter.consumer, (this.#failures.get(letter.consumer) ?? 0) + 1);
      return error instanceof Error ? error.message : String(error);
    }
  }
}
