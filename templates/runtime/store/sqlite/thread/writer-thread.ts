import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Command, Declared } from '../../command';
import { StoreUnavailable } from '../../store';
import type { Applied, Writer } from '../writes/batch-writer';
import { errorOf, type ThreadAnswer, type ThreadData, type ThreadMessage } from './thread-message';

// Runners of tests such as vitest load TypeScript, but their require finds none.
const ENTRY = join(__dirname, `writer-loop${extname(__filename)}`);

interface Waiting {
  resolve(applied: Applied): void;
  reject(error: unknown): void;
}

/** A thread that runs, and whether it has opened the database. */
interface Running {
  worker: Worker;
  isOpen: boolean;
}

/**
 * Applies batches in a separate thread: while a commit waits for the disk, requests are served. It takes one batch at
 * a time. It throws what BatchWriter throws, and StoreUnavailable when the thread ends; the next batch then starts
 * another.
 */
export class WriterThread implements Writer {
  #running: Running | undefined;
  #waiting: Waiting | undefined;
  #closed = false;
  #declared: Declared;

  /** The thread starts while the caller goes on. */
  constructor(private readonly workerData: ThreadData) {
    this.#running = this.#start();
  }

  applyBatch(batch: readonly Command[]): Promise<Applied> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new StoreUnavailable('the store is closed');
      const { worker } = (this.#running ??= this.#start());
      worker.postMessage(batch satisfies ThreadMessage);
      worker.ref();
      this.#waiting = { resolve, reject };
    });
  }

  declare(declared: Declared): void {
    this.#declared = declared;
    this.#running?.worker.postMessage({ declared } satisfies ThreadMessage);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#running === undefined) return;
    const { worker } = this.#running;
    worker.ref();
    worker.postMessage(null satisfies ThreadMessage);
    await once(worker, 'exit').catch(() => undefined);
  }

  #start(): Running {
    const worker = new Worker(ENTRY, { workerData: this.workerData });
    worker.postMessage({ declared: this.#declared } satisfies ThreadMessage);
    const running = { worker, isOpen: false };
    // A pending batch keeps the process alive; the idle thread must not.
    worker.unref();
    worker.on('message', (answer: ThreadAnswer) => this.#answered(running, answer));
    worker.on('error', (error) => this.#ended(running, error));
    worker.on('exit', () => this.#ended(running));
    return running;
  }

  #answered(running: Running, answer: ThreadAnswer): void {
    if (answer === 'open') {
      running.isOpen = true;
      return;
    }
    running.worker.unref();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if ('results' in answer) waiting?.resolve(answer);
    else waiting?.reject(errorOf(answer.error));
  }

  /** A batch that waits may have been committed, unless the thread could not open the database. */
  #ended(running: Running, cause?: Error): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    const message = 'the thread that writes the database has ended';
    this.#waiting?.reject(new StoreUnavailable(message, running.isOpen, { cause }));
    this.#waiting = undefined;
  }
}
