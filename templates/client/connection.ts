import { Deadline, inTime, type Patience } from './deadline';
import { apiError, ConnectionError, isInterruption, ResponseTooLargeError, unexpectedAnswer } from './errors';
import { textOf } from './response-text';
import { warningsOf } from './warnings';

/** Request headers by name. */
export interface RequestHeaders {
  [name: string]: string | undefined;
}

/** The URL of the service, and the options of its calls. */
export interface ClientOptions {
  /** For example `http://localhost:8080`; in a browser `''` is the page's own origin. */
  baseUrl: string;
  /** The platform's own by default. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Sent with every request, such as `Authorization`. A function is called for each one. */
  headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>) | undefined;
  /**
   * Maximum duration of a call with its response, and of the connection of a stream, in milliseconds; 30,000 by default, 0
   * for no limit.
   */
  timeoutMs?: number | undefined;
  /** Maximum size of a response, or of an event of a stream, in bytes; 268,435,456 by default. */
  maxResponseBytes?: number | undefined;
  /** Called with each warning of a response: fields that break a rule where they are not refused, unknown parameters. */
  onWarning?: ((text: string) => void) | undefined;
}

/** Options of every call. */
export interface CallOptions extends Patience {
  headers?: RequestHeaders | undefined;
}

/** One request. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `baseUrl`, encoded, with its query. */
  path: string;
  headers?: RequestHeaders;
  body?: { type: string; value: unknown };
}

/** A successful response. */
export interface Answer<T> {
  /** 304 has no value: the caller's resource is current. */
  status: number;
  headers: Headers;
  value: T;
}

const TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 268_435_456;

/** Sends HTTP requests to one service. */
export class Connection {
  readonly maxResponseBytes: number;
  /** Maximum duration of a call that names none; of a stream, until it is connected. */
  readonly timeoutMs: number;
  readonly #options: ClientOptions;

  /** Throws TypeError for a base URL to which no path can be added. */
  constructor(options: ClientOptions) {
    if (/[?#]|\/\/[^/]*@/.test(options.baseUrl))
      throw new TypeError('baseUrl must have no user, query or fragment; headers send credentials');
    this.#options = options;
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.maxResponseBytes = options.maxResponseBytes ?? MAX_RESPONSE_BYTES;
  }

  /**
   * Sends a request and reads its response as JSON. Throws ApiError for any status but success, ConnectionError,
   * TimeoutError, ResponseTooLargeError, and the reason of the caller's signal.
   */
  async send<T>(call: Call, options: CallOptions = {}): Promise<Answer<T>> {
    const { timeoutMs = this.timeoutMs, signal } = options;
    const deadline = new Deadline({ signal, timeoutMs });
    try {
      const response = await this.open(call, options.headers, deadline.signal);
      const { status, headers } = response;
      const text = await this.#text(call, response, deadline.signal);
      if (status === 304) return { status, headers, value: undefined as T };
      return { status, headers, value: parse<T>(text, response) };
    } finally {
      deadline.close();
    }
  }

  /** Sends a request; resolves with the head of a success, or of the 304 to its condition. Throws as `send` does. */
  async open(call: Call, extra: RequestHeaders | undefined, signal: AbortSignal): Promise<Response> {
    const { fetch = globalThis.fetch, headers, onWarning } = this.#options;
    const common = typeof headers === 'function' ? await inTime(headers(), signal) : headers;
    const type = call.body && { 'Content-Type': call.body.type };
    const sent = united([{ Accept: 'application/json' }, common, call.headers, extra, type]);
    // Node's types lack `cache`, which only browsers have.
    const init: RequestInit & { cache: 'no-cache' | 'no-store' } = {
      method: call.method,
      headers: sent,
      // A browser may hold a stale response. The caller's own conditions must not mix with those of the browser's
      // cache.
      cache: new Headers(sent).has('If-None-Match') ? 'no-store' : 'no-cache',
      // A POST would go on as a GET, whose response looks like a success.
      redirect: call.method === 'GET' ? 'follow' : 'manual',
      signal,
      ...(call.body && { body: JSON.stringify(call.body.value) }),
    };
    const response = await this.#reachable(call, fetch(this.#url(call), init), signal);
    // To a call without a condition of its own, 304 is no response that it can return.
    const isCurrent = response.status === 304 && call.headers?.['If-None-Match'] !== undefined;
    if (!response.ok && !isCurrent) throw apiError(response, await this.#text(call, response, signal));
    if (onWarning) warningsOf(response.headers).forEach(onWarning);
    return response;
  }

  #url({ path }: Call): string {
    return this.#options.baseUrl.replace(/\/+$/, '') + path;
  }

  #text(call: Call, response: Response, signal: AbortSignal): Promise<string> {
    return this.#reachable(call, textOf(response, this.maxResponseBytes), signal);
  }

  async #reachable<T>(call: Call, pending: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await inTime(pending, signal);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (cause instanceof ResponseTooLargeError || isInterruption(cause)) throw cause;
      const message = `${call.method} ${this.#url(call)} got no response${reasonOf(cause)}`;
      throw new ConnectionError(message, { cause });
    }
  }
}

/** Returns the headers that have a value. The later ones count, whatever the case of their names: fetch would send both. */
function united(headers: readonly (RequestHeaders | undefined)[]): { [name: string]: string } {
  const values = new Map<string, [name: string, value: string]>();
  for (const [name, value] of headers.flatMap((each = {}) => Object.entries(each))) {
    if (value) values.set(name.toLowerCase(), [name, value]);
    else values.delete(name.toLowerCase());
  }
  return Object.fromEntries(values.values());
}

function parse<T>(text: string, response: Response): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw unexpectedAnswer(response, 'application/json');
  }
}

/** Node has the reason only in the cause of the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = Object(error) as {
    cause?: { message?: string; code?: string };
    message?: string;
  };
  const reason = cause?.message || cause?.code || message;
  return reason ? `: ${reason}` : '';
}
