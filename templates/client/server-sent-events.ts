import { LONGEST_MS } from './deadline';

/** One message of a stream; a member is undefined where the message has no such field. */
export interface Message {
  id?: string;
  data?: string;
  /** How long to wait before connecting again, in milliseconds. */
  retry?: number;
}

/**
 * The messages of a stream of Server-Sent Events (HTML, section 9.2), comments left out. It ends with the body,
 * and when nothing came for `idleMs` milliseconds, unless that is 0: a connection can be dead without either side being told.
 */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<Message, void> {
  let message: Message = {};
  for await (const line of linesOf(body, idleMs)) {
    if (line !== '') addField(message, line);
    else if (Object.keys(message).length > 0) {
      yield message;
      message = {};
    }
  }
}

function addField(message: Message, line: string): void {
  const colon = line.indexOf(':');
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`;
  if (name === 'id' && !value.includes('\0')) message.id = value;
  if (name === 'retry' && /^\d+$/.test(value)) message.retry = Number(value);
}

/** Lines end with LF, CR or both. A last line without an end is left out: more of it was to come. */
async function* linesOf(body: ReadableStream<Uint8Array>, idleMs: number): AsyncGenerator<string, void> {
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
      for (const next of others) {
        yield started;
        started = next;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
