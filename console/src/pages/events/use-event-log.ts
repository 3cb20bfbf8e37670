import { useEffect, useRef, useState } from 'preact/hooks';
import { useConsole } from '../../data/service-context';
import { type EventSelection, type ResourceEvent, type StreamState, useEvents } from '../../data/use-events';

/** Maximum number of events that are kept. */
export const MOST = 500;
/** Time between two updates of the table, in milliseconds: thousands of events may come in it. */
const UPDATE_MS = 250;

/** An event, and the position before it: from there, a link leads to it. */
export interface LogEntry {
  event: ResourceEvent;
  before: string;
}

/** The events of a stream, the newest first. */
export interface EventLog {
  live: StreamState;
  error: unknown;
  entries: LogEntry[];
  /** The number of events that wait while the log is held. */
  waiting: number;
  /** True if older events were dropped. */
  isCut: boolean;
}

/** Follows the events that are selected. While `isHeld`, new ones wait. */
export function useEventLog(selection: EventSelection | undefined, isHeld: boolean): EventLog {
  const [entries, setEntries] = useState<LogEntry[]>([]);
  const [waiting, setWaiting] = useState(0);
  const [total, setTotal] = useState(0);
  const [error, setError] = useState<unknown>();
  const buffer = useRef<LogEntry[]>([]);
  const counted = useRef(0);
  const last = useRef('0');
  const { session } = useConsole();
  const key = JSON.stringify([selection, session]);
  useEffect(() => {
    buffer.current = [];
    counted.current = 0;
    last.current = selection?.lastEventId ?? '0';
    setEntries([]);
    setTotal(0);
    setError(undefined);
  }, [key]);
  const live = useEvents(selection, {
    onEvent: (event, position) => {
      buffer.current.unshift({ event, before: last.current });
      buffer.current.length = Math.min(buffer.current.length, MOST);
      counted.current += 1;
      last.current = position;
    },
    onError: setError,
  });
  useEffect(() => {
    const update = (): void => {
      setWaiting(isHeld ? counted.current : 0);
      if (isHeld || counted.current === 0) return;
      const [added, count] = [buffer.current, counted.current];
      [buffer.current, counted.current] = [[], 0];
      setEntries((all) => [...added, ...all].slice(0, MOST));
      setTotal((all) => all + count);
    };
    update();
    const timer = setInterval(update, UPDATE_MS);
    return () => clearInterval(timer);
  }, [isHeld]);
  return { live, error: live === 'broken' ? error : undefined, entries, waiting, isCut: total > MOST };
}
