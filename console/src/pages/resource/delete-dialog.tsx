import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Collection, Tagged } from '../../data/api';
import { deleteResource } from '../../data/resource';
import { goTo, linkTo } from '../../data/route';
import { useConsole } from '../../data/service-context';
import { Dialog } from '../../parts/dialog';
import { ProblemBox } from '../../parts/problem';
import { Text } from '../../parts/text';

interface DeleteDialogProps {
  collection: Collection;
  /** The state that the user sees: no other one is deleted. */
  shown: Tagged;
  onClose: () => void;
}

/** Asks before a resource is deleted. */
export function DeleteDialog({ collection, shown, onClose }: DeleteDialogProps): JSX.Element {
  const { notify } = useConsole();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const { name, uid } = shown.resource.metadata;
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      const isDeleted = await deleteResource(collection, uid, shown.etag);
      notify(`${shown.resource.kind} ${name} ${isDeleted ? 'is deleted' : 'waits for its finalizers'}`);
      goTo(linkTo([collection.plural]));
    } catch (error) {
      setError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Delete this ${shown.resource.kind}?`} isBusy={isBusy} onClose={onClose}>
      <p>
        <Text value={name} longest={300} /> <code class="soft">{uid}</code>
      </p>
      {error !== undefined && <ProblemBox error={error} />}
      <div class="dialog-end">
        <button type="button" disabled={isBusy} onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="danger" disabled={isBusy} onClick={() => void run()}>
          Delete
        </button>
      </div>
    </Dialog>
  );
}
