import type { Request } from 'express';
import { HttpProblem } from '../../model/problem';
import type { Settings } from '../../settings/settings';

/** Headers of every stream: nginx, and proxies that follow it, would otherwise collect a stream and send it late. */
export const STREAM_HEADERS = { 'X-Accel-Buffering': 'no' };

/** The streams to clients of a process: as many as are allowed, until the service stops. */
export class OpenStreams {
  #open = 0;

  /** `stopping` aborts when the service stops. */
  constructor(
    private readonly settings: Settings,
    private readonly stopping: AbortSignal,
  ) {}

  /** The number of streams. */
  get open(): number {
    return this.#open;
  }

  /** Throws HttpProblem 503 when no other stream may begin. */
  check(): void {
    if (this.stopping.aborted) throw new HttpProblem(503, 'The service is stopping.');
    if (this.#open < this.settings.EVENTS_MAX_STREAMS) return;
    throw new HttpProblem(503, 'Too many clients follow the events.', { headers: { 'Retry-After': '10' } });
  }

  /**
   * Runs a stream. Its signal aborts after `timeoutMs` at the latest, when the client disconnects and when the service
   * stops.
   */
  async run(
    req: Request,
    stream: (signal: AbortSignal) => Promise<void>,
    timeoutMs = Infinity,
  ): Promise<void> {
    // A client that has disconnected meanwhile emits no event for it: its stream would not end.
    if (req.socket.destroyed) return;
    // Ends vary, because clients reconnect at once.
    const longest = this.settings.EVENTS_MAX_STREAM_MS * (1 - Math.random() / 10);
    const ending = new AbortController();
    const end = (): void => ending.abort(new Error('the stream has ended'));
    const timer = setTimeout(end, Math.min(timeoutMs, longest));
    this.#open += 1;
    // A response that waits behind another one is not closed with its connection.
    req.socket.on('close', end);
    this.stopping.addEventListener('abort', end);
    try {
      await stream(ending.signal);
    } finally {
      this.#open -= 1;
      clearTimeout(timer);
      req.socket.off('close', end);
      this.stopping.removeEventListener('abort', end);
    }
  }
}
