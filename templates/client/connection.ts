import { Deadline, type Patience } from './deadline';
import { apiError, ConnectionError, unexpectedAnswer } from './errors';
import { warningsOf } from './warnings';

/** Request headers by name. */
export interface RequestHeaders {
  [name: string]: string | undefined;
}

/** Where the service is and how it is spoken to. */
export interface ClientOptions {
  /** Such as `http://localhost:8080`; in a browser `''` is the page's own origin. */
  baseUrl: string;
  /** The platform's own by default. */
  fetch?: typeof fetch;
  /** Sent with every request, such as `Authorization`. A function is asked anew for each one. */
  headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** How long a call may take, its answer included, in milliseconds; 30,000 by default, 0 for ever. */
  timeoutMs?: number;
  /**
   * Told of each warning of an answer: fields that break a rule where they are not refused, unknown parameters.
   */
  onWarning?: (text: string) => void;
}

/** What every call takes. */
export interface CallOptions extends Patience {
  headers?: RequestHeaders;
}

/** One request. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `baseUrl`, encoded, with its query. */
  path: string;
  headers?: RequestHeaders;
  body?: { type: string; value: unknown };
}

/** A success. */
export interface Answer<T> {
  /** 304 has no value: what the caller has is current. */
  status: number;
  headers: Headers;
  value: T;
}

const TIMEOUT_MS = 30_000;

/** Speaks HTTP with one service. */
export class Connection {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Sends a request and reads its answer as JSON. Throws ApiError for what is no success, ConnectionError,
   * TimeoutError, and the reason of the caller's signal.
   */
  async send<T>(call: Call, options: CallOptions = {}): Promise<Answer<T>> {
    const { timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS, signal } = options;
    const deadline = new Deadline({ signal, timeoutMs });
    try {
      const response = await this.open(call, options.headers, deadline.signal);
      const { status, headers } = response;
      const text = await this.#reachable(call, response.text(), deadline.signal);
      if (status === 304) return { status, headers, value: undefined as T };
      return { status, headers, value: parse<T>(text, response) };
    } finally {
      deadline.close();
    }
  }

  /** Sends a request; resolves when the head of a success, or of 304, is there. Throws as `send` does. */
  async open(call: Call, extra: RequestHeaders | undefined, signal: AbortSignal): Promise<Response> {
    const { fetch = globalThis.fetch, headers, onWarning } = this.#options;
    const common = typeof headers === 'function' ? await headers() : headers;
    const init: RequestInit = {
      method: call.method,
      headers: defined({ Accept: 'application/json', ...common, ...call.headers, ...extra }, call),
      signal,
      ...(call.body && { body: JSON.stringify(call.body.value) }),
    };
    const response = await this.#reachable(call, fetch(this.#url(call), init), signal);
    if (!response.ok && response.status !== 304)
      throw await this.#reachable(call, apiError(response), signal);
    if (onWarning) warningsOf(response.headers).forEach(onWarning);
    return response;
  }

  #url({ path }: Call): string {
    return this.#options.baseUrl.replace(/\/+$/, '') + path;
  }

  async #reachable<T>(call: Call, pending: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await pending;
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      const message = `${call.method} ${this.#url(call)} got no answer${reasonOf(cause)}`;
      throw new ConnectionError(message, { cause });
    }
  }
}

function defined(headers: RequestHeaders, { body }: Call): { [name: string]: string } {
  const all = body === undefined ? headers : { ...headers, 'Content-Type': body.type };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => !!entry[1]));
}

function parse<T>(text: string, response: Response): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw unexpectedAnswer(response, 'application/json');
  }
}

/** Node says why only in the cause of the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = Object(error) as {
    cause?: { message?: string; code?: string };
    message?: string;
  };
  const reason = cause?.message || cause?.code || message;
  return reason ? `: ${reason}` : '';
}
