import type { JSX } from 'preact';

interface PagingProps {
  count: number;
  /** `resource` by default. */
  noun?: string;
  /** Absent on the first page. */
  first: (() => void) | undefined;
  /** Absent on the last page. */
  next: (() => void) | undefined;
}

/** The buttons below a list; none for a list of one page. */
export function Paging({ count, noun = 'resource', first, next }: PagingProps): JSX.Element {
  return (
    <nav class="paging" aria-label="Pages">
      <span class="soft">
        {count} {count === 1 ? noun : `${noun}s`}
        {(first || next) && ' on this page'}
      </span>
      {(first || next) && (
        <>
          <button type="button" disabled={!first} onClick={first}>
            First page
          </button>
          <button type="button" disabled={!next} onClick={next}>
            Next page
          </button>
        </>
      )}
    </nav>
  );
}
