import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Command, Declared } from '../../command';
import { StoreBusy } from '../../retry-busy';
import { OtherDeclarations, StoreUnavailable } from '../../store';
import type { Opened } from '../file/open-files';
import type { Applied, Writer } from '../writes/batch-writer';

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

/** Start data of a thread: the path of a database whose schema is up to date, its open files and the modules of the store's parts. */
export interface ThreadData {
  path: string;
  opened: Opened;
  modules: readonly string[];
}

/** Messages to a thread: a batch, the digests that the process declares, or null as the last one. */
export type ThreadMessage = readonly Command[] | { declared: Declared } | null;

/** Messages of a thread: first that it has opened the database, then the result of each batch. */
export type ThreadAnswer = 'open' | Applied | { error: ErrorMessage };

/** An error in a form that crosses threads, where it would lose its class. */
interface ErrorMessage {
  kind: 'busy' | 'unavailable' | 'defect';
  message: string;
  outcomeUnknown: boolean;
  /** The kinds of OtherDeclarations. */
  kinds?: readonly string[];
  stack: string | undefined;
}

export function messageOf(error: unknown): ErrorMessage {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const kind =
    error instanceof StoreBusy ? 'busy' : error instanceof StoreUnavailable ? 'unavailable' : 'defect';
  const outcomeUnknown = error instanceof StoreUnavailable && error.outcomeUnknown;
  const kinds = error instanceof OtherDeclarations ? error.kinds : undefined;
  return { kind, message, outcomeUnknown, kinds, stack };
}

export function errorOf({ kind, message, outcomeUnknown, kinds, stack }: ErrorMessage): Error {
  const error =
    kinds !== undefined
      ? new OtherDeclarations(kinds)
      : kind === 'busy'
        ? new StoreBusy(message, outcomeUnknown)
        : kind === 'unavailable'
          ? new StoreUnavailable(message, outcomeUnknown)
          : new Error(message);
  error.stack = stack;
  return error;
}
