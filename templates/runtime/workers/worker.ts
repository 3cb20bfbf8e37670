import cluster from 'node:cluster';

/** The environment variable that tells a worker its number. */
export const WORKER_NUMBER = 'SVCGEN_WORKER';

/** What a stop has beyond SHUTDOWN_TIMEOUT_MS to close the store, in milliseconds. */
export const CLOSING = 1_500;

/** What the process that supervises says to a worker. */
export type ToWorker =
  | { say: 'stop' }
  /** Asks for the worker's measurements; `ask` is told back with them. */
  | { say: 'measure'; ask: number }
  /** The measurements of all workers, for the one that asked with its own number. */
  | { say: 'gathered'; ask: number; all: Measurements[] };

/** What a worker says to the process that supervises. */
export type ToSupervisor =
  { say: 'gather'; ask: number } | { say: 'measured'; ask: number; measurements: Measurements };

/** The metrics of a process, as prom-client makes JSON of them; empty where there are none. */
export type Measurements = object[];

/** The number of this process among the workers of a service, from 1; undefined when it is none. */
export function workerNumber(): number | undefined {
  const number = Number(process.env[WORKER_NUMBER]);
  return cluster.isWorker && number > 0 ? number : undefined;
}

/** Calls back with every message of the process that supervises. */
export function onMessage(callback: (message: ToWorker) => void): void {
  process.on('message', (message: ToWorker) => callback(message));
}

/** Sends to the process that supervises; what it does not get any more is lost with it. */
export function tell(message: ToSupervisor): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
