import { useRef, useState } from 'preact/hooks';
import type { ConsoleKindSummary } from '../../../../templates/runtime/console/content';
import { isSame, type Tagged } from '../../data/api';
import { readResource } from '../../data/resource';
import { useConsole } from '../../data/service-context';
import type { StreamState } from '../../data/use-events';
import { useFollowing } from '../../data/use-following';
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
  const { session } = useConsole();
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
  const selection = { kinds: [`${kind.group}/${kind.kind}`], version: `${kind.group}/${version}` };
  const live = useFollowing(read, selection, ({ data }) => {
    if (data.resourceUID !== last) return;
    if (data.action === 'deleted') setGone(last);
    else if (read.value === undefined || !isSame(data.resource, read.value.resource)) read.reload();
  });
  return { read, live, isGone: gone !== undefined && (uid ?? gone) === gone };
}
