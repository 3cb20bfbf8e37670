import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Json } from '../../../../templates/runtime/model/schema';
import type { Collection, Tagged } from '../../data/api';
import { diff } from '../../data/diff';
import { saveResource } from '../../data/resource';
import { useConsole } from '../../data/service-context';
import { Dialog } from '../../parts/dialog';
import { DiffTable } from '../../parts/diff-table';
import { ProblemBox } from '../../parts/problem';
import { contentOf, draftOfSnapshot, type Snapshot } from './snapshots';

interface RestoreDialogProps {
  collection: Collection;
  /** The state that the user sees: no other one is replaced. */
  current: Tagged;
  snapshot: Snapshot;
  /** `isDone` is true if the resource was written. */
  onClose: (isDone: boolean) => void;
}

/** Shows what a restore changes, and writes it. */
export function RestoreDialog({ collection, current, snapshot, onClose }: RestoreDialogProps): JSX.Element {
  const { notify } = useConsole();
  const [shown] = useState(current);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const { metadata, spec } = shown.resource;
  const { name, labels = {}, annotations = {} } = metadata;
  const now: Json = { spec, name, labels, annotations };
  const differences = diff(now, contentOf(snapshot));
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      await saveResource(collection, shown, draftOfSnapshot(snapshot));
      notify('Restored');
      onClose(true);
    } catch (error) {
      setError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title="Restore this snapshot?" isWide isBusy={isBusy} onClose={() => onClose(false)}>
      {differences.length === 0 ? (
        <p>The resource is as it was then.</p>
      ) : (
        <DiffTable differences={differences} before="Now" after="Restored" />
      )}
      <p class="soft">The restore is a write like any other: it makes a snapshot of its own.</p>
      {error !== undefined && <ProblemBox error={error} />}
      <div class="dialog-end">
        <button type="button" disabled={isBusy} onClick={() => onClose(false)}>
          Cancel
        </button>
        <button
          type="button"
          class="first"
          disabled={isBusy || differences.length === 0}
          onClick={() => void run()}
        >
          Restore
        </button>
      </div>
    </Dialog>
  );
}
