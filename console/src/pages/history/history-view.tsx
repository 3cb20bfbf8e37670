import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Collection, Tagged } from '../../data/api';
import { diff } from '../../data/diff';
import { goTo, linkTo } from '../../data/route';
import { useConsole } from '../../data/service-context';
import { useLoad } from '../../data/use-load';
import { DiffTable } from '../../parts/diff-table';
import { Empty, Loading } from '../../parts/loading';
import { ProblemBox } from '../../parts/problem';
import { RestoreDialog } from './restore-dialog';
import { contentOf, type History, reaches, readHistory, type Snapshot } from './snapshots';
import { Timeline } from './timeline';

interface HistoryViewProps {
  collection: Collection;
  /** The resource as it is now. */
  current: Tagged;
  /** The URL; `from` and `to` name two snapshots. */
  query: URLSearchParams;
  /** Why the user may not restore a snapshot. */
  refusal: string | undefined;
  onRestored: () => void;
}

/** The snapshots of a resource on a timeline, and the difference of any two. */
export function HistoryView({
  collection,
  current,
  query,
  refusal,
  onRestored,
}: HistoryViewProps): JSX.Element {
  const { session } = useConsole();
  const { uid } = current.resource.metadata;
  const [linked] = ['from', 'to'].flatMap((name) => query.get(name) ?? []).sort();
  const [oldest, setOldest] = useState(linked);
  const read = useLoad(
    (signal) => readHistory(collection, uid, oldest, signal),
    [collection.plural, collection.version, uid, current.etag, session, oldest],
  );
  const [last, setLast] = useState<History>();
  const [restored, setRestored] = useState<Snapshot>();
  if (read.value !== undefined && read.value !== last) setLast(read.value);
  // While it is read again after a change, the last timeline stays.
  const history = read.value ?? last;
  if (read.error !== undefined) return <ProblemBox error={read.error} retry={read.reload} />;
  if (history === undefined) return <Loading />;
  const { snapshots, hasMore } = history;
  if (hasMore && linked !== oldest && !reaches(snapshots, linked)) setOldest(linked);
  if (snapshots.length === 0)
    return <Empty title="There are no snapshots">The next change of this resource makes one.</Empty>;
  const byId = (name: string): Snapshot | undefined =>
    snapshots.find(({ versionId }) => versionId === query.get(name));
  const to = byId('to') ?? snapshots[0];
  const from = byId('from') ?? snapshots[snapshots.indexOf(to) + 1] ?? to;
  return (
    <div class="history">
      <Timeline
        {...{ snapshots, from, to, refusal }}
        onMore={hasMore ? () => setOldest(snapshots.at(-1)!.versionId) : undefined}
        newest={current.resource.status?.['version']}
        onCompare={(ids) =>
          goTo(linkTo([collection.plural, uid], { ...Object.fromEntries(query), ...ids }), true)
        }
        onRestore={setRestored}
      />
      <Comparison from={from} to={to} />
      {restored && (
        <RestoreDialog
          {...{ collection, current, snapshot: restored }}
          onClose={(isDone) => {
            setRestored(undefined);
            if (isDone) onRestored();
          }}
        />
      )}
    </div>
  );
}

function Comparison({ from, to }: { from: Snapshot; to: Snapshot }): JSX.Element {
  const differences = diff(contentOf(from), contentOf(to));
  return (
    <section class="comparison" aria-label="Comparison">
      <h2>{from === to ? 'First snapshot' : 'Comparison'}</h2>
      {differences.length === 0 ? (
        <Empty title={from === to ? 'There is nothing before it' : 'These two are the same'}>
          {from !== to && 'A write that changes nothing makes a snapshot too.'}
        </Empty>
      ) : (
        <DiffTable differences={differences} before={timeOf(from)} after={timeOf(to)} />
      )}
    </section>
  );
}

/** Returns the time of a snapshot for people. */
export function timeOf({ createdAt }: Snapshot): string {
  const moment = new Date(createdAt);
  if (Number.isNaN(moment.getTime())) return createdAt;
  return moment.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
}
