import { LONGEST_MS } from './deadline';
import { ResponseTooLargeError } from './errors';

/** One message of a stream; a member is undefined where the message has no such field. */
export interface Message {
  id?: string;
  data?: string;
  /** Pause before a reconnection, in milliseconds. */
  retry?: number;
}

/** Bounds of a stream. */
export interface StreamLimits {
  /**
   * Time without data after which the stream ends, in milliseconds; 0 for no limit. A connection can be dead without
   * either side noticing.
   */
  idleMs: number;
  /** Maximum size of one message. */
  maxBytes: number;
}

/**
 * Yields the messages of a stream of Server-Sent Events (HTML, section 9.2), without comments. It ends with the body,
 * or at its limits. Throws ResponseTooLargeError.
 */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  limits: StreamLimits,
): AsyncGenerator<Message, void> {
  let message: Message = {};
  for await (const line of linesOf(body, limits)) {
    if (line !== '') addField(message, line, limits);
    else if (Object.keys(message).length > 0) {
      yield message;
      message = {};
    }
  }
}

/** There are at most as many characters as bytes. */
function checkLength(length: number, { maxBytes }: StreamLimits): void {
  if (length > maxBytes)
    throw new ResponseTooLargeError(`an event of the stream has more than ${maxBytes} bytes`);
}

function addField(message: Message, line: string, limits: StreamLimits): void {
  const colon = line.indexOf(':');
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`;
  checkLength(message.data?.length ?? 0, limits);
  if (name === 'id' && !value.includes('\0')) message.id = value;
  if (name === 'retry' && /^\d+$/.test(value)) message.retry = Number(value);
}

/** Yields lines, which end with LF, CR or both. A last line without an end is left out: it is incomplete. */
async function* linesOf(
  body: ReadableStream<Uint8Array>,
  limits: StreamLimits,
): AsyncGenerator<string, void> {
  const { idleMs } = limits;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let started = '';
  let afterReturn = false;
  const giveUp = (): void => void reader.cancel().catch(() => undefined);
  const isLimited = idleMs > 0 && idleMs <= LONGEST_MS;
  try {
    for (;;) {
      const timer = isLimited ? setTimeout(giveUp, idleMs) : undefined;
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      let text = decoder.decode(value, { stream: true });
      if (text === '') continue;
      if (afterReturn && text.startsWith('\n')) text = text.slice(1);
      afterReturn = text.endsWith('\r');
      const [first = '', ...others] = text.split(/\r\n|\n|\r/);
      started += first;
      checkLength(started.length, limits);
      for (const next of others) {
        yield started;
        started = next;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
