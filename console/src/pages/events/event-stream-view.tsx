import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { linkTo, type RouteQuery } from '../../data/route';
import { Live } from '../../parts/live';
import { Empty } from '../../parts/loading';
import { ProblemBox } from '../../parts/problem';
import { EventDialog } from './event-dialog';
import { EventFilters } from './event-filters';
import { type EventQuery, eventQueryOf, hasText, parametersOf, selectionOf } from './event-query';
import { EventTable } from './event-table';
import { type LogEntry, MOST, useEventLog } from './use-event-log';

interface EventStreamViewProps {
  parameters: URLSearchParams;
  show: (query: RouteQuery) => void;
}

/** The stream of events with its filters. */
export function EventStreamView({ parameters, show }: EventStreamViewProps): JSX.Element {
  const query = eventQueryOf(parameters);
  const [isPaused, setPaused] = useState(false);
  const [isPointed, setPointed] = useState(false);
  const [opened, setOpened] = useState<LogEntry>();
  const log = useEventLog(selectionOf(query), isPaused || isPointed || opened !== undefined);
  const linked = log.entries.find(({ event }) => event.id === query.event);
  const open = opened ?? linked;
  const change = (changes: EventQuery): void => show(parametersOf({ ...query, ...changes }));
  const shown = log.entries.filter(({ event }) => hasText(event, query.text));
  const isEmpty = shown.length === 0;
  // A table that goes away under the pointer reports no end of that.
  useEffect(() => setPointed(false), [isEmpty]);
  return (
    <>
      <div class="head events-head">
        <EventFilters query={query} show={change} />
        <Live state={log.live} />
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </button>
      </div>
      <p class="soft waiting" role="status">
        {log.waiting > 0 && `${log.waiting} new ${log.waiting === 1 ? 'event waits' : 'events wait'}`}
      </p>
      {log.error !== undefined && <ProblemBox error={log.error} />}
      {isEmpty ? (
        <Empty title={log.entries.length > 0 ? 'No event has this text' : 'No events yet'}>
          {query.after === undefined && 'Events are listed here as they happen.'}
        </Empty>
      ) : (
        <EventTable entries={shown} onPoint={setPointed} onOpen={setOpened} />
      )}
      {open && (
        <EventDialog
          event={open.event}
          link={linkOf(open)}
          onClose={() => {
            setOpened(undefined);
            if (query.event !== undefined) change({ event: undefined });
          }}
        />
      )}
      {log.isCut && <p class="soft">Only the newest {MOST} events are shown.</p>}
    </>
  );
}

/** Returns the URL of the stream from an event on, with the event open. */
function linkOf({ event, before }: LogEntry): string {
  const { origin, pathname } = window.location;
  return origin + pathname + linkTo(['-', 'events'], { after: before, event: event.id });
}
