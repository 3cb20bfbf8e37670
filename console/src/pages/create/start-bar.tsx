import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Shape } from '../../../../templates/runtime/model/fields/shape';
import type { Notation } from '../../data/yaml';
import type { Work } from '../../edit/work/unsaved';
import { ProblemBox } from '../../parts/problem';

/** Larger files are refused: no service takes them. */
const LARGEST_FILE = 16 * 1024 * 1024;

/** Where a new resource starts from: a file, another resource, or the example of its kind. */
export interface Start {
  /** The uid of a resource to copy. */
  from?: string;
  /** The contents of a file. */
  work?: Omit<Work, 'held'>;
}

interface StartBarProps {
  /** The uid of the resource that is copied, or nothing. */
  from: string;
  /** The shape of what is created. */
  shape: Shape;
  isBusy: boolean;
  onStart: (start: Start) => void;
}

/** The choice where a new resource starts from. */
export function StartBar({ from, shape, isBusy, onStart }: StartBarProps): JSX.Element {
  const [uid, setUid] = useState(from);
  const [error, setError] = useState<unknown>();
  const file = useRef<HTMLInputElement>(null);
  const read = async (chosen: File): Promise<void> => {
    try {
      onStart({ work: await workOf(chosen, shape) });
      setError(undefined);
    } catch (error) {
      setError(error);
    }
  };
  return (
    <>
      <form
        class="start-bar"
        aria-label="Start from"
        onSubmit={(event) => {
          event.preventDefault();
          if (uid.trim() !== '') onStart({ from: uid.trim() });
        }}
      >
        <button type="button" disabled={isBusy} onClick={() => onStart({})}>
          Example
        </button>
        <button type="button" disabled={isBusy} onClick={() => file.current?.click()}>
          File…
        </button>
        <input
          ref={file}
          type="file"
          class="hidden"
          tabIndex={-1}
          aria-label="YAML or JSON file"
          accept=".yaml,.yml,.json"
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.files?.[0];
            if (chosen) void read(chosen);
            currentTarget.value = '';
          }}
        />
        <input
          type="text"
          autocomplete="off"
          spellcheck={false}
          aria-label="Uid of a resource to copy"
          placeholder="uid of another resource"
          disabled={isBusy}
          value={uid}
          onInput={({ currentTarget }) => setUid(currentTarget.value)}
        />
        <button type="submit" disabled={isBusy || uid.trim() === ''}>
          Copy it
        </button>
      </form>
      {error !== undefined && <ProblemBox error={error} />}
    </>
  );
}

/** Reads a file as the text of a new resource. The text is kept where it is none yet, so that it can be corrected. */
async function workOf(file: File, shape: Shape): Promise<Omit<Work, 'held'>> {
  if (file.size > LARGEST_FILE) throw new Error(`${file.name} is larger than 16 MiB.`);
  const text = await file.text();
  const notation: Notation = file.name.toLowerCase().endsWith('.json') ? 'json' : 'yaml';
  const { readText } = await import('../../edit/text/text-draft');
  const read = readText(text, notation, shape);
  if ('draft' in read) return { draft: read.draft, text: { notation, text } };
  return { draft: { metadata: {}, spec: {} }, text: { notation, text, error: read.failure.message } };
}
