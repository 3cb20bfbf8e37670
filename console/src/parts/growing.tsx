import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';

/** Entries that are shown at first, and the number of those that a click adds. */
const FIRST = 100;
const MORE = 1_000;

interface GrowingProps<T> {
  entries: T[];
  children: (shown: T[]) => ComponentChildren;
}

/** The first of many entries, and a button for more. */
export function Growing<T>({ entries, children }: GrowingProps<T>): JSX.Element {
  const [count, setCount] = useState(FIRST);
  const last = useRef(0);
  // One that is added while all are shown is shown, too.
  if (last.current === count && entries.length === count + 1) setCount(entries.length);
  last.current = entries.length;
  const left = entries.length - count;
  return (
    <>
      {children(entries.slice(0, count))}
      {left > 0 && (
        <button type="button" class="more" onClick={() => setCount(count + MORE)}>
          Show {Math.min(left, MORE)} of {left} more
        </button>
      )}
    </>
  );
}
