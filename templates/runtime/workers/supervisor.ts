import cluster, { type Worker } from 'node:cluster';
import { pauseAfter } from '../concurrency/backoff';
import type { Logger } from '../service/logger';
import { onNpmStopped } from '../service/npm-start';
import { CLOSING, type ToSupervisor, WORKER_NUMBER } from '../service/worker-process';
import type { Settings } from '../settings/settings';
import { Gatherings, send } from './gathering';

/** Number of failed starts in a row that end the service. */
const MAX_FAILED_STARTS = 6;

/** Minimum life of a worker that is replaced at once, in milliseconds. */
const PROVEN = 10_000;

const BACKOFF = { firstMs: 100, maxMs: 5_000 };

/** A slot for one worker. */
interface Place {
  number: number;
  worker: Worker | undefined;
  listens: boolean;
  /** The start of its worker, in the time of performance.now(); undefined until the first one starts. */
  since: number | undefined;
  /** Deaths in a row, each soon after its start. */
  deaths: number;
}

/** The end of a worker: its exit code or signal, or the reason why it has no process. */
interface End {
  code: number | null;
  signal: string | null;
  err?: unknown;
}

/**
 * Runs the workers of a service. They share its port. A worker that dies is replaced, after growing pauses when it dies
 * again and again. If the first cannot even be started, or another one time and again, all end with its exit code.
 */
export class Supervisor {
  readonly #places: Place[];
  readonly #gatherings = new Gatherings();
  #failedStarts = 0;
  /** Set when a worker has listened: then a failed start is repeated. */
  #isServing = false;
  /** Set when all have. */
  #isUp = false;
  #exitCode: number | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly logger: Logger,
  ) {
    this.#places = Array.from({ length: settings.WORKERS }, (_, index) => ({
      number: index + 1,
      worker: undefined,
      listens: false,
      since: undefined,
      deaths: 0,
    }));
  }

  /** Starts the first worker, and the others when it listens: an error that affects all is reported once. */
  start(): void {
    // If this process distributed connections, one to a worker that is just dying would get neither a response nor a
    // close.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.on('message', (worker, message: ToSupervisor | null) => this.#heard(worker, message));
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#stop(0, { signal }));
    onNpmStopped((reason) => this.#stop(0, reason));
    this.#fork(this.#places[0]);
  }

  #fork(place: Place): void {
    if (this.#exitCode !== undefined) return;
    Object.assign(place, { listens: false, since: performance.now() });
    let worker: Worker;
    try {
      worker = cluster.fork({ [WORKER_NUMBER]: String(place.number) });
    } catch (err) {
      return this.#ended(place, { code: null, signal: null, err });
    }
    place.worker = worker;
    worker.once('listening', ({ port }) => this.#listening(place, port));
    worker.once('exit', (code: number | null, signal: string | null) => {
      this.#gatherings.ended(worker);
      this.#ended(place, { code, signal });
    });
    worker.on('error', (err) => {
      // Without a process there is no exit.
      if (worker.process.pid === undefined) this.#ended(place, { code: null, signal: null, err });
    });
  }

  #listening(place: Place, port: number): void {
    place.listens = true;
    this.#isServing = true;
    this.#failedStarts = 0;
    if (this.#exitCode !== undefined && place.worker !== undefined)
      return send(place.worker, { say: 'stop' });
    if (this.#isUp) return this.logger.info({ worker: place.number }, 'worker replaced');
    // One that has ended already starts again after its pause.
    for (const other of this.#places) if (other.since === undefined) this.#fork(other);
    if (!this.#places.every(({ listens }) => listens)) return;
    this.#isUp = true;
    const { HOST, WORKERS } = this.settings;
    this.logger.info({ host: HOST || '*', port, workers: WORKERS }, 'listening');
  }

  #ended(place: Place, { code, signal, err }: End): void {
    const lived = performance.now() - place.since!;
    place.worker = undefined;
    if (this.#exitCode !== undefined) return this.#leaveWhenEmpty();
    if (!place.listens) this.#failedStarts += 1;
    if (this.#failedStarts >= (this.#isServing ? MAX_FAILED_STARTS : 1))
      return this.#stop(code || 1, { worker: place.number, code, by: signal, err }, 'fatal');
    place.deaths = lived < PROVEN ? place.deaths + 1 : 0;
    const pause = place.deaths === 0 ? 0 : pauseAfter(place.deaths, BACKOFF);
    const reason = { worker: place.number, code, signal, err, pause: Math.round(pause) };
    this.logger.error(reason, 'worker ended');
    setTimeout(() => this.#fork(place), pause);
  }

  /** Lets every worker finish its requests, and ends when they have. */
  #stop(exitCode: number, reason: object, level: 'info' | 'fatal' = 'info'): void {
    if (this.#exitCode !== undefined) return;
    this.#exitCode = exitCode;
    this.logger[level](reason, 'stopping');
    for (const { worker, listens } of this.#places) {
      if (worker === undefined) continue;
      // A worker that does not listen yet has no requests, and may not receive the message.
      if (listens) send(worker, { say: 'stop' });
      else worker.process.kill('SIGKILL');
    }
    const kill = (): void => this.#places.forEach(({ worker }) => worker?.process.kill('SIGKILL'));
    const { SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS } = this.settings;
    setTimeout(kill, SHUTDOWN_DELAY_MS + SHUTDOWN_TIMEOUT_MS + CLOSING);
    this.#leaveWhenEmpty();
  }

  #leaveWhenEmpty(): void {
    if (this.#places.some(({ worker }) => worker !== undefined)) return;
    this.logger.info('stopped');
    process.exit(this.#exitCode);
  }

  #heard(worker: Worker, message: ToSupervisor | null): void {
    const listening = this.#places.flatMap((place) => (place.listens && place.worker) || []);
    // The project's own code may send anything, such as null.
    if (message?.say === 'gather') this.#gatherings.begin(listening, worker, message.ask);
    else if (message?.say === 'measured') this.#gatherings.take(message.ask, worker, message.measurements);
  }
}
