import type { JSX } from 'preact';
import type { ConsoleSettings } from '../../../../templates/runtime/console/content';
import { connection } from '../../data/api';
import { useConsole } from '../../data/service-context';
import { useLoad } from '../../data/use-load';
import { ageText } from '../../parts/age';
import { Loading } from '../../parts/loading';
import { ProblemBox } from '../../parts/problem';
import { useKeys } from '../../parts/use-keys';
import { MetricCharts } from './metric-charts';
import { Probe } from './probes';
import { SettingsTable } from './settings-table';

/** The state of the service: its probes, metrics and settings. */
export function ServicePage(): JSX.Element {
  const { service, session } = useConsole();
  const { links } = service;
  const { value, error, reload } = useLoad(readSettings, [session]);
  useKeys({ r: reload });
  return (
    <>
      <div class="head">
        <h1>Service</h1>
        <span class="soft">
          version {service.version}
          {value && ` · Node ${value.node} · running for ${ageText(value.uptimeSeconds * 1_000)}`}
        </span>
      </div>
      <div class="probes">
        <Probe title="Health" path={links['health'] ?? '/healthz'} />
        <Probe title="Readiness" path={links['ready'] ?? '/readyz'} />
      </div>
      {'metrics' in links && (
        <section aria-label="Metrics">
          <div class="head">
            <h2>Metrics</h2>
            <span class="soft">since this page was opened, without probes, the console and streams</span>
          </div>
          <MetricCharts path={links['metrics']} />
        </section>
      )}
      {error !== undefined && <ProblemBox error={error} retry={reload} />}
      {value === undefined && error === undefined && <Loading />}
      {value && <SettingsTable settings={value.settings} />}
    </>
  );
}

async function readSettings(signal: AbortSignal): Promise<ConsoleSettings> {
  const call = { method: 'GET', path: '/console/settings.json' } as const;
  return (await connection.send<ConsoleSettings>(call, { signal })).value;
}
