import { readPages } from '../http/responses/page';
import type { Feature } from '../service/feature';
import { Metrics } from './metrics';
import { metricsPage } from './metrics-page';

/** Measurements of the service at `/metrics`, for Prometheus. */
export const metrics: Feature = (_definition, { METRICS }) => {
  const counters = METRICS ? new Metrics() : undefined;
  return (service) => ({
    pages: () => readPages({ '/metrics': metricsPage(service, counters) }),
    ...(counters !== undefined && {
      links: { metrics: '/metrics' },
      responded: (...response) => counters.answered(...response),
      committed: (...commit) => counters.committed(...commit),
    }),
  });
};
