import type { Request } from 'express';
import { parseQuery, type Query } from '../../http/request/query';
import { requestTarget } from '../../http/request/request-target';
import type { Page } from '../../http/responses/page';
import { sendEmpty, unknownParameters, writeHead } from '../../http/responses/respond';
import type { KindDefinition } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import type { Service } from '../../service/service';
import { isPosition, type Position, PositionGone } from '../../store/events/event-log';
import { LogStream, type StreamForm } from '../log/log-stream';
import { STREAM_HEADERS } from '../log/open-streams';
import { EventView, unknownIn } from './event-view';

/** Parameters besides those that select events. */
const PARAMETERS = ['lastEventId', 'Last-Event-ID'];
/** Time before a client connects again, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * `GET /events`: Server-Sent Events. `data` is a CloudEvent, and `id` the position after it, from which a client
 * resumes. The stream begins with its start position and repeats the position with every keep-alive comment. So a
 * client that was sent no event can resume too.
 */
export function eventStream(service: Service, kinds: KindDefinition[]): Page {
  const { streams } = service.events;
  return async (req, res) => {
    const query = parseQuery(requestTarget(req.url).query);
    const view = await EventView.ofEvents({ service, kinds }, req, query);
    const start = await startOf(service, req, query);
    streams.check();
    const headers = headersOf(query);
    if (req.method === 'HEAD') return sendEmpty(res, 200, headers);
    await streams.run(req, async (signal) => {
      try {
        writeHead(res, 200, headers);
        res.write(`retry: ${RETRY_MS}\nid: ${start}\n\n`);
        await new LogStream(service, res, formOf(view), start).run(signal);
      } catch (error) {
        // The client learns of it from the 410 of its next request.
        if (!(error instanceof PositionGone)) throw error;
      } finally {
        if (!res.destroyed) res.end();
      }
    });
  };
}

/** Returns the form of Server-Sent Events. */
function formOf(view: EventView): StreamForm {
  return {
    asks: (event) => view.asks(event),
    async messageOf(event) {
      const membership = await view.shows(event);
      if (membership === undefined) return undefined;
      const form = view.text(event, membership);
      const text = `id: ${event.position}\ndata: ${form}\n\n`;
      return { text, bytes: () => event.bytes(form, () => text) };
    },
    idle: (end) => `: keep-alive\nid: ${end}\n\n`,
  };
}

function headersOf(query: Query): { [name: string]: string | string[] } {
  const unknown = unknownIn(query, PARAMETERS);
  return {
    'Content-Type': 'text/event-stream',
    // Middleware such as compression would hold events back, until it has enough of them.
    'Cache-Control': 'no-store, no-transform',
    Vary: 'Accept',
    ...STREAM_HEADERS,
    ...(unknown.length > 0 && { Warning: unknownParameters(unknown) }),
  };
}

/**
 * Returns the start of a stream. The header takes precedence: a reconnecting browser repeats the URL with its old
 * query, and sends its progress in the header.
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
  if (!isPosition(position)) throw new HttpProblem(400, 'Last-Event-ID must be the id of an event, or 0.');
  try {
    // The log is read directly: the tail may still have events that the log has removed.
    await log.read(position, { events: 1, bytes: 1 });
    return position;
  } catch (error) {
    if (!(error instanceof PositionGone)) throw error;
    throw new HttpProblem(
      410,
      'The events after this position are no longer retained; list the resources again.',
    );
  }
}
