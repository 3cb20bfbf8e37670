import { type Backoff, pauseAfter } from '../concurrency/backoff';
import { textOf } from '../model/thrown';

/** Options of a work queue. */
export interface WorkQueueOptions extends Backoff {
  /** Maximum number of keys that are processed at the same time. */
  concurrency: number;
  /** Called with every failure. */
  onError?(error: unknown, key: string, failures: number): void;
}

const DEFAULTS: WorkQueueOptions = { concurrency: 4, firstMs: 100, maxMs: 60_000 };
/** Longest delay of a timer, in milliseconds: a longer one would fire at once. */
const LONGEST_TIMER = 2_147_483_647;

/**
 * Processes keys, each at most once at a time, however often it was added. A key that is added during its processing is
 * processed again afterwards. A key that fails is retried after a pause that grows with each failure.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** In the order of processing. */
  readonly #waiting = new Set<string>();
  readonly #working = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #onIdle: (() => void)[] = [];
  #closed = false;

  constructor(
    private readonly work: (key: string) => Promise<void>,
    options: Partial<WorkQueueOptions> = {},
  ) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Queues a key for processing as soon as possible, also where it waits for a later time. */
  add(key: string): void {
    if (this.#closed) return;
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#waiting.add(key);
    this.#next();
  }

  /** Queues a key for processing after so many milliseconds, which may be years, unless it is added before. */
  addAfter(key: string, ms: number): void {
    if (this.#closed || this.#waiting.has(key)) return;
    clearTimeout(this.#timers.get(key));
    const left = ms - LONGEST_TIMER;
    const timer =
      left > 0
        ? setTimeout(() => this.addAfter(key, left), LONGEST_TIMER)
        : setTimeout(() => this.add(key), ms);
    this.#timers.set(key, timer);
  }

  /** Takes no more keys; resolves when the work under way has ended. */
  close(): Promise<void> {
    this.#closed = true;
    this.#waiting.clear();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    if (this.#working.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #next(): void {
    for (const key of this.#waiting) {
      if (this.#working.size >= this.#options.concurrency) return;
      if (this.#working.has(key)) continue;
      this.#waiting.delete(key);
      this.#working.add(key);
      void this.#run(key);
    }
  }

  async #run(key: string): Promise<void> {
    try {
      await this.work(key);
      this.#failures.delete(key);
    } catch (error) {
      this.#failed(key, error);
    }
    this.#working.delete(key);
    if (this.#working.size === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    this.#next();
  }

  #failed(key: string, error: unknown): void {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    this.addAfter(key, pauseAfter(failures, this.#options));
    try {
      this.#options.onError?.(error, key, failures);
    } catch (defect) {
      // Nobody would catch it: it would end the process.
      process.emitWarning(textOf(defect));
    }
  }
}
