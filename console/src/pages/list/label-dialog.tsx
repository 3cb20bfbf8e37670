import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog';

interface LabelDialogProps {
  /** The selected resources, in words. */
  count: string;
  onClose: () => void;
  /** A value of null removes the label. */
  onChoose: (label: [key: string, value: string | null]) => void;
}

/** Asks for a label and its value. */
export function LabelDialog({ count, onClose, onChoose }: LabelDialogProps): JSX.Element {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const hasKey = key.trim() !== '';
  return (
    <Dialog title={`Label of ${count}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (hasKey) onChoose([key.trim(), value]);
        }}
      >
        <label class="field">
          <span>Label</span>
          <input
            type="text"
            autofocus
            autocomplete="off"
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>Value</span>
          <input
            type="text"
            autocomplete="off"
            value={value}
            onInput={({ currentTarget }) => setValue(currentTarget.value)}
          />
        </label>
        <div class="dialog-end">
          <button type="button" disabled={!hasKey} onClick={() => onChoose([key.trim(), null])}>
            Remove this label
          </button>
          <button type="submit" class="first" disabled={!hasKey}>
            Set label
          </button>
        </div>
      </form>
    </Dialog>
  );
}
