import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { LARGE, turnOfLarge } from '../../concurrency/large-work';
import { jsonCost } from '../../http/request/json-body';
import type { Service } from '../../service/service';
import type { Position } from '../../store/events/event-log';
import type { SharedMemory } from './event-memory';
import type { Batch } from './event-tail';
import type { LoggedEvent } from './logged-event';

/** Maximum length of events that are written together, in characters. */
const CHUNK = 64 * 1024;

/** An event as it is sent. */
export interface Message {
  text: string;
  /** Returns the same as bytes, which streams share. */
  bytes(): Buffer;
}

/** The events that one client gets, and their form. */
export interface StreamForm {
  /** Returns whether an event is parsed to find out whether the client gets it, and how. */
  asks(event: LoggedEvent): boolean;
  /** Returns an event as the client gets it; undefined for one that it does not get. */
  messageOf(event: LoggedEvent): Promise<Message | undefined>;
  /**
   * Returns a name of what the client gets: all streams with this name send the same bytes of a batch, which one of them makes.
   * Undefined, and absent, where each event is asked about for this client.
   */
  shared?(): string | undefined;
  /**
   * Returns what a silent stream sends from time to time: a comment, or a bookmark of Kubernetes. `end` is the position that the
   * client has reached.
   */
  idle(end: Position): string | undefined;
  /** Returns the last words to a client that reads too slowly; without them it is only disconnected. */
  dropped?(): string;
}

/** The progress of a stream, and the state it waits with for more events. */
type Step = Pick<Batch, 'end' | 'more' | 'seen'>;

/** The stream of one client: it reads at its own position, no faster than the client takes. */
export class LogStream {
  #lastWrite = performance.now();
  #end: Position;

  /** `start` is the position that the client has reached. */
  constructor(
    private readonly service: Pick<Service, 'events' | 'memory' | 'settings'>,
    private readonly res: Response,
    private readonly form: StreamForm,
    start: Position,
  ) {
    this.#end = start;
  }

  /** The position that the client has reached: it was sent all before it. */
  get end(): Position {
    return this.#end;
  }

  /**
   * Resolves when the client has disconnected, reads too slowly or is too far behind, and when the stream or the
   * service stops. Throws PositionGone and StoreUnavailable.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { memory } = this.service;
    while (!signal.aborted) {
      const step = await this.#step(signal);
      if (step === undefined) return;
      if ('lacks' in step) {
        (await memory.reserve('response', step.lacks, this.res)).release();
        continue;
      }
      this.#end = step.end;
      if (!step.more) await this.#rest(step, signal);
    }
  }

  /**
   * Sends the events after a position. Returns undefined when the client does not take them. Returns the missing bytes
   * when there is no memory for them; none of them is held then.
   */
  async #step(signal: AbortSignal): Promise<Step | { lacks: number } | undefined> {
    const batch = await this.service.events.tail.read(this.#end);
    const { events, memory, end, more, seen } = batch;
    if (events.length === 0) return { end, more, seen };
    if (!memory.use()) return { lacks: memory.bytes };
    try {
      // Otherwise all streams would write before anybody else gets a response.
      if (events.some(({ text }) => text.length >= LARGE)) await turnOfLarge();
      else if (more) await setImmediate();
      return (await this.#send(batch, signal)) ? { end, more, seen } : undefined;
    } finally {
      memory.leave();
    }
  }

  /**
   * Waits for new events; a silent stream sends something from time to time. Its connection counts as one with progress, also
   * where it sends nothing for long.
   */
  async #rest({ end, seen }: Step, signal: AbortSignal): Promise<void> {
    const { events, settings } = this.service;
    const { EVENTS_KEEP_ALIVE_MS, STALL_TIMEOUT_MS } = settings;
    const due = this.#lastWrite + EVENTS_KEEP_ALIVE_MS;
    await events.tail.wait({ seen }, Math.min(due - performance.now(), STALL_TIMEOUT_MS / 2), signal);
    if (signal.aborted) return;
    this.res.socket?.setTimeout(STALL_TIMEOUT_MS);
    if (performance.now() >= due) this.#write(this.form.idle(end) ?? '');
  }

