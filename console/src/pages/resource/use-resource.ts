import { useState } from 'preact/hooks';
import type { ConsoleKindSummary } from '../../../../templates/runtime/console/content';
import type { Tagged } from '../../data/api';
import { readResource } from '../../data/resource';
import { useConsole } from '../../data/service-context';
import { useEvents, type StreamState } from '../../data/use-events';
import { useLoad, type Loaded } from '../../data/use-load';

/** A resource that follows its changes. */
export interface LiveResource {
  read: Loaded<Tagged>;
  live: StreamState;
  /** True if it has been deleted since it was read. */
  isGone: boolean;
}

/** Reads a resource, again after each of its changes. */
export function useResource(kind: ConsoleKindSummary, version: string, uid: string): LiveResource {
  const { service, session } = useConsole();
  const read = useLoad(
    (signal) => readResource({ ...kind, version }, uid, signal),
    [kind.plural, version, uid, session],
  );
  const [isGone, setGone] = useState(false);
  const follows = 'events' in service.links && read.value !== undefined;
  const live = useEvents(follows ? { kinds: [`${kind.group}/${kind.kind}`] } : undefined, ({ data }) => {
    if (data.resourceUID !== uid) return;
    if (data.action === 'deleted') setGone(true);
    else if (data.resource.metadata.updatedAt !== read.value?.resource.metadata.updatedAt) read.reload();
  });
  return { read, live, isGone };
}
