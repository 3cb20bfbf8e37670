import { useRef, useState } from 'preact/hooks';
import type { ConsoleKindSummary } from '../../../../templates/runtime/console/content';
import type { Tagged } from '../../data/api';
import { readResource } from '../../data/resource';
import { useConsole } from '../../data/service-context';
import { type StreamState, useEvents } from '../../data/use-events';
import { type Loaded, useLoad } from '../../data/use-load';

/** A resource that follows its changes. */
export interface LiveResource {
  read: Loaded<Tagged>;
  live: StreamState;
  /** True if it has been deleted since it was read. */
  isGone: boolean;
}

/**
 * Reads a resource, again after each of its changes. `name` is its uid, or its name where names are unique. Once it is
 * read, it is followed by its uid, so that a new name does not lose it.
 */
export function useResource(kind: ConsoleKindSummary, version: string, name: string): LiveResource {
  const { service, session } = useConsole();
  const followed = useRef<string>(undefined);
  const read = useLoad(
    (signal) => readResource({ ...kind, version }, followed.current ?? name, signal),
    [kind.plural, version, name, session],
  );
  const uid = read.value?.resource.metadata.uid;
  const [gone, setGone] = useState<string>();
  // After a deletion, the name may belong to another resource.
  const last = uid ?? followed.current;
  followed.current = last === gone ? undefined : last;
  const follows = 'events' in service.links && read.value !== undefined;
  const live = useEvents(follows ? { kinds: [`${kind.group}/${kind.kind}`] } : undefined, ({ data }) => {
    if (data.resourceUID !== uid) return;
    if (data.action === 'deleted') setGone(uid);
    else if (data.resource.metadata.updatedAt !== read.value?.resource.metadata.updatedAt) read.reload();
  });
  return { read, live, isGone: gone !== undefined && (uid ?? gone) === gone };
}
