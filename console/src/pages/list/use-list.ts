import { useEffect, useState } from 'preact/hooks';
import type { ConsoleKindSummary } from '../../../../templates/runtime/console/content';
import { useConsole } from '../../data/service-context';
import { type StreamState, useEvents } from '../../data/use-events';
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
  const { service, session } = useConsole();
  const { labelSelector, fieldSelector } = query;
  const read = useLoad(
    (signal) => readPage({ ...kind, version }, query, signal),
    [kind.plural, version, query, session],
  );
  const [page, setPage] = useState<ListPage>();
  const [missed, setMissed] = useState(0);
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    setPage(read.value);
    setMissed(0);
    select(new Set<string>());
  }, [read.value]);
  const follows = 'events' in service.links && page !== undefined;
  const live = useEvents(
    follows
      ? {
          kinds: [`${kind.group}/${kind.kind}`],
          version: `${kind.group}/${version}`,
          ...{ labelSelector, fieldSelector },
        }
      : undefined,
    (event) => {
      const next = page && afterEvent(page, event);
      if (next !== undefined) setPage(next);
      else if (event.data.action === 'created') setMissed((count) => count + 1);
    },
  );
  return { read, page, live, missed, selected, select };
}
