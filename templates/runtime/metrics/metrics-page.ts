import { setTimeout } from 'node:timers/promises';
import type { Metric, Registry } from 'prom-client';
import type { Page } from '../http/responses/page';
import { send } from '../http/responses/respond';
import { once } from '../http/responses/static-response';
import { HttpProblem } from '../model/problem';
import type { Service } from '../service/service';
import { type Measurements, onMessage, tell, workerNumber } from '../service/worker-process';
import type { Distribution, Metrics } from './metrics';

/** Maximum sampling interval of the event loop's delay, in milliseconds. */
const SAMPLE_MS = 25;

/** `GET /metrics`: measurements for Prometheus, summed over workers. 404 when METRICS is false. */
export function metricsPage(service: Service, metrics: Metrics | undefined): Page {
  // prom-client takes a tenth of a second to load: the first scrape pays for it, not the start.
  const registry = once(async () => {
    if (metrics === undefined) return undefined;
    const made = registryOf(await import('prom-client'), service, metrics);
    // Without a sample the minimum delay of the event loop would read 292 years. The first call begins a sample, the
    // second ends it.
    await setTimeout(SAMPLE_MS);
    await setTimeout(SAMPLE_MS);
    return made;
  });
  const gather = shareMetrics(async () => (await (await registry())?.getMetricsAsJSON()) ?? []);
  return async (req, res) => {
    const own = await registry();
    if (own === undefined) throw new HttpProblem(404, 'There are no metrics: the setting METRICS is false.');
    send(
      req,
      res,
      200,
      { 'Content-Type': own.contentType, 'Cache-Control': 'no-store' },
      await (gather === undefined ? own : await sumOf(await gather())).metrics(),
    );
  };
}

/** Adds up the metrics of several processes, as the `aggregator` of each metric says. */
async function sumOf(all: Measurements[]): Promise<Registry> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate(all);
}

function registryOf(prometheus: typeof import('prom-client'), service: Service, metrics: Metrics): Registry {
  const { Counter, Gauge, Registry, collectDefaultMetrics } = prometheus;
  const registry = new Registry();
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Responses, by method, route and class of the status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { method, route, classes } of metrics.routes()) {
        classes.forEach((count, index) => {
          if (count > 0) requests.inc({ method, route, status: `${index}xx` }, count);
        });
      }
    },
  });
  registry.registerMetric(
    histogram(
      'http_request_duration_seconds',
      'Time from the head of a request to the end of its response.',
      () => metrics.routes().map(({ method, route, latency }) => [{ method, route }, latency]),
    ),
  );
  registry.registerMetric(
    histogram('store_commit_duration_seconds', 'Time of a commit of the store.', () => [
      [{}, metrics.commitSeconds],
    ]),
  );
  registry.registerMetric(
    histogram('store_commit_writes', 'Writes that share a commit of the store.', () => [
      [{}, metrics.commitWrites],
    ]),
  );
  const lag = new Gauge({
    name: 'event_delivery_lag_seconds',
    help: 'Age of the oldest event that a consumer has still to be given; 0 when there is none.',
    labelNames: ['consumer'],
    // Only the worker that delivers knows; the others report 0.
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset();
      for (const part of service.parts)
        for (const [consumer, seconds] of part.lags?.() ?? []) lag.set({ consumer }, seconds);
    },
  });
  collectDefaultMetrics({ register: registry });
  return registry;
}

type Series = [labels: { [name: string]: string }, distribution: Distribution];

/** prom-client's own histogram can only observe single values; this one exports existing counts. */
function histogram(name: string, help: string, read: () => Series[]): Metric {
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: () => ({ ...metric, values: read().flatMap((series) => seriesOf(name, series)) }),
  };
  return metric as unknown as Metric;
}

function seriesOf(name: string, [labels, { bounds, counts, sum }]: Series): object[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[index] ?? '+Inf' }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
}

/** Returns the measurements of every worker of the service, including this process. */
type Gather = () => Promise<Measurements[]>;

/**
 * Shares measurements between the workers of a service: any of them serves `/metrics`, and a scrape wants the sum.
 * `measure` returns those of this process. Returns undefined in a process that is no worker.
 */
function shareMetrics(measure: () => Promise<Measurements>): Gather | undefined {
  if (workerNumber() === undefined) return undefined;
  const waiting = new Map<number, (all: Measurements[]) => void>();
  let asked = 0;
  onMessage((message) => {
    if (message.say === 'measure') {
      const { ask } = message;
      const answer = (measurements: Measurements): void => tell({ say: 'measured', ask, measurements });
      measure().then(answer, () => answer([]));
    }
    if (message.say === 'gathered') {
      waiting.get(message.ask)?.(message.all);
      waiting.delete(message.ask);
    }
  });
  return () =>
    new Promise((resolve) => {
      waiting.set((asked += 1), resolve);
      tell({ say: 'gather', ask: asked });
    });
}
