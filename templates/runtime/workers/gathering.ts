import type { Worker } from 'node:cluster';
import type { Measurements, ToWorker } from '../service/worker-process';

/** Time after which the newest measurements of a worker that has not responded are used, in milliseconds. */
const PATIENCE = 1_000;

/** A running collection of measurements. */
interface Gathering {
  /** The workers that have not responded. */
  left: Set<number>;
  done(): void;
}

/** The measurements of the workers, in the supervising process. */
export class Gatherings {
  readonly #open = new Map<number, Gathering>();
  /** The newest measurements of each running worker. */
  readonly #newest = new Map<number, Measurements>();
  readonly #former = new FormerCounters();
  #last = 0;

  /** Asks every worker, and sends the results to the worker that wants them. */
  begin(workers: Worker[], asker: Worker, ask: number): void {
    const number = (this.#last += 1);
    const done = (): void => {
      clearTimeout(timer);
      this.#open.delete(number);
      const all = [...this.#newest.values(), this.#former.measurements()];
      send(asker, { say: 'gathered', ask, all });
    };
    const timer = setTimeout(done, PATIENCE);
    this.#open.set(number, { left: new Set(workers.map(({ id }) => id)), done });
    for (const worker of workers) send(worker, { say: 'measure', ask: number });
  }

  /** Takes the measurements of a worker. */
  take(number: number, worker: Worker, measurements: Measurements): void {
    const gathering = this.#open.get(number);
    if (gathering === undefined || !gathering.left.has(worker.id)) return;
    this.#newest.set(worker.id, measurements);
    this.#responded(gathering, worker);
  }

  /** Adds the last known counts of a worker that has ended to those of former workers, and no longer waits for it. */
  ended(worker: Worker): void {
    this.#former.add(this.#newest.get(worker.id) ?? []);
    this.#newest.delete(worker.id);
    for (const gathering of this.#open.values()) this.#responded(gathering, worker);
  }

  #responded(gathering: Gathering, worker: Worker): void {
    if (gathering.left.delete(worker.id) && gathering.left.size === 0) gathering.done();
  }
}

/** Sends to a worker if it is still alive. */
export function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

/** A metric in prom-client's JSON form, as far as sums need it. */
interface Metric {
  name: string;
  type: string;
  values: Sample[];
}

interface Sample {
  labels: object;
  /** The name of a series of a histogram. */
  metricName?: string;
  value: number;
}

/**
 * The counters of workers that have ended, added up. A sum without them would fall, and Prometheus takes a counter that
 * falls for one that began again at zero: it would count everything once more.
 */
class FormerCounters {
  readonly #metrics = new Map<string, { metric: Metric; samples: Map<string, Sample> }>();

  /** Adds the last measurements of a worker. Gauges describe the moment, so they are left out. */
  add(measurements: Measurements): void {
    for (const metric of measurements as Metric[])
      if (metric.type === 'counter' || metric.type === 'histogram') this.#addMetric(metric);
  }

  /** Returns the sums. */
  measurements(): Measurements {
    return [...this.#metrics.values()].map(({ metric, samples }) => ({
      ...metric,
      values: [...samples.values()],
    }));
  }

  #addMetric(metric: Metric): void {
    let sum = this.#metrics.get(metric.name);
    if (sum === undefined) this.#metrics.set(metric.name, (sum = { metric, samples: new Map() }));
    for (const sample of metric.values) {
      const series = JSON.stringify([sample.metricName, sample.labels]);
      const value = (sum.samples.get(series)?.value ?? 0) + sample.value;
      sum.samples.set(series, { ...sample, value });
    }
  }
}
