import type { CallOptions, Connection } from './connection';
import { Deadline, pause } from './deadline';
import {
  ApiError,
  ConnectionError,
  isInterruption,
  ResponseTooLargeError,
  TimeoutError,
  unexpectedAnswer,
} from './errors';
import { asSuffix } from './listing';
import { messagesOf } from './server-sent-events';

/** The selection of events, and the start of their stream. */
export interface EventOptions extends CallOptions {
  /** For example `io.svc.device.updated` or `io.svc.device.*`; all by default. */
  types?: string[] | undefined;
  /** `Device`, or `<group>/Device`; all by default. */
  kinds?: string[] | undefined;
  /** Selects resources by their labels. */
  labelSelector?: string | undefined;
  /** Selects resources of the only kind by their fields. An event that takes one out of the selection is reported, too. */
  fieldSelector?: string | undefined;
  /** The version of the resources, `v1` or `<group>/v1`; kinds without it are left out. */
  version?: string | undefined;
  /**
   * Begin after this position: the `position` of an earlier stream, or `0` for the oldest stored event. By default from
   * now on.
   */
  lastEventId?: string | undefined;
  /** Called each time that the stream is connected; events may follow much later. */
  onOpen?: (() => void) | undefined;
  /** Called each time that the connection is lost; it is opened again. */
  onLost?: (() => void) | undefined;
  /** Reconnect after this time without data, in milliseconds; 60,000 by default, 0 for never. */
  idleMs?: number | undefined;
}

const IDLE_MS = 60_000;
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

/** Errors with a type of their own. */
const FINAL = [ApiError, ConnectionError, ResponseTooLargeError];

/** Longest pause that a service can ask for, in milliseconds. */
const LONGEST_PAUSE_MS = 3_600_000;

/** Statuses that a retry may change. */
const TEMPORARY = [408, 429, 500, 502, 503, 504];

/**
 * The events of a service, to loop over with `for await`; leave the loop to end it. Broken connections are reopened,
 * from the last position on, so that every event comes at least once and in order per resource.
 *
 * The loop throws every error of the first connection; later the permanent ones, such as 401 and PositionGoneError
 * (410); ResponseTooLargeError; and the reason of the caller's signal.
 */
export class EventStream<E> implements AsyncIterable<E> {
  readonly #connection: Connection;
  readonly #options: EventOptions;
  #position: string | undefined;
  #retryMs = RETRY_MS;

  constructor(connection: Connection, options: EventOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#position = options.lastEventId;
  }

  /** The progress of the stream: pass it as `lastEventId` to resume later. Undefined before the first connection. */
  get position(): string | undefined {
    return this.#position;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<E, void> {
    let connected = false;
    for (let failures = 0; ; failures++) {
      let wait = 0;
      try {
        for await (const event of this.#connect(() => ([connected, failures] = [true, 0]))) yield event;
      } catch (error) {
        if (!connected || !passes(error)) throw error;
        wait = retryAfter(error);
      }
      this.#options.onLost?.();
      const longest = Math.min(this.#retryMs * 2 ** failures, LONGEST_RETRY_MS);
      await pause(Math.max(wait, longest * (0.5 + Math.random() / 2)), this.#options.signal);
    }
  }

  async *#connect(onMessage: () => void): AsyncGenerator<E, void> {
    const { headers, signal, idleMs = IDLE_MS, timeoutMs = this.#connection.timeoutMs } = this.#options;
    const deadline = new Deadline({ signal, timeoutMs });
    const call = {
      method: 'GET',
      path: `/events${queryOf(this.#options)}`,
      headers: { Accept: 'text/event-stream', 'Last-Event-ID': this.#position },
    } as const;
    try {
      const response = await this.#connection.open(call, headers, deadline.signal);
      deadline.stopClock();
      if (response.body === null || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
        await response.body?.cancel();
        throw unexpectedAnswer(response, 'text/event-stream');
      }
      this.#options.onOpen?.();
      const limits = { idleMs, maxBytes: this.#connection.maxResponseBytes };
      for await (const { id, data, retry } of messagesOf(response.body, limits)) {
        onMessage();
        if (retry !== undefined) this.#retryMs = retry;
        if (id !== undefined) this.#position = id;
        if (data !== undefined) yield JSON.parse(data) as E;
      }
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      if (FINAL.some((type) => error instanceof type) || isInterruption(error)) throw error;
      throw new ConnectionError('the stream of events broke', { cause: error });
    } finally {
      deadline.close();
    }
  }
}

function queryOf({ types = [], kinds = [], labelSelector, fieldSelector, version }: EventOptions): string {
  const query = new URLSearchParams();
  for (const type of types) query.append('type', type);
  for (const kind of kinds) query.append('kind', kind);
  if (labelSelector !== undefined) query.append('labelSelector', labelSelector);
  if (fieldSelector !== undefined) query.append('fieldSelector', fieldSelector);
  if (version !== undefined) query.append('version', version);
  return asSuffix(query);
}

function passes(error: unknown): boolean {
  if (error instanceof ApiError) return TEMPORARY.includes(error.status);
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

/** Returns the pause that the service asks for, in milliseconds. */
function retryAfter(error: unknown): number {
  const seconds = error instanceof ApiError ? Number(error.headers.get('Retry-After') ?? 0) : 0;
  return Number.isFinite(seconds) ? Math.min(seconds * 1_000, LONGEST_PAUSE_MS) : 0;
}
