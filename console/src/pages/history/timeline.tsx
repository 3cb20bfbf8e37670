import type { JSX } from 'preact';
import type { Json } from '../../../../templates/runtime/model/schema';
import { ActionButton } from '../../parts/action-button';
import { Age } from '../../parts/age';
import { Text } from '../../parts/text';
import type { Snapshot } from './snapshots';

interface TimelineProps {
  /** The newest first. */
  snapshots: Snapshot[];
  from: Snapshot;
  to: Snapshot;
  /** The id of the snapshot of the resource as it is. */
  newest: Json | undefined;
  /** Why the user may not restore a snapshot. */
  refusal: string | undefined;
  /** Gets the ids of the snapshots to compare. */
  onCompare: (ids: { from: string; to: string }) => void;
  onRestore: (snapshot: Snapshot) => void;
  /** Shows earlier snapshots; undefined where there are none. */
  onMore: (() => void) | undefined;
}

/** The snapshots of a resource. Two are chosen for a comparison. */
export function Timeline(props: TimelineProps): JSX.Element {
  const { snapshots, onMore } = props;
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      <p class="soft">Choose two snapshots to compare them.</p>
      <ol class="timeline">
        {snapshots.map((snapshot) => (
          <Moment key={snapshot.versionId} snapshot={snapshot} {...props} />
        ))}
      </ol>
      {onMore && (
        <button type="button" class="more" onClick={onMore}>
          Earlier snapshots
        </button>
      )}
    </section>
  );
}

function Moment({ snapshot, ...props }: TimelineProps & { snapshot: Snapshot }): JSX.Element {
  const { from, to, newest, refusal, onCompare, onRestore } = props;
  const { versionId, createdAt, actor } = snapshot;
  const isNewest = versionId === newest;
  const choice = (name: 'from' | 'to', chosen: Snapshot): JSX.Element => (
    <input
      type="radio"
      name={name}
      aria-label={`Compare ${name} ${versionId}`}
      checked={chosen === snapshot}
      onChange={() => onCompare({ from: from.versionId, to: to.versionId, [name]: versionId })}
    />
  );
  return (
    <li class={from === snapshot || to === snapshot ? 'chosen' : undefined}>
      <span class="choices">
        {choice('from', from)}
        {choice('to', to)}
      </span>
      <span class="when">
        <strong>
          <Age time={createdAt} />
        </strong>{' '}
        <span class="soft">
          by {actor === undefined ? 'an unknown caller' : <Text value={actor} longest={100} />}
        </span>{' '}
        {isNewest && <span class="chip stable">current</span>}
        <code class="soft">{versionId}</code>
      </span>
      {!isNewest && (
        <ActionButton
          class="more"
          aria-label={`Restore ${versionId}`}
          refusal={refusal}
          onClick={() => onRestore(snapshot)}
        >
          Restore…
        </ActionButton>
      )}
    </li>
  );
}