  /** Sends a batch. Returns false when the client does not take it. No more than a chunk and an event wait for the client. */
  async #send(batch: Batch, signal: AbortSignal): Promise<boolean> {
    const shared = this.form.shared?.();
    if (shared !== undefined) return this.#sendShared(batch, shared, signal);
    const { events, memory } = batch;
    let chunk = '';
    const flush = async (): Promise<boolean> => {
      const text = chunk;
      chunk = '';
      return text === '' || this.#write(text) || this.#drained(memory, text.length, signal);
    };
    for (const event of events) {
      if (signal.aborted) return false;
      const message = await this.#messageOf(event);
      if (message === undefined) continue;
      if (message.text.length < CHUNK) {
        chunk += message.text;
        if (chunk.length >= CHUNK && !(await flush())) return false;
      } else {
        // The bytes of a large event are shared by all streams.
        if (!(await flush())) return false;
        if (!this.#write(message.bytes()) && !(await this.#drained(memory, 0, signal))) return false;
      }
    }
    return flush();
  }

  /** Sends what other streams send of a batch, too. */
  async #sendShared(batch: Batch, name: string, signal: AbortSignal): Promise<boolean> {
    const { sent, memory } = batch;
    const chunks = sent.get(name) ?? this.#chunksOf(batch);
    sent.set(name, chunks);
    for (const chunk of await chunks) {
      if (signal.aborted) return false;
      if (!this.#write(chunk) && !(await this.#drained(memory, 0, signal))) return false;
    }
    return true;
  }

  async #chunksOf({ events, memory }: Batch): Promise<Buffer[]> {
    const chunks: Buffer[] = [];
    let text = '';
    const flush = (): void => {
      if (text !== '') chunks.push(Buffer.from(text));
      text = '';
    };
    for (const event of events) {
      text += (await this.form.messageOf(event))?.text ?? '';
      if (text.length >= CHUNK) flush();
    }
    flush();
    memory.grow(chunks.reduce((sum, { length }) => sum + length, 0));
    return chunks;
  }

  #messageOf(event: LoggedEvent): Promise<Message | undefined> {
    if (!this.form.asks(event)) return this.form.messageOf(event);
    return this.service.memory.spend('stored', this.res, {
      read: () => event,
      cost: ({ text }) => jsonCost(text),
      action: () => this.form.messageOf(event),
    });
  }

  #write(text: string | Buffer): boolean {
    this.#lastWrite = performance.now();
    return text.length === 0 || this.res.write(text);
  }

  /** Waits until the client has taken what was written, of which `own` bytes are this stream's alone. */
  async #drained(shared: SharedMemory, own: number, signal: AbortSignal): Promise<boolean> {
    const { res } = this;
    const { EVENTS_SLOW_READER_MS, STALL_TIMEOUT_MS } = this.service.settings;
    // A response passes on what was written in the next tick: mostly the system takes all of it.
    await new Promise((resolve) => process.nextTick(resolve));
    if (signal.aborted) return false;
    if (res.writableLength === 0) return true;
    return new Promise((resolve) => {
      const settle = (drained: boolean, isSlow = false): void => {
        res.off('drain', onDrain).off('timeout', onTimeout);
        res.socket?.setTimeout(STALL_TIMEOUT_MS);
        signal.removeEventListener('abort', onEnd);
        if (!drained) this.#drop(isSlow);
        if (drained || res.destroyed) release();
        else res.once('close', release);
        resolve(drained);
      };
      const onDrain = (): void => settle(true);
      const onEnd = (): void => settle(false);
      const onTimeout = (): void => settle(false, true);
      const held = this.service.memory.take('response', own);
      held.awaitClient(onEnd);
      const taken = shared.awaitClient(onEnd);
      const release = (): void => {
        held.release();
        taken();
      };
      // The socket's time-out starts again whenever the client takes something, even a part of a large event.
      res.on('drain', onDrain).setTimeout(EVENTS_SLOW_READER_MS, onTimeout);
      signal.addEventListener('abort', onEnd);
    });
  }

  /** Disconnects a client; one that is only slow gets the time to read the last words. */
  #drop(isSlow: boolean): void {
    const { res, form } = this;
    const words = isSlow ? form.dropped?.() : undefined;
    // Data waiting in the socket would keep it open for as long as the client likes.
    if (words === undefined) return void res.destroy();
    const timer = setTimeout(() => res.destroy(), this.service.settings.EVENTS_SLOW_READER_MS);
    res.once('close', () => clearTimeout(timer));
    res.end(words);
  }
}
