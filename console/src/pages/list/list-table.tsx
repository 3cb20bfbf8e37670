import type { JSX } from 'preact';
import type {
  ConsoleColumn,
  ConsoleKindSummary,
  ConsoleVersion,
} from '../../../../templates/runtime/console/content';
import { linkTo } from '../../data/route';
import { versionParameter } from '../../data/service-context';
import { Age } from '../../parts/age';
import { Labels } from '../../parts/labels';
import { Empty } from '../../parts/loading';
import { ResourceName } from '../../parts/resource-name';
import { Cell } from './cell';
import type { ListPage, Row } from './list-data';
import { SortHeader } from './sort-header';

/** Maximum number of labels in a line. */
const MOST_LABELS = 3;

interface ListTableProps {
  kind: ConsoleKindSummary;
  version: string;
  page: ListPage;
  details: ConsoleVersion;
  isWide: boolean;
  /** True if a selector leaves resources out. */
  isSelecting: boolean;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  /** Uids. */
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
}

/** The table of a list. */
export function ListTable(props: ListTableProps): JSX.Element {
  const { kind, page, isSelecting, isWide } = props;
  if (page.rows.length === 0) {
    if (isSelecting) return <Empty title="No resource is selected">Change or clear the selectors.</Empty>;
    return (
      <Empty title={`There are no ${kind.plural} yet`}>
        Create one with <b>New…</b>, or with a POST to <code>/{kind.plural}</code>.
      </Empty>
    );
  }
  const columns = props.details.columns.filter(({ wide }) => isWide || !wide);
  const showsMore = isWide || columns.length === 0;
  return (
    <div class="table-box">
      <table class="list">
        <TableHead {...{ ...props, columns, showsMore }} />
        <tbody>
          {page.rows.map((row) => (
            <ListRow key={row.resource.metadata.uid} {...{ ...props, columns, showsMore, row }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Shown extends ListTableProps {
  columns: ConsoleColumn[];
  /** True to show labels and uids. */
  showsMore: boolean;
}

function TableHead({ columns, showsMore, isWide, ...props }: Shown): JSX.Element {
  const { page, details, selected, onSelect, sort, onSort } = props;
  const all = page.rows.filter(({ mark }) => mark !== 'deleted').map(({ resource }) => resource.metadata.uid);
  const isAll = all.length > 0 && all.every((uid) => selected.has(uid));
  const sortable = details.selectable.filter(({ isList }) => !isList).map(({ path }) => path);
  const shared = (path: string): Pick<Parameters<typeof SortHeader>[0], 'path' | 'sort' | 'onSort'> => ({
    path: sortable.find((each) => each === path),
    ...{ sort, onSort },
  });
  return (
    <thead>
      <tr>
        <th scope="col" class="box">
          <input
            type="checkbox"
            aria-label="Select all of this page"
            checked={isAll}
            onChange={() => onSelect(new Set(isAll ? [] : all))}
          />
        </th>
        <SortHeader title="Name" {...shared('metadata.name')} />
        {columns.map(({ title, path, type }) => (
          <SortHeader key={path} title={title} class={classOf(type)} {...shared(path)} />
        ))}
        {showsMore && <th scope="col">Labels</th>}
        {showsMore && <SortHeader title="UID" {...shared('metadata.uid')} />}
        {isWide && (
          <th scope="col" class="number">
            Generation
          </th>
        )}
        {isWide && <SortHeader title="Changed" class="age" {...shared('metadata.updatedAt')} />}
        <SortHeader title="Age" class="age" {...shared('metadata.createdAt')} />
      </tr>
    </thead>
  );
}

interface ListRowProps extends Shown {
  row: Row;
}

function ListRow({ row, columns, showsMore, isWide, ...props }: ListRowProps): JSX.Element {
  const { kind, version, selected, onSelect } = props;
  const { resource, mark, changes } = row;
  const { name, uid, labels = {}, createdAt, updatedAt, generation } = resource.metadata;
  const isDeleted = mark === 'deleted';
  const toggle = (): void => {
    const next = new Set(selected);
    if (!next.delete(uid)) next.add(uid);
    onSelect(next);
  };
  // Two classes take turns, so that the mark of a second change starts anew.
  const marked = mark === undefined ? '' : `${mark} turn-${changes % 2}`;
  return (
    <tr class={marked} aria-selected={selected.has(uid)}>
      <td class="box">
        <input
          type="checkbox"
          aria-label={`Select ${name.slice(0, 100).trim() || uid}`}
          checked={selected.has(uid)}
          disabled={isDeleted}
          onChange={toggle}
        />
      </td>
      <th scope="row" class="name">
        <Name row={row} link={linkTo([kind.plural, uid], { version: versionParameter(kind, version) })} />
      </th>
      {columns.map((column) => (
        <td key={column.path} class={classOf(column.type)}>
          <Cell resource={resource} column={column} />
        </td>
      ))}
      {showsMore && (
        <td>
          <Labels labels={labels} most={MOST_LABELS} />
        </td>
      )}
      {showsMore && (
        <td>
          <code>{uid}</code>
        </td>
      )}
      {isWide && <td class="number">{generation}</td>}
      {isWide && (
        <td class="age">
          <Age time={updatedAt} />
        </td>
      )}
      <td class="age">
        <Age time={createdAt} />
      </td>
    </tr>
  );
}

function Name({ row: { resource, mark }, link }: { row: Row; link: string }): JSX.Element {
  const name = <ResourceName {...resource.metadata} longest={200} />;
  if (mark === 'deleted')
    return (
      <>
        <s>{name}</s> <span class="soft">deleted</span>
      </>
    );
  return (
    <>
      <a href={link}>{name}</a>
      {mark === 'left' && <span class="soft"> no longer selected</span>}
      {resource.metadata.deletionTimestamp !== undefined && (
        <span class="soft"> waits for its finalizers</span>
      )}
    </>
  );
}

function classOf(type: ConsoleColumn['type']): string {
  return type === 'integer' || type === 'number' ? 'number' : '';
}
