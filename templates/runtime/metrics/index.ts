import { readPages } from '../http/responses/page';
import type { Feature } from '../service/feature';
import { Metrics } from './metrics';
import { metricsPage } from './metrics-page';

declare module '../service/service' {
  interface Additions {
    /** Absent when the setting METRICS is false. */
    metrics?: Metrics;
  }
}

/** Measurements of the service at `/metrics`, for Prometheus. */
export const metrics: Feature = (_definition, { METRICS }) => {
  const counters = METRICS ? new Metrics() : undefined;
  return (service) => ({
    pages: () => readPages({ '/metrics': metricsPage(service, counters) }),
    ...(counters !== undefined && {
      adds: { metrics: counters },
      links: { metrics: '/metrics' },
      responded: (...response) => counters.answered(...response),
      committed: (...commit) => counters.committed(...commit),
    }),
  });
};
