import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { RetryLater } from '../delivery/consumer';
import { type EventMessage, traceHeader } from '../log/cloud-event';
import type { LoggedEvent } from '../log/logged-event';
import { isPublicAddress, lookUp, PrivateAddress } from './public-address';
import { signatureHeaders } from './webhook-signature';

/** Options of a webhook's calls. */
interface WebhookOptions {
  url: URL;
  /** Secrets that sign the messages; empty for no signature. */
  secrets: readonly string[];
  /** Makes the message of an event; signature and trace are added. */
  message(event: LoggedEvent): EventMessage | Promise<EventMessage>;
  /** Time from the connection to the end of the response, in milliseconds. */
  timeoutMs: number;
  /** Maximum number of bytes that are read of a response. */
  maxResponseBytes: number;
  allowPrivate: boolean;
}

/** Longest pause that a receiver can ask for, in milliseconds. */
const LONGEST_PAUSE = 3_600_000;

/** Returns the message of an event in structured mode: its stored text, byte for byte. */
export function structuredMessage({ text }: LoggedEvent): EventMessage {
  return { headers: { 'Content-Type': 'application/cloudevents+json; charset=utf-8' }, body: text };
}

/** Sends events to one URL. It has keep-alive connections of its own, so that one webhook takes nothing from another. */
export class Webhook {
  readonly #agent: HttpAgent;

  constructor(private readonly options: WebhookOptions) {
    const AgentOf = options.url.protocol === 'https:' ? HttpsAgent : HttpAgent;
    this.#agent = new AgentOf({ keepAlive: true, scheduling: 'lifo' });
  }

  /**
   * Delivers one event. Any 2xx response is a success; a redirect is not followed and counts as a failure. Throws an
   * Error that names the cause, and RetryLater where the receiver asks for a pause.
   */
  async deliver(event: LoggedEvent, signal: AbortSignal): Promise<void> {
    const { statusCode = 0, headers } = await this.#post(event, signal);
    if (statusCode >= 200 && statusCode <= 299) return;
    const pause = retryAfter(headers['retry-after']);
    if (pause === undefined) throw new Error(`HTTP ${statusCode}`);
    throw new RetryLater(`HTTP ${statusCode}`, Math.min(pause, LONGEST_PAUSE));
  }

  /** Closes the connections. */
  close(): void {
    this.#agent.destroy();
  }

  async #post(event: LoggedEvent, signal: AbortSignal): Promise<IncomingMessage> {
    const { url, secrets, message, allowPrivate, timeoutMs, maxResponseBytes } = this.options;
    const { headers, body } = await message(event);
    signal.throwIfAborted();
    const { id, traceparent } = event.parse();
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // An IP address in the URL is never looked up.
    if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddress();
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const call = request(url, {
      method: 'POST',
      agent: this.#agent,
      lookup: lookUp(allowPrivate),
      headers: {
        ...headers,
        'Content-Length': Buffer.byteLength(body),
        ...traceHeader(traceparent),
        ...signatureHeaders(id, Date.now(), body, secrets),
      },
    });
    const ended = new AbortController();
    const stop = (): void => ended.abort(new Error('the service is stopping'));
    const timer = setTimeout(() => ended.abort(new Error('time-out')), timeoutMs);
    signal.addEventListener('abort', stop);
    return new Promise<IncomingMessage>((resolve, reject) => {
      // A call that has lost its connection already emits no error when it is destroyed.
      ended.signal.addEventListener('abort', () => {
        reject(ended.signal.reason as Error);
        call.destroy();
      });
      const fail = (error: Error): void => reject(told(error));
      call.on('error', fail);
      call.on('response', (answer) => {
        let left = maxResponseBytes;
        answer.on('error', fail).on('end', () => {
          resolve(answer);
          // Otherwise the unread rest of the message would stay in memory, and the connection open.
          if (!call.writableFinished) call.destroy();
        });
        answer.on('data', ({ length }: Buffer) => {
          left -= length;
          if (left >= 0) return;
          // The status decides; the rest of the response does not matter.
          resolve(answer);
          call.destroy();
        });
      });
      call.end(body);
    }).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    });
  }
}

/** Returns an error with a message that contains no IP addresses. */
function told(error: Error & { code?: string }): Error {
  return error instanceof PrivateAddress ? error : new Error(error.code ?? error.name, { cause: error });
}

/** Returns the pause that a `Retry-After` header asks for, in milliseconds (RFC 9110, section 10.2.3). */
export function retryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
