import { type MetricLine, readMetrics } from './metrics-text';

/** The counters of a service at a moment. All of them only grow, until the service is started again. */
export interface Sample {
  /** Milliseconds. */
  time: number;
  requests: number;
  failures: number;
  /** Requests of at most so many seconds, by their bound. */
  buckets: [bound: number, count: number][];
  commits: number;
  commitSeconds: number;
}

/** The change of a service between two moments. */
export interface Rates {
  requestsPerSecond: number;
  failuresPerSecond: number;
  /** In milliseconds; undefined without a request. */
  median: number | undefined;
  slow: number | undefined;
  commitsPerSecond: number;
  /** The mean, in milliseconds; undefined without a commit. */
  commitMs: number | undefined;
}

const REQUESTS = 'http_requests_total';
const BUCKETS = 'http_request_duration_seconds_bucket';
const COMMITS = 'store_commit_duration_seconds_count';
const COMMIT_SECONDS = 'store_commit_duration_seconds_sum';
const NAMES = new Set([REQUESTS, BUCKETS, COMMITS, COMMIT_SECONDS]);
/** Requests of probes and of the console itself are left out, and streams, which last as long as their reader stays. */
const OWN = /^\/(?:console|healthz|readyz|metrics|events$)/;

/** Reads the counters of `/metrics`. */
export function sampleOf(text: string, time: number): Sample {
  const lines = readMetrics(text, NAMES).filter(({ labels }) => !OWN.test(labels['route'] ?? ''));
  const sum = (name: string, isCounted: (line: MetricLine) => boolean = () => true): number =>
    lines.filter((line) => line.name === name && isCounted(line)).reduce((all, { value }) => all + value, 0);
  const bounds = new Map<number, number>();
  for (const { name, labels, value } of lines) {
    const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le']);
    if (name === BUCKETS) bounds.set(bound, (bounds.get(bound) ?? 0) + value);
  }
  return {
    time,
    requests: sum(REQUESTS),
    failures: sum(REQUESTS, ({ labels }) => labels['status'] === '5xx'),
    buckets: [...bounds].sort(([one], [other]) => one - other),
    commits: sum(COMMITS),
    commitSeconds: sum(COMMIT_SECONDS),
  };
}

/** Returns the change between two samples; undefined if the service was started again in between. */
export function ratesOf(before: Sample, after: Sample): Rates | undefined {
  const seconds = (after.time - before.time) / 1_000;
  const requests = after.requests - before.requests;
  const commits = after.commits - before.commits;
  if (seconds <= 0 || requests < 0 || commits < 0) return undefined;
  const known = new Map(before.buckets);
  const buckets = after.buckets.map(([bound, count]): [number, number] => [
    bound,
    count - (known.get(bound) ?? 0),
  ]);
  return {
    requestsPerSecond: requests / seconds,
    failuresPerSecond: (after.failures - before.failures) / seconds,
    median: quantile(buckets, 0.5),
    slow: quantile(buckets, 0.95),
    commitsPerSecond: commits / seconds,
    commitMs: commits === 0 ? undefined : ((after.commitSeconds - before.commitSeconds) / commits) * 1_000,
  };
}

/** Returns the time within which a share of the requests ended, in milliseconds, as exactly as the buckets tell. */
function quantile(buckets: [bound: number, count: number][], share: number): number | undefined {
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total === 0) return undefined;
  const wanted = total * share;
  const index = buckets.findIndex(([, count]) => count >= wanted);
  const [bound, count] = buckets[index];
  const [below, countBelow] = buckets[index - 1] ?? [0, 0];
  if (bound === Infinity) return below * 1_000;
  return (below + ((bound - below) * (wanted - countBelow)) / (count - countBelow)) * 1_000;
}
