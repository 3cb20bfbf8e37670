import cluster from 'node:cluster';

/** The environment variable with a worker's number. */
export const WORKER_NUMBER = 'SVCGEN_WORKER';

/** Time after SHUTDOWN_TIMEOUT_MS for closing the store, in milliseconds. */
export const CLOSING = 1_500;

/** Messages from the supervising process to a worker. */
export type ToWorker =
  | { say: 'stop' }
  /** Asks for the worker's measurements, which return with the same `ask`. */
  | { say: 'measure'; ask: number }
  /** The measurements of all workers, for the worker that asked with its own number. */
  | { say: 'gathered'; ask: number; all: Measurements[] };

/** Messages from a worker to the supervising process. */
export type ToSupervisor =
  { say: 'gather'; ask: number } | { say: 'measured'; ask: number; measurements: Measurements };

/** The metrics of a process, in prom-client's JSON form; empty where there are none. */
export type Measurements = object[];

/** Returns the number of this process among the workers of a service, from 1; undefined when it is no worker. */
export function workerNumber(): number | undefined {
  const number = Number(process.env[WORKER_NUMBER]);
  return cluster.isWorker && number > 0 ? number : undefined;
}

/** Calls back with every message of the supervising process. */
export function onMessage(callback: (message: ToWorker) => void): void {
  process.on('message', (message: ToWorker) => callback(message));
}

/** Sends to the supervising process; a message to a process that has ended is lost. */
export function tell(message: ToSupervisor): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
