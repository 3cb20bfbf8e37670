import type { JSX } from 'preact';
import { linkTo } from '../../data/route';
import { useConsole } from '../../data/service-context';
import type { ResourceEvent, StreamState } from '../../data/use-events';
import { Age } from '../../parts/age';
import { Live } from '../../parts/live';
import { ResourceName } from '../../parts/resource-name';
import { pluralOf } from '../events/event-query';

/** Maximum number of changes that are shown. */
const MOST = 15;

interface ChangesProps {
  changes: ResourceEvent[];
  live: StreamState;
}

/** The changes of all kinds since the console was opened, the newest first. */
export function Changes({ changes, live }: ChangesProps): JSX.Element {
  const { service } = useConsole();
  const events = changes.slice(0, MOST);
  return (
    <section aria-label="Changes">
      <div class="head">
        <h2>Changes</h2>
        <Live state={live} />
        <a href={linkTo(['-', 'events'])}>All events</a>
      </div>
      {events.length === 0 ? (
        <p class="soft">Changes are listed here as they happen.</p>
      ) : (
        <ol class="changes">
          {events.map((event) => {
            const { id, data, time } = event;
            const plural = pluralOf(service, event);
            const name = <ResourceName name={data.resourceName} uid={data.resourceUID} longest={200} />;
            return (
              <li key={id}>
                <span class={`action ${data.action}`}>{data.action}</span>
                <span class="soft">{data.resourceKind}</span>
                {plural === undefined || data.action === 'deleted' ? (
                  <span class="name">{name}</span>
                ) : (
                  <a class="name" href={linkTo([plural, data.resourceUID])}>
                    {name}
                  </a>
                )}
                <span class="soft end">
                  <Age time={time} />
                </span>
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
