import type { JSX } from 'preact';

interface SortHeaderProps {
  title: string;
  class?: string;
  /** The field to sort by; undefined if the list cannot be sorted by this column. */
  path: string | undefined;
  /** The order of the list: a field, with a minus for the descending order. */
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

const ARROWS = { ascending: '↑', descending: '↓' };

/** The head of a column: a click sorts by it, ascending, then descending, then no longer. */
export function SortHeader({ title, path, sort, onSort, class: name }: SortHeaderProps): JSX.Element {
  if (path === undefined)
    return (
      <th scope="col" class={name}>
        {title}
      </th>
    );
  const order = sort === path ? 'ascending' : sort === `-${path}` ? 'descending' : undefined;
  const next = { none: path, ascending: `-${path}`, descending: undefined }[order ?? 'none'];
  return (
    <th scope="col" class={name} aria-sort={order}>
      <button type="button" class="sort" onClick={() => onSort(next)}>
        {title} <span aria-hidden="true">{order === undefined ? '↕' : ARROWS[order]}</span>
      </button>
    </th>
  );
}
