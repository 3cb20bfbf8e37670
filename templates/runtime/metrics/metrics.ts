const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WRITES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
/** Other methods are counted as one: names that a client makes up must not make new series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER = 'other';

/** Counts of the responses of one route to one method. */
interface RouteMeter {
  route: string;
  method: string;
  /** By status class: index 2 counts 200 to 299. */
  classes: number[];
  /** In seconds. */
  latency: Distribution;
}

/** Counters of a running service. A request only adds to existing numbers; the text is made when `/metrics` is read. */
export class Metrics {
  readonly #routes = new Map<string, Map<string, RouteMeter>>();
  /** Time of each commit of the store, in seconds. */
  readonly commitSeconds = new Distribution(SECONDS);
  /** Writes that shared each commit. */
  readonly commitWrites = new Distribution(WRITES);

  /** Counts a response. `route` is a template such as `/devices/{uid}`, never a path. */
  answered(route: string, method: string, status: number, seconds: number): void {
    const meter = this.#routes.get(route)?.get(method) ?? this.#meter(route, method);
    meter.classes[Math.trunc(status / 100)] += 1;
    meter.latency.add(seconds);
  }

  /** Counts a commit of the store. */
  committed(writes: number, seconds: number): void {
    this.commitWrites.add(writes);
    this.commitSeconds.add(seconds);
  }

  /** Every route and method that was asked for so far. */
  routes(): RouteMeter[] {
    return [...this.#routes.values()].flatMap((methods) => [...methods.values()]);
  }

  #meter(route: string, given: string): RouteMeter {
    const method = METHODS.has(given) ? given : OTHER;
    let methods = this.#routes.get(route);
    if (methods === undefined) this.#routes.set(route, (methods = new Map<string, RouteMeter>()));
    let meter = methods.get(method);
    if (meter === undefined) {
      meter = {
        route,
        method,
        classes: Array.from({ length: 10 }, () => 0),
        latency: new Distribution(SECONDS),
      };
      methods.set(method, meter);
    }
    return meter;
  }
}

/** Counts of values between bounds: the state of a Prometheus histogram. */
export class Distribution {
  /** Number of values per bucket: at most its bound and above the previous one; the last bucket has no bound. */
  readonly counts: number[];
  /** Sum of all values. */
  sum = 0;

  /** `bounds` ascend. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  /** Counts one value. Most are small, so the bounds are tried in ascending order. */
  add(value: number): void {
    let index = 0;
    while (value > this.bounds[index]) index += 1;
    this.counts[index] += 1;
    this.sum += value;
  }
}
