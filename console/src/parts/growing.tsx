import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

/** Entries that are shown at first, and the number of those that a click adds. */
const FIRST = 100;
const MORE = 1_000;

interface GrowingProps<T> {
  entries: T[];
  /** Entries that are shown at least. */
  least?: number;
  children: (shown: T[]) => ComponentChildren;
}

/** The first of many entries, and a button for more. */
export function Growing<T>({ entries, least = 0, children }: GrowingProps<T>): JSX.Element {
  const [wanted, setWanted] = useState(FIRST);
  const count = Math.max(wanted, least);
  const left = entries.length - count;
  return (
    <>
      {children(entries.slice(0, count))}
      {left > 0 && (
        <button type="button" class="more" onClick={() => setWanted(count + MORE)}>
          Show {Math.min(left, MORE)} of {left} more
        </button>
      )}
    </>
  );
}
