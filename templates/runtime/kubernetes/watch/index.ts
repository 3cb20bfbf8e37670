import { authorise } from '../../api/request/access';
import { LogStream } from '../../events/log/log-stream';
import { STREAM_HEADERS } from '../../events/log/open-streams';
import { logFailure } from '../../http/observer';
import { sendEmpty, writeHead } from '../../http/responses/respond';
import { type Position, PositionGone } from '../../store/events/event-log';
import type { KubernetesContext } from '../face/face';
import { revisionAt } from '../objects/revision';
import { headersOf } from '../objects/send-object';
import { KubernetesProblem } from '../status/problem';
import { InitialObjects } from './initial-objects';
import { WatchLines } from './watch-lines';
import { type WatchParameters, watchParameters } from './watch-parameters';
import { WatchSelection } from './watch-selection';

/**
 * GET of a collection with `watch`: one JSON object per line for each change of a selected object, from a revision on, or
 * after all objects. A client resumes from the last revision that it has read.
 */
export async function watch(context: KubernetesContext): Promise<void> {
  const { req, res, service } = context;
  const parameters = watchParameters(context);
  const selection = new WatchSelection(context);
  await authorise(context, 'canList');
  const start =
    parameters.initial || parameters.from === undefined ? await service.events.log.newest() : parameters.from;
  const { streams } = service.events;
  streams.check();
  const headers = {
    ...headersOf(context),
    'Cache-Control': 'no-cache, private, no-transform',
    ...STREAM_HEADERS,
  };
  if (req.method === 'HEAD') return sendEmpty(res, 200, headers);
  const run = (signal: AbortSignal): Promise<void> => {
    writeHead(res, 200, headers);
    res.flushHeaders();
    return new Watch(context, selection, parameters).run(start, signal);
  };
  await streams.run(req, run, parameters.timeoutMs);
}

/** A watch whose response has begun. */
class Watch {
  readonly #initial: InitialObjects | undefined;
  readonly #lines: WatchLines;

  constructor(
    private readonly context: KubernetesContext,
    selection: WatchSelection,
    private readonly parameters: WatchParameters,
  ) {
    this.#initial = parameters.initial && new InitialObjects();
    this.#lines = new WatchLines(context, selection, {
      allowsBookmarks: parameters.allowsBookmarks,
      initial: this.#initial,
    });
  }

  /** Resolves when the watch has ended. Errors become its last line. */
  async run(start: Position, signal: AbortSignal): Promise<void> {
    const { res } = this.context;
    let last = '';
    try {
      last = await this.#follow(start, signal);
    } catch (error) {
      const problem = error instanceof PositionGone ? expired(start) : error;
      logFailure(this.context.service.logger, this.context.req, problem);
      last = this.#lines.error(problem);
    }
    if (!res.destroyed && !res.writableEnded) res.end(last);
  }

  /** Sends all objects where they are asked for, then changes until the signal aborts. Returns the last line. */
  async #follow(start: Position, signal: AbortSignal): Promise<string> {
    const { context, parameters } = this;
    const { service } = context;
    const lines = this.#lines;
    // The log is read directly: the tail may still have events that the log has removed.
    await service.events.log.read(start, { events: 1, bytes: 1 });
    if (this.#initial !== undefined) {
      await this.#initial.send(context, revisionAt(start), (text) => lines.object('ADDED', text));
      if (parameters.initial?.endsWithBookmark) context.res.write(lines.endOfInitial(revisionAt(start)));
    }
    const stream = new LogStream(service, context.res, lines, start);
    await stream.run(signal);
    return lines.idle(stream.end) ?? '';
  }
}

/** Returns the problem of a revision whose later changes are not retained any more. */
function expired(position: Position): KubernetesProblem {
  return new KubernetesProblem(410, `too old resource version: ${revisionAt(position)}`);
}
