import { setMaxListeners } from 'node:events';
import type { Logger } from '../logger';
import { OLDEST, PositionGone, type Position } from '../store/event-log';
import { Turns } from '../turns';
import { pause, pauseAfter, RetryLater, type Backoff } from './backoff';
import type { Cursor } from './cursor';
import type { EventTail } from './event-tail';
import type { LoggedEvent } from './logged-event';
import { Slots } from './slots';
import { Window } from './window';

/** How patiently a consumer is served. */
export interface DeliveryLimits extends Backoff {
  /** Deliveries at the same time, of different resources. */
  concurrency: number;
  /** An event that has failed so often is given up. */
  attempts: number;
  /** So is one that fails when it is this old, in milliseconds. */
  maxAgeMs: number;
}

/** Who is told of events, and how. */
export interface ConsumerOptions {
  /** For logs. */
  name: string;
  cursor: Cursor;
  limits: DeliveryLimits;
  /** Events that it does not match are not delivered. */
  matches(event: LoggedEvent): boolean;
  /** Delivers one event; what it throws is a failure, to be repeated. */
  deliver(event: LoggedEvent, signal: AbortSignal): void | Promise<void>;
  /** Called with an event that is given up. */
  giveUp(event: LoggedEvent, attempts: number, error: string): void | Promise<void>;
  /** Called once, when it is known where it begins: nothing that is written from then on is left out. */
  onBegin?(): void;
  /** Called when events were removed before they could be delivered. */
  onGap?(): void;
}

/** How far a consumer runs ahead of an event that fails. */
const WINDOW = { events: 1_000, bytes: 8 * 1024 * 1024 };
/** The log is looked at so often when nothing is noticed, in milliseconds. */
const IDLE = 60_000;
const STORE_PAUSE = 1_000;

/**
 * Delivers the log to one consumer: every event at least once, those of one resource in their order. A failing
 * event is repeated with growing pauses and holds up its own resource alone, until the window is full.
 */
export class Consumer {
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #window: Window | undefined;

  constructor(
    private readonly tail: EventTail,
    private readonly logger: Logger,
    private readonly options: ConsumerOptions,
  ) {}

  /** Begins to deliver. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** When the oldest event that is still to be delivered was written, in milliseconds since 1970. */
  get oldest(): number | undefined {
    return this.#window?.oldest;
  }

  /** Breaks off; what was under way is delivered again after the next start, where the cursor is stored. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('closed'));
    await this.#running;
    await this.options.cursor
      .close()
      .catch((error: unknown) => this.#warn(error, 'its position was not stored'));
  }

  async #run(): Promise<void> {
    const { cursor } = this.options;
    const closing = this.#closing.signal;
    let begun = false;
    while (!closing.aborted) {
      const tenure = new AbortController();
      try {
        const { position, signal } = await cursor.open(closing);
        if (!begun) this.options.onBegin?.();
        begun = true;
        const ending = AbortSignal.any([signal, tenure.signal, closing]);
        // One for each event that waits to be tried again.
        setMaxListeners(0, ending);
        await this.#consume(position, ending);
      } catch (error) {
        if (closing.aborted) return;
        if (error instanceof PositionGone) {
          this.#warn(error, 'events were removed before they were delivered');
          cursor.advance(OLDEST);
          this.options.onGap?.();
        } else {
          this.#warn(error, 'events cannot be read');
          await pause(STORE_PAUSE, closing);
        }
      } finally {
        tenure.abort(new Error('begun anew'));
      }
    }
  }

  async #consume(position: Position, signal: AbortSignal): Promise<void> {
    const window = new Window(WINDOW, (done) => !signal.aborted && this.options.cursor.advance(done));
    this.#window = window;
    const lanes = new Turns();
    const slots = new Slots(this.options.limits.concurrency);
    for (let after = position; !signal.aborted;) {
      const batch = await this.tail.read(after);
      for (const event of batch.events) {
        await window.room(signal);
        if (signal.aborted) return;
        const done = window.add(event);
        if (!this.options.matches(event)) done();
        else lanes.take(event.uid, () => this.#deliver(event, slots, signal)).then(done, () => undefined);
      }
      after = batch.end;
      if (!batch.more) await this.tail.wait(batch, IDLE, signal);
    }
  }

  /** Resolves when the event was delivered or given up; rejects when the signal aborts. */
  async #deliver(event: LoggedEvent, slots: Slots, signal: AbortSignal): Promise<void> {
    const { name, cursor, limits, deliver, giveUp } = this.options;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      if (!cursor.isHeld()) throw new Error('another process may deliver this');
      try {
        return await slots.run(() => deliver(event, signal));
      } catch (error) {
        signal.throwIfAborted();
        const last = attempt >= limits.attempts || Date.now() - event.writtenAt > limits.maxAgeMs;
        const text = error instanceof Error ? error.message : String(error);
        this.logger.warn(
          { consumer: name, event: event.type, uid: event.uid, attempt, last, err: error },
          'not delivered',
        );
        if (last && (await this.#givenUp(() => giveUp(event, attempt, text)))) return;
        const asked = error instanceof RetryLater ? error.afterMs : 0;
        await pause(Math.max(pauseAfter(attempt, limits), asked), signal);
      }
    }
  }

  async #givenUp(giveUp: () => void | Promise<void>): Promise<boolean> {
    try {
      await giveUp();
      return true;
    } catch (error) {
      this.#warn(error, 'a dead letter was not stored');
      return false;
    }
  }

  #warn(error: unknown, message: string): void {
    this.logger.warn({ consumer: this.options.name, err: error }, message);
  }
}
