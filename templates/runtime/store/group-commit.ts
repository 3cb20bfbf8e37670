import { setImmediate } from 'node:timers/promises';
import { type Command, kindsOf, weight } from './command';
import { retryBusy, StoreBusy } from './retry-busy';
import { type MaybePromise, OtherDeclarations, StoreUnavailable, type WriteResult } from './store';

/** Limits of the waiting writes and of the transactions that they share. */
export interface CommitLimits {
  /** Maximum wait of a write for a lock that another process holds, in ms. */
  busyTimeoutMs: number;
  /** Maximum number of writes that share a transaction, and their maximum size in bytes. */
  batchWrites: number;
  batchBytes: number;
  /** Maximum wait of a commit for clients that just got a response and may write again, in ms. */
  gatherMs: number;
  /** Maximum number of waiting writes, and their size in bytes; one more is refused at once. */
  queueWrites: number;
  queueBytes: number;
  /** Called with the number of writes that a commit made, unless it made none, and with its duration in ms. */
  onCommit?(writes: number, ms: number): void;
}

/** Maximum wait for more writes, as a part of the time that the last commit took. */
const GATHERING = 0.2;

interface Waiting<C, R> {
  command: C;
  bytes: number;
  /** Those of its bytes that count as waiting. */
  counted: number;
  /** Start of its client's wait, in the time of performance.now(). */
  since: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** Wait of the next commit: until so many writes are queued, but no later than `until` in the time of performance.now(). */
interface Expected {
  writes: number;
  until: number;
}

/**
 * Group commit: the writes of one turn of the event loop, and those that arrive while a commit runs, share a
 * transaction and settle after its commit. `apply` makes one transaction of a batch, all or nothing.
 *
 * Without more, clients that write sequentially would fall into two groups, each waiting for the commit of the other.
 * So a commit waits a moment for the clients whose writes the last one settled.
 */
export class GroupCommit<C extends Command = Command, R = WriteResult> {
  #queue: Waiting<C, R>[] = [];
  #queuedBytes = 0;
  #running: Promise<void> | undefined;
  #expected: Expected = { writes: 0, until: 0 };
  #closed = false;

  constructor(
    private readonly apply: (batch: C[]) => MaybePromise<R[]>,
    private readonly limits: CommitLimits,
  ) {}

  /**
   * Resolves when the command is durable or in conflict; rejects with StoreUnavailable when it was not written. `since`
   * is the start of its client's wait, in the time of performance.now().
   */
  submit(command: C, since = performance.now()): Promise<R> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('the store is closed'));
    const { queueWrites, queueBytes } = this.limits;
    const bytes = weight(command);
    // Memory is reserved already for all resources of a write of several, which may be larger than all that may wait.
    const { action } = command.action === 'judge' ? command.write : command;
    const counted = action === 'all' ? 0 : bytes;
    if (this.#queue.length >= queueWrites || this.#queuedBytes + counted > queueBytes) {
      return Promise.reject(new StoreUnavailable('too many writes are waiting'));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ command, bytes, counted, since, resolve, reject });
      this.#queuedBytes += counted;
      this.#running ??= this.#run();
    });
  }

  /** Refuses new commands; resolves when the waiting ones are settled. */
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

  /** Clients with settled writes may write again, besides those that wait already. */
  #expect(answered: number, ms: number): void {
    const patience = Math.min(ms * GATHERING, this.limits.gatherMs);
    const writes = Math.min(answered + this.#queue.length, this.limits.batchWrites);
    this.#expected = { writes, until: performance.now() + patience };
  }

  #take(): Waiting<C, R>[] {
    let count = 0;
    let bytes = 0;
    for (const waiting of this.#queue) {
      if (count > 0 && (count === this.limits.batchWrites || bytes + waiting.bytes > this.limits.batchBytes))
        break;
      count += 1;
      bytes += waiting.bytes;
      this.#queuedBytes -= waiting.counted;
    }
    return this.#queue.splice(0, count);
  }

  async #commit(batch: Waiting<C, R>[]): Promise<void> {
    const { busyTimeoutMs } = this.limits;
    const deadline = Math.min(...batch.map(({ since }) => since)) + busyTimeoutMs;
    const start = performance.now();
    let results: R[];
    try {
      results = await retryBusy(() => this.apply(batch.map(({ command }) => command)), deadline);
    } catch (error) {
      return this.#failed(batch, error);
    }
    const ms = performance.now() - start;
    this.#expect(batch.length, ms);
    batch.forEach(({ resolve }, index) => resolve(results[index]));
    const isWritten = ({ command }: Waiting<C, R>, index: number): boolean =>
      command.action !== 'judge' && results[index] === 'done';
    const written = batch.filter(isWritten).length;
    if (written > 0) afterCommit(() => this.limits.onCommit?.(written, ms));
  }

  /** Rejects the writes of some kinds, and commits the others. */
  async #refuse(batch: Waiting<C, R>[], error: OtherDeclarations): Promise<void> {
    const isRefused = ({ command }: Waiting<C, R>): boolean =>
      kindsOf([command]).some((kind) => error.kinds.includes(kind));
    for (const waiting of batch) if (isRefused(waiting)) waiting.reject(error);
    const others = batch.filter((waiting) => !isRefused(waiting));
    if (others.length > 0) await this.#commit(others);
  }

  /** Settles the writes of a batch that failed, or whose outcome is unknown. */
  async #failed(batch: Waiting<C, R>[], error: unknown): Promise<void> {
    if (error instanceof OtherDeclarations) return this.#refuse(batch, error);
    const now = performance.now();
    const patient =
      error instanceof StoreBusy ? batch.filter(({ since }) => now < since + this.limits.busyTimeoutMs) : [];
    if (patient.length > 0 && patient.length < batch.length) {
      for (const waiting of batch) if (!patient.includes(waiting)) waiting.reject(error);
      await this.#commit(patient);
    } else if (batch.length > 1 && !(error instanceof StoreUnavailable)) {
      // A command that cannot be written at all is a defect of its own: the others are written without it.
      for (const waiting of batch) await this.#commit([waiting]);
    } else {
      for (const { reject } of batch) reject(error);
    }
  }
}

/**
 * Runs an action after a commit. An error of it is a defect that is reported on stderr: the writes are made, and a
 * thrown error would deny that.
 */
export function afterCommit(action: () => void): void {
  try {
    action();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
