import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { connection } from '../../data/api';
import { usePoll } from '../../data/use-poll';
import { ProblemBox } from '../../parts/problem';
import { Chart } from './chart';
import { type Rates, ratesOf, type Sample, sampleOf } from './rates';

/** Pause between two samples, in milliseconds. */
const PAUSE_MS = 3_000;
/** Samples that are kept: about five minutes. */
const ROOM = 100;

/** Requests, latency and commits since the page was opened, from the metrics of the service. */
export function MetricCharts({ path }: { path: string }): JSX.Element {
  const { value, error } = usePoll((signal) => readSample(path, signal), PAUSE_MS);
  const [{ last, rates }, setState] = useState<{ last?: Sample; rates: (Rates | undefined)[] }>({
    rates: [],
  });
  useEffect(() => {
    if (value === undefined) return;
    const added = last && [ratesOf(last, value)];
    setState({ last: value, rates: [...rates, ...(added ?? [])].slice(-ROOM) });
  }, [value]);
  if (error !== undefined) return <ProblemBox error={error} />;
  const line = (name: string, of: (rates: Rates) => number | undefined) => ({
    name,
    points: rates.map((each) => each && of(each)),
  });
  return (
    <div class="charts">
      <Chart
        title="Requests"
        unit="/s"
        room={ROOM}
        series={[
          line('all', ({ requestsPerSecond }) => requestsPerSecond),
          line('5xx', ({ failuresPerSecond }) => failuresPerSecond),
        ]}
      />
      <Chart
        title="Latency"
        unit="ms"
        room={ROOM}
        series={[line('median', ({ median }) => median), line('95 %', ({ slow }) => slow)]}
      />
      <Chart
        title="Commits"
        unit="/s"
        room={ROOM}
        series={[line('all', ({ commitsPerSecond }) => commitsPerSecond)]}
      />
      <Chart
        title="Time of a commit"
        unit="ms"
        room={ROOM}
        series={[line('mean', ({ commitMs }) => commitMs)]}
      />
    </div>
  );
}

async function readSample(path: string, signal: AbortSignal): Promise<Sample> {
  const call = { method: 'GET', path, headers: { Accept: 'text/plain' } } as const;
  const response = await connection.open(call, undefined, signal);
  return sampleOf(await response.text(), performance.now());
}
