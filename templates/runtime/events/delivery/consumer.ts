import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type Backoff, pause, pauseAfter } from '../../concurrency/backoff';
import { KeyedMutex } from '../../concurrency/keyed-mutex';
import { textOf } from '../../model/thrown';
import type { Logger } from '../../service/logger';
import { OLDEST, type Position, PositionGone } from '../../store/events/event-log';
import type { EventTail } from '../log/event-tail';
import type { LoggedEvent } from '../log/logged-event';
import type { Cursor } from './cursor';
import { Semaphore } from './semaphore';
import { Window } from './window';

/** Limits and retries of deliveries to a consumer. */
export interface DeliveryLimits extends Backoff {
  /** Maximum number of concurrent deliveries, each of a different resource. */
  concurrency: number;
  /** Number of failures after which an event is given up. */
  attempts: number;
  /** Maximum age of an event that fails, in milliseconds; an older one is given up. */
  maxAgeMs: number;
}

/** A recipient of events, and the way it receives them. */
export interface ConsumerOptions {
  /** Its name in logs. */
  name: string;
  cursor: Cursor;
  limits: DeliveryLimits;
  /** Returns the maximum run-ahead past a failing event, in bytes. */
  aheadBytes(): number;
  /** Returns whether the consumer gets an event. */
  matches(event: LoggedEvent): boolean;
  /** Delivers one event. If it throws, the delivery is repeated; a RetryLater asks for a longer pause before that. */
  deliver(event: LoggedEvent, signal: AbortSignal): void | Promise<void>;
  /** Called with an event that is given up. */
  giveUp(event: LoggedEvent, attempts: number, error: string): void | Promise<void>;
  /** Called once, when its start is known: every event written from then on is delivered. */
  onBegin?(): void;
  /** Called when events were removed before they could be delivered. */
  onGap?(): void;
}

/** A failure whose cause asks for a pause, in milliseconds. */
export class RetryLater extends Error {
  override name = 'RetryLater';

  constructor(
    message: string,
    readonly afterMs: number,
  ) {
    super(message);
  }
}

/** Maximum number of events that a consumer runs ahead of a failing one. */
const AHEAD = 1_000;
/** Interval of reads of the log when nothing is noticed, in milliseconds. */
const IDLE = 60_000;
const STORE_PAUSE = 1_000;

/**
 * Delivers the log to one consumer: every event at least once, those of one resource in order. A failing event is
 * repeated with growing pauses and holds up its own resource alone, until the window is full.
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

  /** The time when the oldest event was written that this process has still to deliver, in milliseconds since 1970. */
  get oldest(): number | undefined {
    return this.#window?.oldest;
  }

  /** Stops at once. If the cursor is stored, unfinished deliveries are repeated after the next start. */
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
        const { position, signal } = await cursor.open(closing, () => (this.#window = undefined));
        if (!begun) this.options.onBegin?.();
        begun = true;
        const ending = AbortSignal.any([signal, tenure.signal, closing]);
        // Each event that waits for a retry adds a listener.
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
    const { aheadBytes } = this.options;
    const window = new Window(
      { events: AHEAD, bytes: aheadBytes },
      (done) => !signal.aborted && this.options.cursor.advance(done),
    );
    this.#window = window;
    const lanes = new KeyedMutex();
    const slots = new Semaphore(this.options.limits.concurrency);
    for (let after = position; !signal.aborted;) {
      const batch = await this.tail.read(after);
      for (const event of batch.events) {
        await window.room(signal);
        if (signal.aborted) return;
        const done = window.add(event);
        if (!this.options.matches(event)) done();
        else lanes.run(event.uid, () => this.#deliver(event, slots, signal)).then(done, () => undefined);
      }
      after = batch.end;
      // It may pass over thousands of events at once; requests get their responses in between.
      if (batch.more) await setImmediate();
      else await this.tail.wait(batch, IDLE, signal);
    }
  }

  /** Resolves when the event was delivered or given up; rejects when the signal aborts. */
  async #deliver(event: LoggedEvent, slots: Semaphore, signal: AbortSignal): Promise<void> {
    const { name, cursor, limits, deliver, giveUp } = this.options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await slots.run(() => {
          // The wait for a slot may have been long.
          signal.throwIfAborted();
          if (!cursor.isHeld()) throw new Error('another process may deliver this');
          return deliver(event, signal);
        });
      } catch (error) {
        signal.throwIfAborted();
        const last = attempt >= limits.attempts || Date.now() - event.writtenAt > limits.maxAgeMs;
        const text = textOf(error);
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
