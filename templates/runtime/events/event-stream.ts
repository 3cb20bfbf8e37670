import type { Request, Response } from 'express';
import type { KindDefinition } from '../kind';
import { HttpProblem } from '../problem';
import { parseQuery, type Query } from '../query';
import { requestTarget } from '../request-target';
import { sendEmpty, unknownParameters } from '../respond';
import type { Service } from '../service';
import type { Page } from '../site';
import { PositionGone, type Position } from '../store/event-log';
import type { Batch } from './event-tail';
import { EventView, unknownIn } from './event-view';

/** Beside those that say which events. */
const PARAMETERS = ['lastEventId', 'Last-Event-ID'];
/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 1_000;
/** Events are written together up to this many characters. */
const CHUNK = 64 * 1024;

/**
 * `GET /events`: Server-Sent Events. `data` is a CloudEvent, `id` the position after it, with which a client goes
 * on after a break. The stream begins with the position of its start and repeats it with every keep-alive
 * comment, so that a client to which nothing was sent can go on too.
 */
export function eventStream(service: Service, kinds: KindDefinition[]): Page {
  const { EVENTS_MAX_STREAMS } = service.settings;
  let open = 0;
  return async (req, res) => {
    const query = parseQuery(requestTarget(req.url).query);
    const view = await EventView.of(kinds, req, query);
    const start = await startOf(service, req, query);
    // A client that went meanwhile says so no more: its stream would not end.
    if (res.destroyed) return;
    const { stopping } = service.events;
    if (stopping.aborted) throw new HttpProblem(503, 'The service is stopping.');
    if (open >= EVENTS_MAX_STREAMS) {
      throw new HttpProblem(503, 'Too many clients follow the events.', { headers: { 'Retry-After': '10' } });
    }
    const headers = headersOf(query);
    if (req.method === 'HEAD') return sendEmpty(res, 200, headers);
    open += 1;
    const ending = new AbortController();
    const end = (): void => ending.abort(new Error('the stream has ended'));
    res.on('close', end);
    stopping.addEventListener('abort', end);
    try {
      res.writeHead(200, { ...headers, 'X-Content-Type-Options': 'nosniff' });
      await new Stream(service, res, view, ending.signal).run(start);
    } catch (error) {
      // The client learns it from the 410 of its next request.
      if (!(error instanceof PositionGone)) throw error;
    } finally {
      open -= 1;
      stopping.removeEventListener('abort', end);
      if (!res.destroyed) res.end();
    }
  };
}

function headersOf(query: Query): { [name: string]: string | string[] } {
  const unknown = unknownIn(query, PARAMETERS);
  return {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    // Proxies such as nginx hold answers back otherwise.
    'X-Accel-Buffering': 'no',
    ...(unknown.length > 0 && { Warning: unknownParameters(unknown) }),
  };
}

/**
 * The header comes first: a browser repeats the address with its old query, and tells in the header how far it
 * came.
 */
async function startOf(service: Service, req: Request, query: Query): Promise<Position> {
  const { log } = service.events;
  const [asked] = [
    req.headers['last-event-id'],
    ...(query.get('lastEventId') ?? []),
    ...(query.get('Last-Event-ID') ?? []),
  ].filter((text) => text !== undefined && text !== '');
  if (asked === undefined) return log.newest();
  const position = String(asked);
  if (!log.isPosition(position))
    throw new HttpProblem(400, 'Last-Event-ID must be the id of an event, or 0.');
  try {
    // Not of the tail, which may still have what the log has not.
    await log.read(position, { events: 1, bytes: 1 });
    return position;
  } catch (error) {
    if (!(error instanceof PositionGone)) throw error;
    throw new HttpProblem(410, 'The events after this position are no longer kept; list the resources anew.');
  }
}

/** One client's stream: it reads at its own position, no faster than the client takes. */
class Stream {
  #lastWrite = 0;

  constructor(
    private readonly service: Service,
    private readonly res: Response,
    private readonly view: EventView,
    private readonly signal: AbortSignal,
  ) {}

  /** Resolves when the client has gone, reads too slowly or is too far behind, and when the service stops. */
  async run(start: Position): Promise<void> {
    const { tail } = this.service.events;
    let position = start;
    this.#write(`retry: ${RETRY_MS}\nid: ${start}\n\n`);
    while (!this.signal.aborted) {
      const batch = await tail.read(position);
      if (!(await this.#send(batch))) return;
      position = batch.end;
      if (!batch.more) await this.#rest(batch);
    }
  }

  /** Waits for new events; a silent stream gets a comment now and then. */
  async #rest(batch: Batch): Promise<void> {
    const { tail, settings } = this.service.events;
    const due = this.#lastWrite + settings.EVENTS_KEEP_ALIVE_MS;
    await tail.wait(batch, due - performance.now(), this.signal);
    if (performance.now() >= due && !this.signal.aborted) this.#write(`: keep-alive\nid: ${batch.end}\n\n`);
  }

  /** False when the client does not take what it is sent. No more than a chunk and an event wait for it. */
  async #send({ events }: Batch): Promise<boolean> {
    let chunk = '';
    for (const event of events) {
      if (this.signal.aborted) return false;
      if (!(await this.view.shows(event))) continue;
      chunk += `id: ${event.position}\ndata: ${this.view.text(event)}\n\n`;
      if (chunk.length < CHUNK) continue;
      if (!this.#write(chunk) && !(await this.#drained())) return false;
      chunk = '';
    }
    return chunk === '' || this.#write(chunk) || this.#drained();
  }

  #write(text: string): boolean {
    this.#lastWrite = performance.now();
    return this.res.write(text);
  }

  #drained(): Promise<boolean> {
    const { res, signal } = this;
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (drained: boolean): void => {
        clearTimeout(timer);
        res.off('drain', onDrain);
        signal.removeEventListener('abort', onEnd);
        // What waits in the socket would keep it open for as long as the client likes.
        if (!drained) res.destroy();
        resolve(drained);
      };
      const onDrain = (): void => settle(true);
      const onEnd = (): void => settle(false);
      const timer = setTimeout(onEnd, this.service.settings.EVENTS_SLOW_READER_MS);
      res.on('drain', onDrain);
      signal.addEventListener('abort', onEnd);
    });
  }
}
