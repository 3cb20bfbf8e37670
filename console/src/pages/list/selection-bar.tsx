import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Collection } from '../../data/api';
import { ActionButton } from '../../parts/action-button';
import { deleteShown, setLabel } from './bulk';
import { BulkDialog } from './bulk-dialog';
import { LabelDialog } from './label-dialog';
import type { Row } from './list-data';
import { useBulkRefusals } from './use-bulk-refusals';

interface SelectionBarProps {
  collection: Collection;
  rows: Row[];
  onClear: () => void;
  /** Called after an action has changed resources. */
  onDone: () => void;
}

/** The actions for the selected lines. */
export function SelectionBar({ collection, rows, onClear, onDone }: SelectionBarProps): JSX.Element {
  const [action, setAction] = useState<'delete' | 'label'>();
  const [label, setLabelTo] = useState<[string, string | null]>();
  const refusals = useBulkRefusals(collection, rows);
  const close = (changed: boolean): void => {
    setAction(undefined);
    setLabelTo(undefined);
    if (changed) onDone();
  };
  return (
    <div class="selection" role="region" aria-label="Selection">
      <strong>{rows.length} selected</strong>
      <ActionButton refusal={refusals.label.all} onClick={() => setAction('label')}>
        Set label…
      </ActionButton>
      <ActionButton refusal={refusals.remove.all} class="danger" onClick={() => setAction('delete')}>
        Delete…
      </ActionButton>
      <button type="button" class="quiet" onClick={onClear}>
        Clear
      </button>
      {action === 'delete' && (
        <BulkDialog
          title={`Delete ${counted(rows.length)}?`}
          verb="Delete"
          isDangerous
          rows={rows}
          warning={refusals.remove.some}
          run={(row) => deleteShown(collection, row)}
          onClose={close}
        />
      )}
      {action === 'label' && label === undefined && (
        <LabelDialog count={counted(rows.length)} onClose={() => close(false)} onChoose={setLabelTo} />
      )}
      {label !== undefined && (
        <BulkDialog
          title={label[1] === null ? `Remove the label ${label[0]}?` : `Set ${label[0]}=${label[1]}?`}
          verb={label[1] === null ? 'Remove label' : 'Set label'}
          rows={rows}
          warning={refusals.label.some}
          run={(row) => setLabel(collection, row, label)}
          onClose={close}
        />
      )}
    </div>
  );
}

function counted(count: number): string {
  return count === 1 ? 'one resource' : `${count} resources`;
}
