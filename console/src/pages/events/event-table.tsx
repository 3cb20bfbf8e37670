import type { JSX } from 'preact';
import { linkTo } from '../../data/route';
import { useConsole } from '../../data/service-context';
import type { ResourceEvent } from '../../data/use-events';
import { ResourceName } from '../../parts/resource-name';
import { Text } from '../../parts/text';
import { pluralOf } from './event-query';
import type { LogEntry } from './use-event-log';

interface EventTableProps {
  entries: LogEntry[];
  onOpen: (entry: LogEntry) => void;
  /** Called when the pointer enters the table, and when it leaves. */
  onPoint: (isInside: boolean) => void;
}

/** Events as a table, the newest first. */
export function EventTable({ entries, onOpen, onPoint }: EventTableProps): JSX.Element {
  return (
    <div class="table-box" onMouseEnter={() => onPoint(true)} onMouseLeave={() => onPoint(false)}>
      <table class="list events">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Action</th>
            <th scope="col">Resource</th>
            <th scope="col">Kind</th>
            <th scope="col">Actor</th>
            <th scope="col">
              <span class="hidden">Event</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EventRow key={entry.event.id} entry={entry} onOpen={() => onOpen(entry)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EventRow({ entry: { event }, onOpen }: { entry: LogEntry; onOpen: () => void }): JSX.Element {
  const { action, resourceKind, resourceName, actor, metadata } = event.data;
  return (
    <tr>
      <td class="moment">
        <Moment time={event.time} />
      </td>
      <td>
        <span class={`action ${action}`}>{action}</span>
        {metadata?.updateType === 'status' && <span class="soft"> status</span>}
      </td>
      <th scope="row" class="name">
        <ResourceLink event={event} />
      </th>
      <td>{resourceKind}</td>
      <td>{actor === undefined ? <span class="soft">–</span> : <Text value={actor} longest={100} />}</td>
      <td class="end">
        <button
          type="button"
          class="more"
          aria-label={`Open the event of ${resourceName.slice(0, 100)}`}
          onClick={onOpen}
        >
          Open
        </button>
      </td>
    </tr>
  );
}

/** The resource of an event: a link unless it is deleted. */
export function ResourceLink({ event }: { event: ResourceEvent }): JSX.Element {
  const { service } = useConsole();
  const { action, resourceName, resourceUID } = event.data;
  const plural = pluralOf(service, event);
  const name = <ResourceName name={resourceName} uid={resourceUID} longest={100} />;
  if (plural === undefined || action === 'deleted') return name;
  return <a href={linkTo([plural, resourceUID])}>{name}</a>;
}

/** A time of day in the time zone of the user, with the moment as its title. */
function Moment({ time }: { time: string }): JSX.Element {
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime())) return <>{time}</>;
  const isToday = moment.toDateString() === new Date().toDateString();
  const date = isToday ? {} : ({ month: 'short', day: 'numeric' } as const);
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  return (
    <time dateTime={time} title={time}>
      {moment.toLocaleString('en', { ...date, ...clock })}
    </time>
  );
}
