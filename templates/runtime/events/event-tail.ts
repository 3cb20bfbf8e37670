import type { EventLog, Position, ReadLimit } from '../store/event-log';
import { LoggedEvent } from './logged-event';

/** What one read brings at most: each slow reader holds as much. */
const LIMIT: ReadLimit = { events: 250, bytes: 256 * 1024 };
/** How many batches are kept for readers that are close behind each other. */
const CACHED = 4;

/** Some events that follow each other. */
export interface Batch {
  events: LoggedEvent[];
  /** The place after the last of them. */
  end: Position;
  /** Whether more follow for certain. */
  more: boolean;
  /** How many changes had been noticed when they were read: what to wait with when there are no more. */
  seen: number;
}

interface Entry {
  batch: Promise<Batch>;
  /** Later events cannot change it. */
  final: boolean;
}

/**
 * Reads the log for all readers of this process, each at its own position: those at the same position share one
 * read. A reader reads until there is no more, and waits.
 */
export class EventTail {
  readonly #entries = new Map<Position, Entry>();
  readonly #sleepers = new Set<() => void>();
  /** Counts the times that new events were noticed. */
  #changes = 0;
  #unwatch: (() => void) | undefined;
  #wake: NodeJS.Timeout | undefined;

  /** `pollMs`: how often other processes' events are looked for. */
  constructor(
    readonly log: EventLog,
    private readonly pollMs: number,
  ) {}

  /** The events after a position. Throws PositionGone and StoreUnavailable. */
  read(after: Position): Promise<Batch> {
    const known = this.#entries.get(after);
    if (known !== undefined) return known.batch;
    const entry: Entry = { batch: this.#read(after), final: false };
    this.#entries.set(after, entry);
    entry.batch.then(
      ({ events }) => (entry.final = events.length > 0),
      () => this.#entries.get(after) === entry && this.#entries.delete(after),
    );
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > CACHED) this.#entries.delete(oldest);
    return entry.batch;
  }

  /**
   * Resolves soon when there are events that a batch could not have, after `ms` milliseconds, or when the signal
   * aborts. The more readers wait, the longer they are let sleep, so that they do not crowd out the requests.
   */
  wait({ seen }: Batch, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', wake);
      this.#sleepers.add(wake);
      if (seen !== this.#changes) this.#wakeSoon();
    });
  }

  /** Notices no more events. */
  close(): void {
    this.#unwatch?.();
    clearTimeout(this.#wake);
  }

  async #read(after: Position): Promise<Batch> {
    this.#unwatch ??= this.log.watch(() => this.#changed(), this.pollMs);
    const seen = this.#changes;
    const events = (await this.log.read(after, LIMIT)).map((stored) => new LoggedEvent(stored));
    const bytes = events.reduce((sum, { text }) => sum + text.length, 0);
    return {
      events,
      end: events.at(-1)?.position ?? after,
      more: events.length >= LIMIT.events || bytes >= LIMIT.bytes,
      seen,
    };
  }

  #changed(): void {
    this.#changes += 1;
    for (const [after, { final }] of this.#entries) if (!final) this.#entries.delete(after);
    if (this.#sleepers.size > 0) this.#wakeSoon();
  }

  #wakeSoon(): void {
    this.#wake ??= setTimeout(
      () => {
        this.#wake = undefined;
        for (const wake of [...this.#sleepers]) wake();
      },
      1 + this.#sleepers.size / 20,
    );
  }
}
