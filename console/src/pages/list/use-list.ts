import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleKindSummary } from '../../../../templates/runtime/console/content';
import { useConsole } from '../../data/service-context';
import type { ResourceEvent, StreamState } from '../../data/use-events';
import { useFollowing } from '../../data/use-following';
import { type Loaded, useLoad } from '../../data/use-load';
import { afterEvent, type ListPage, type ListQuery, readPage } from './list-data';

/** A page of a list that follows the changes. */
export interface LiveList {
  read: Loaded<ListPage>;
  /** The page after all changes since it was read. */
  page: ListPage | undefined;
  live: StreamState;
  /** The number of new resources that are not on the page. */
  missed: number;
  /** Uids. */
  selected: ReadonlySet<string>;
  select: (uids: ReadonlySet<string>) => void;
}

/** Reads a page of a list, and follows the changes of its resources. */
export function useList(kind: ConsoleKindSummary, version: string, query: ListQuery): LiveList {
  const { session } = useConsole();
  const { labelSelector, fieldSelector } = query;
  const read = useLoad(
    (signal) => readPage({ ...kind, version }, query, signal),
    [kind.plural, version, query, session],
  );
  const [page, setPage] = useState<ListPage>();
  const [missed, setMissed] = useState(0);
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  // A page that is being read may be older than they are.
  const early = useRef<ResourceEvent[]>([]);
  const follow = (shown: ListPage | undefined, event: ResourceEvent): ListPage | undefined => {
    const next = shown && afterEvent(shown, event);
    if (next === undefined && event.data.action === 'created') setMissed((count) => count + 1);
    return next ?? shown;
  };
  // Before any other event: one that came between would be lost.
  useLayoutEffect(() => {
    setMissed(0);
    const rows = new Set(read.value?.rows.map(({ resource }) => resource.metadata.uid));
    select((uids) => new Set([...uids].filter((uid) => rows.has(uid))));
    setPage(early.current.reduce(follow, read.value));
    early.current = [];
  }, [read.value]);
  const selection = {
    kinds: [`${kind.group}/${kind.kind}`],
    version: `${kind.group}/${version}`,
    ...{ labelSelector, fieldSelector },
  };
  const live = useFollowing(read, selection, (event) => {
    if (read.isLoading) early.current.push(event);
    setPage(follow(page, event));
  });
  return { read, page, live, missed, selected, select };
}
