import type { Worker } from 'node:cluster';
import type { Measurements, ToWorker } from '../service/worker-process';

/** Time after which a worker that has not responded is left out, in milliseconds. */
const PATIENCE = 1_000;

/** The running collections of measurements, in the supervising process. */
export class Gatherings {
  readonly #open = new Map<number, { left: Set<number>; all: Measurements[]; done: () => void }>();
  #last = 0;

  /** Asks every worker, and sends the results to the worker that wants them. */
  begin(workers: Worker[], asker: Worker, ask: number): void {
    const number = (this.#last += 1);
    const all: Measurements[] = [];
    const done = (): void => {
      clearTimeout(timer);
      this.#open.delete(number);
      send(asker, { say: 'gathered', ask, all });
    };
    const timer = setTimeout(done, PATIENCE);
    this.#open.set(number, { left: new Set(workers.map(({ id }) => id)), all, done });
    for (const worker of workers) send(worker, { say: 'measure', ask: number });
  }

  /** Takes the measurements of a worker. */
  take(number: number, worker: Worker, measurements: Measurements): void {
    const gathering = this.#open.get(number);
    if (gathering === undefined || !gathering.left.delete(worker.id)) return;
    gathering.all.push(measurements);
    if (gathering.left.size === 0) gathering.done();
  }
}

/** Sends to a worker if it is still alive. */
export function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
