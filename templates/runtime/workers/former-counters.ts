import type { Measurements } from '../service/worker-process';

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
export class FormerCounters {
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
