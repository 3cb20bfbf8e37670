import { useRef } from 'preact/hooks';
import { useConsole } from './service-context';
import { type EventSelection, type ResourceEvent, type StreamState, useEvents } from './use-events';
import type { Loaded } from './use-load';

/**
 * Follows the changes of what a page has read. It is read once more when the stream begins: changes since the first time are
 * not in the stream. The page is live after that.
 */
export function useFollowing<T>(
  read: Loaded<T>,
  selection: EventSelection,
  onEvent: (event: ResourceEvent) => void,
): StreamState {
  const { service } = useConsole();
  const isRead = useRef(false);
  isRead.current ||= read.value !== undefined;
  const outdated = useRef<T>(undefined);
  const follows = 'events' in service.links && isRead.current;
  const state = useEvents(follows ? selection : undefined, {
    onEvent,
    onStart: () => {
      outdated.current = read.value;
      read.reload();
    },
  });
  const isOutdated = read.value !== undefined && read.value === outdated.current;
  return state === 'live' && isOutdated ? 'connecting' : state;
}
