import { randomUUID } from 'node:crypto';
import { pause } from '../../concurrency/backoff';
import { type EventLog, type Hold, OLDEST, type Position } from '../../store/events/event-log';

/** The progress of a consumer. */
export interface Cursor {
  /**
   * Resolves with the start position when this process may deliver to the consumer. The returned `signal` aborts when
   * it no longer may. Rejects when the given `signal` aborts before. Calls `onTaken` while another process delivers.
   */
  open(signal: AbortSignal, onTaken: () => void): Promise<{ position: Position; signal: AbortSignal }>;
  /**
   * Returns whether this process may deliver now. A process that was suspended for longer than the lease may not: its
   * `signal` aborts.
   */
  isHeld(): boolean;
  /** Records that everything up to a position is done. */
  advance(position: Position): void;
  /** Stores the recorded progress and lets another process take over. */
  close(): Promise<void>;
}

/** A cursor that lives as long as the process, and starts at the newest event. */
export class PassingCursor implements Cursor {
  #position: Position | undefined;

  constructor(private readonly log: EventLog) {}

  async open(signal: AbortSignal): Promise<{ position: Position; signal: AbortSignal }> {
    this.#position ??= await this.log.newest();
    return { position: this.#position, signal };
  }

  isHeld(): boolean {
    return true;
  }

  advance(position: Position): void {
    this.#position = position;
  }

  async close(): Promise<void> {}
}

/** Options of a stored cursor. */
interface StoredCursorOptions {
  consumer: string;
  /** The start of a new consumer. */
  from: 'now' | 'oldest';
  /** Time after which another process takes over from one that has died, in milliseconds. */
  leaseMs: number;
}

/** Minimum interval between saves of progress, in milliseconds. After a crash, every event after the saved position is delivered again. */
const SAVE_INTERVAL = 20;

/** A cursor in the database: it survives the process, and one process at a time holds it. */
export class StoredCursor implements Cursor {
  readonly #hold: Hold;
  /** Interval of renewals, and of attempts to take over, in milliseconds. */
  readonly #intervalMs: number;
  #tenure: AbortController | undefined;
  /** In the time of performance.now(); the database may count a little later. */
  #heldUntil = 0;
  #noted: Position = OLDEST;
  #stored: Position = OLDEST;
  #saving: Promise<void> | undefined;
  #renewal: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly options: StoredCursorOptions,
  ) {
    const { consumer, leaseMs } = options;
    this.#intervalMs = leaseMs / 4;
    // Another process may notice the end of a hold an interval later.
    this.#hold = { consumer, leaseMs: Math.ceil(leaseMs - this.#intervalMs), owner: randomUUID() };
  }

  isHeld(): boolean {
    if (performance.now() < this.#heldUntil) return true;
    this.#endTenure();
    return false;
  }

  async open(signal: AbortSignal, onTaken: () => void): Promise<{ position: Position; signal: AbortSignal }> {
    this.#endTenure();
    for (;;) {
      const until = performance.now() + this.#hold.leaseMs;
      const position = await this.log.claim(this.#hold, this.options.from);
      if (position !== undefined) return { position, signal: this.#beginTenure(position, until) };
      onTaken();
      await pause(this.#intervalMs, signal);
      signal.throwIfAborted();
    }
  }

  advance(position: Position): void {
    this.#noted = position;
    this.#saving ??= this.#save();
  }

  async close(): Promise<void> {
    await this.#saving;
    const held = this.#tenure !== undefined && !this.#tenure.signal.aborted;
    this.#endTenure();
    if (!held) return;
    if (this.#noted !== this.#stored) await this.log.advance(this.#hold, this.#noted);
    await this.log.release(this.#hold);
  }

  #beginTenure(position: Position, until: number): AbortSignal {
    this.#noted = this.#stored = position;
    this.#heldUntil = until;
    this.#tenure = new AbortController();
    this.#renewal = setInterval(() => {
      if (this.isHeld()) this.#saving ??= this.#save();
    }, this.#intervalMs).unref();
    return this.#tenure.signal;
  }

  #endTenure(): void {
    clearInterval(this.#renewal);
    this.#tenure?.abort(new Error('another process has taken over, or the store did not respond in time'));
  }

  /** Stores the newest recorded position, again and again until there is none newer; renews the lease. */
  async #save(): Promise<void> {
    const tenure = this.#tenure;
    do {
      const position = this.#noted;
      const until = performance.now() + this.#hold.leaseMs;
      const held = await this.log.advance(this.#hold, position).catch(() => undefined);
      if (this.#tenure !== tenure) break;
      if (held === false) this.#endTenure();
      if (held !== true) break;
      this.#heldUntil = until;
      this.#stored = position;
      await pause(SAVE_INTERVAL, tenure?.signal ?? AbortSignal.abort());
    } while (this.#noted !== this.#stored);
    this.#saving = undefined;
  }
}
