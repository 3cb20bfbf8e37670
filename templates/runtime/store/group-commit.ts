import { setImmediate } from 'node:timers/promises';
import { weight, type Command } from './command';
import { retryBusy, StoreBusy } from './retry-busy';
import { StoreUnavailable, type MaybePromise, type WriteResult } from './store';

/** What bounds the writes that wait and the transactions that they share. */
export interface CommitLimits {
  /** How long a write waits for a lock that another process holds, in ms. */
  busyTimeoutMs: number;
  /** How many writes share a transaction at most, and how many bytes they bring. */
  batchWrites: number;
  batchBytes: number;
  /** How long a commit waits at most for clients that were just answered to write again, in ms. */
  gatherMs: number;
  /** How many writes may wait, and their bytes; one more is refused at once. */
  queueWrites: number;
  queueBytes: number;
  /** Is told of every commit: how many writes it held, and how long it took in ms. */
  onCommit?(writes: number, ms: number): void;
}

/** Which part of the time that a commit took the next one may wait to be joined. */
const GATHERING = 0.2;

interface Waiting<C> {
  command: C;
  bytes: number;
  /** Since when its client waits, as performance.now() counts. */
  since: number;
  resolve(result: WriteResult): void;
  reject(error: unknown): void;
}

/** Whom a commit waits for: so many writes in all, until then, as performance.now() counts. */
interface Expected {
  writes: number;
  until: number;
}

/**
 * Group commit: the writes of one turn of the event loop, and those that arrive while a commit runs, share a
 * transaction and are answered after its commit. `apply` makes one transaction of a batch, all or nothing.
 *
 * Without more, clients that write one thing after the other would fall into two groups, each waiting for the commit of the
 * other. So a commit gives those whom the last one answered a moment to join.
 */
export class GroupCommit<C extends Command = Command> {
  #queue: Waiting<C>[] = [];
  #queuedBytes = 0;
  #running: Promise<void> | undefined;
  #expected: Expected = { writes: 0, until: 0 };
  #closed = false;

  constructor(
    private readonly apply: (batch: C[]) => MaybePromise<WriteResult[]>,
    private readonly limits: CommitLimits,
  ) {}

  /**
   * Resolves when the command is durable or in conflict; rejects with StoreUnavailable when it was not written. `since`
   * is when its client began to wait, as performance.now() counts.
   */
  submit(command: C, since = performance.now()): Promise<WriteResult> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the store is closed'));
    const bytes = weight(command);
    if (this.#queue.length >= this.limits.queueWrites || this.#queuedBytes + bytes > this.limits.queueBytes) {
      return Promise.reject(new StoreUnavailable('too many writes are waiting'));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ command, bytes, since, resolve, reject });
      this.#queuedBytes += bytes;
      this.#running ??= this.#run();
    });
  }

  /** Refuses new commands; resolves when those that wait are answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await setImmediate();
      await this.#gather();
      await this.#commit(this.#take());
    }
    this.#running = undefined;
  }

  async #gather(): Promise<void> {
    const { writes, until } = this.#expected;
    while (this.#queue.length < writes && !this.#closed && performance.now() < until) await setImmediate();
  }

  /** Those who are answered now may write again, beside those who wait already. */
  #expect(answered: number, ms: number): void {
    const patience = Math.min(ms * GATHERING, this.limits.gatherMs);
    const writes = Math.min(answered + this.#queue.length, this.limits.batchWrites);
    this.#expected = { writes, until: performance.now() + patience };
  }

  #take(): Waiting<C>[] {
    let count = 0;
    let bytes = 0;
    for (const waiting of this.#queue) {
      if (count > 0 && (count === this.limits.batchWrites || bytes + waiting.bytes > this.limits.batchBytes))
        break;
      count += 1;
      bytes += waiting.bytes;
    }
    this.#queuedBytes -= bytes;
    return this.#queue.splice(0, count);
  }

  async #commit(batch: Waiting<C>[]): Promise<void> {
    const { busyTimeoutMs } = this.limits;
    const deadline = Math.min(...batch.map(({ since }) => since)) + busyTimeoutMs;
    const start = performance.now();
    try {
      const results = await retryBusy(() => this.apply(batch.map(({ command }) => command)), deadline);
      const ms = performance.now() - start;
      this.limits.onCommit?.(batch.length, ms);
      this.#expect(batch.length, ms);
      batch.forEach(({ resolve }, index) => resolve(results[index]));
    } catch (error) {
      const now = performance.now();
      const patient =
        error instanceof StoreBusy ? batch.filter(({ since }) => now < since + busyTimeoutMs) : [];
      if (patient.length > 0 && patient.length < batch.length) {
        for (const waiting of batch) if (!patient.includes(waiting)) waiting.reject(error);
        await this.#commit(patient);
        // A command that cannot be written at all is a defect, and its own: the others are written without it.
      } else if (batch.length > 1 && !(error instanceof StoreUnavailable)) {
        for (const waiting of batch) await this.#commit([waiting]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}
