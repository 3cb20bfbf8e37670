import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { traceHeader } from '../trace-context';
import { RetryLater } from './backoff';
import type { LoggedEvent } from './logged-event';
import { isPublicAddress, lookUpPublic, PrivateAddress } from './public-address';
import { signatureHeaders } from './webhook-signature';

/** How a webhook is called. */
export interface WebhookOptions {
  url: URL;
  /** What signs the messages; none for no signature. */
  secrets: readonly string[];
  /** From the connection to the end of the answer, in milliseconds. */
  timeoutMs: number;
  allowPrivate: boolean;
}

/** A receiver that asks for a pause is left alone this long at most, in milliseconds. */
const LONGEST_PAUSE = 3_600_000;

/**
 * Sends events to one address, as CloudEvents in structured mode. Connections are kept and are its own, so that
 * one webhook takes nothing from another.
 */
export class Webhook {
  readonly #agent: HttpAgent;

  constructor(private readonly options: WebhookOptions) {
    const AgentOf = options.url.protocol === 'https:' ? HttpsAgent : HttpAgent;
    this.#agent = new AgentOf({ keepAlive: true, scheduling: 'lifo' });
  }

  /**
   * Delivers one event. Any answer of 2xx is a success; a redirect is not followed and is none.
   * Throws an Error that says what went wrong, RetryLater where the receiver asks for it.
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

  #post(event: LoggedEvent, signal: AbortSignal): Promise<IncomingMessage> {
    const { url, secrets, allowPrivate, timeoutMs } = this.options;
    const { id, traceparent } = event.parse();
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // An address in the URL is never looked up.
    if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddress();
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const call = request(url, {
      method: 'POST',
      agent: this.#agent,
      lookup: allowPrivate ? undefined : lookUpPublic,
      headers: {
        'Content-Type': 'application/cloudevents+json; charset=utf-8',
        'Content-Length': Buffer.byteLength(event.text),
        ...traceHeader(traceparent),
        ...signatureHeaders(id, Date.now(), event.text, secrets),
      },
    });
    let broken: Error | undefined;
    const breakOff = (error: Error): void => {
      broken = error;
      call.destroy(error);
    };
    const stop = (): void => breakOff(new Error('the service is stopping'));
    const timer = setTimeout(() => breakOff(new Error('time-out')), timeoutMs);
    signal.addEventListener('abort', stop);
    return new Promise<IncomingMessage>((resolve, reject) => {
      const fail = (error: Error): void => reject(broken ?? told(error));
      call.on('error', fail);
      call.on('response', (answer) => {
        answer.on('error', fail);
        answer.on('end', () => resolve(answer)).resume();
      });
      call.end(event.text);
    }).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    });
  }
}

/** What went wrong, in a message without addresses. */
function told(error: Error & { code?: string }): Error {
  return error instanceof PrivateAddress ? error : new Error(error.code ?? error.name, { cause: error });
}

/** The pause that a `Retry-After` header asks for, in milliseconds (RFC 9110, section 10.2.3). */
export function retryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
