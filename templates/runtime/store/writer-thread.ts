import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Applied, Writer } from './batch-writer';
import type { Command } from './command';
import { StoreUnavailable } from './store';
import { errorOf, type ThreadAnswer, type ThreadData } from './thread-message';

/** Sources that run without a build need in the thread, too, what runs them. */
const LOADER = __filename.endsWith('.ts')
  ? { execArgv: ['--require', 'ts-node/register/transpile-only'] }
  : {};

interface Waiting {
  resolve(applied: Applied): void;
  reject(error: unknown): void;
}

/**
 * Applies batches in a thread of its own: while a commit waits for the disk, requests are answered. One batch at a time;
 * it throws what BatchWriter throws, and StoreUnavailable when the thread has ended.
 */
export class WriterThread implements Writer {
  readonly #worker: Worker;
  #waiting: Waiting | undefined;
  #ended: Error | undefined;

  /** The thread starts while the caller goes on. */
  constructor(workerData: ThreadData) {
    this.#worker = new Worker(require.resolve('./writer-entry'), { workerData, ...LOADER });
    // What waits for a batch keeps the process, the thread alone does not.
    this.#worker.unref();
    this.#worker.on('message', (answer: ThreadAnswer) => this.#answered(answer));
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('the thread that writes has ended')));
  }

  applyBatch(batch: readonly Command[]): Promise<Applied> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) throw unavailable(this.#ended, false);
      this.#worker.postMessage(batch);
      this.#worker.ref();
      this.#waiting = { resolve, reject };
    });
  }

  async close(): Promise<void> {
    if (this.#ended !== undefined) return;
    this.#worker.ref();
    this.#worker.postMessage(null);
    await once(this.#worker, 'exit');
  }

  #answered(answer: ThreadAnswer): void {
    this.#worker.unref();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if ('results' in answer) waiting?.resolve(answer);
    else waiting?.reject(errorOf(answer.error));
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    this.#waiting?.reject(unavailable(this.#ended, true));
    this.#waiting = undefined;
  }
}

function unavailable(cause: Error, outcomeUnknown: boolean): StoreUnavailable {
  return new StoreUnavailable('the thread that writes the database has ended', outcomeUnknown, { cause });
}
