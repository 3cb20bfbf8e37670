import type { MemoryBudget } from '../../memory/memory-budget';
import type { EventLog, Position, ReadLimit } from '../../store/events/event-log';
import { lengthOf, textsOf } from '../../store/stored-resource';
import { SharedMemory } from './event-memory';
import { LoggedEvent } from './logged-event';

/** Maximum size of one read: each slow reader holds as much. */
const LIMIT: ReadLimit = { events: 250, bytes: 256 * 1024 };
/** Number of batches that are cached for readers close behind each other. */
const CACHED = 4;

/** Consecutive events of the log. */
export interface Batch {
  events: LoggedEvent[];
  /** The position after the last of them. */
  end: Position;
  /** True if more events certainly follow. */
  more: boolean;
  /** Number of changes that had been noticed at the read; pass it to `wait` when there are no more events. */
  seen: number;
  /** Memory of the events, for streams that send them to clients. */
  memory: SharedMemory;
  /** The bytes of all events for streams that send the same, by the name of what they send. */
  sent: Map<string, Promise<Buffer[]>>;
}

interface Entry {
  batch: Promise<Batch>;
  /** Later events cannot change it. */
  final: boolean;
}

/**
 * Reads the log for all readers of this process, each at its own position; readers at the same position share one read.
 * A reader reads until there is no more, and then waits.
 */
export class EventTail {
  readonly #entries = new Map<Position, Entry>();
  readonly #sleepers = new Set<() => void>();
  /** Counts the notices of new events. */
  #changes = 0;
  #unwatch: (() => void) | undefined;
  #wake: NodeJS.Timeout | undefined;

  /** `pollMs`: the interval of checks for other processes' events. */
  constructor(
    readonly log: EventLog,
    private readonly pollMs: number,
    private readonly memory: MemoryBudget,
  ) {}

  /** Returns the events after a position. Throws PositionGone and StoreUnavailable. */
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
   * Resolves soon after events that the batch could not have, after `ms` milliseconds, or when the signal aborts. The
   * more readers wait, the longer they sleep, so that they do not crowd out the requests.
   */
  wait({ seen }: Pick<Batch, 'seen'>, ms: number, signal: AbortSignal): Promise<void> {
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

  /** Stops noticing events. */
  close(): void {
    this.#unwatch?.();
    clearTimeout(this.#wake);
  }

  async #read(after: Position): Promise<Batch> {
    this.#unwatch ??= this.log.watch(() => this.#changed(), this.pollMs);
    const seen = this.#changes;
    const stored = await this.log.read(after, LIMIT);
    const characters = stored.reduce((sum, event) => sum + lengthOf(event), 0);
    const bytes = stored.flatMap(textsOf).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const memory = new SharedMemory(this.memory, characters);
    const events = stored.map(
      (each, index) =>
        new LoggedEvent({ ...each, after: stored[index - 1]?.position ?? after }, (grown) =>
          memory.grow(grown),
        ),
    );
    return {
      events,
      end: events.at(-1)?.position ?? after,
      more: events.length >= LIMIT.events || bytes >= LIMIT.bytes,
      seen,
      memory,
      sent: new Map(),
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
