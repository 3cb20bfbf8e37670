import type { JSX } from 'preact';
import type { ConsoleField } from '../../../../templates/runtime/console/content';

interface SortSelectProps {
  fields: ConsoleField[];
  sort: string | undefined;
  onChoose: (sort: string | undefined) => void;
}

const CREATED_AT = 'metadata.createdAt';

/** The choice of an order, for a kind whose lists can be sorted: also by fields that the table does not show. */
export function SortSelect({ fields, sort, onChoose }: SortSelectProps): JSX.Element | null {
  const paths = fields.filter(({ isList, path }) => !isList && path !== CREATED_AT).map(({ path }) => path);
  if (paths.length === 0) return null;
  return (
    <select
      aria-label="Order"
      value={sort ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose(value === '' ? undefined : value)}
    >
      <option value="">Oldest first</option>
      <option value={`-${CREATED_AT}`}>Newest first</option>
      {paths.flatMap((path) => [
        <option key={path} value={path}>
          {path} ↑
        </option>,
        <option key={`-${path}`} value={`-${path}`}>
          {path} ↓
        </option>,
      ])}
    </select>
  );
}
