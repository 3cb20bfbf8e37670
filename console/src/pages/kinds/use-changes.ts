import { useState } from 'preact/hooks';
import { useConsole } from '../../data/service-context';
import { type ResourceEvent, type StreamState, useEvents } from '../../data/use-events';

/** Maximum number of changes that are remembered. */
const MOST = 100;

/** Changes stay while the user looks at other pages, as long as it is the same user. */
let remembered: { session: number; events: ResourceEvent[]; position?: string } = { session: 0, events: [] };

/** Returns the changes of all kinds since the console was opened, the newest first. */
export function useChanges(): { changes: ResourceEvent[]; live: StreamState } {
  const { service, session } = useConsole();
  if (remembered.session !== session) remembered = { session, events: [] };
  const [, setCount] = useState(0);
  const [start] = useState(remembered.position);
  const live = useEvents('events' in service.links ? { lastEventId: start } : undefined, {
    onEvent: (event, position) => {
      remembered = { session, events: [event, ...remembered.events].slice(0, MOST), position };
      setCount((count) => count + 1);
    },
  });
  return { changes: remembered.events, live };
}
