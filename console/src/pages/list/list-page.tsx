import type { JSX } from 'preact';
import type { ConsoleKindSummary, ConsoleVersion } from '../../../../templates/runtime/console/content';
import { goTo, linkTo, NEW, type RouteQuery } from '../../data/route';
import { versionParameter } from '../../data/service-context';
import { LinkButton } from '../../parts/link-button';
import { Live } from '../../parts/live';
import { Loading } from '../../parts/loading';
import { ProblemBox } from '../../parts/problem';
import { useKeys } from '../../parts/use-keys';
import type { ListQuery } from './list-data';
import { ListTable } from './list-table';
import { Paging } from './paging';
import { SelectionBar } from './selection-bar';
import { Selectors } from './selector';
import { SortSelect } from './sort-select';
import { useCreateRefusal } from './use-create-refusal';
import { type LiveList, useList } from './use-list';
import { VersionSelect } from './version-select';

interface ListPageProps {
  kind: ConsoleKindSummary;
  version: string;
  details: ConsoleVersion;
  query: URLSearchParams;
}

/** The resources of a kind in one version, page by page, with the changes as they happen. */
export function ListPage({ kind, version, details, query }: ListPageProps): JSX.Element {
  const asked = listQueryOf(query);
  const { cursor } = asked;
  const list = useList(kind, version, asked);
  const { read, page, selected } = list;
  const show = (changes: RouteQuery): void =>
    goTo(linkTo([kind.plural], { ...Object.fromEntries(query), ...changes }));
  const first = cursor === undefined ? undefined : () => show({ continue: undefined });
  const next = page?.next === undefined ? undefined : () => show({ continue: page.next });
  useKeys({ n: () => next?.(), p: () => first?.(), r: read.reload });
  return (
    <>
      <Head {...{ kind, version, details, list, isWide: query.has('wide'), sort: asked.sort, show }} />
      <Selectors query={asked} rows={page?.rows ?? []} fields={details.selectable} show={show} />
      {read.error !== undefined && <ProblemBox error={read.error} retry={read.reload} />}
      {page === undefined && read.isLoading && <Loading lines={10} />}
      {page !== undefined && (read.error === undefined || read.value !== undefined) && (
        <>
          <ListTable
            {...{ kind, version, details, page, selected, isWide: query.has('wide') }}
            isSelecting={!!asked.labelSelector || !!asked.fieldSelector}
            sort={asked.sort}
            onSort={(sort) => show({ sort, continue: undefined })}
            onSelect={list.select}
          />
          <Missed count={list.missed} reload={read.reload} />
          <Paging count={page.rows.length} first={first} next={next} />
        </>
      )}
      {selected.size > 0 && page !== undefined && (
        <SelectionBar
          collection={{ ...kind, version }}
          rows={page.rows.filter(({ resource }) => selected.has(resource.metadata.uid))}
          onClear={() => list.select(new Set())}
          onDone={() => {
            list.select(new Set());
            read.reload();
          }}
        />
      )}
    </>
  );
}

interface HeadProps extends Pick<ListPageProps, 'kind' | 'version' | 'details'> {
  list: LiveList;
  isWide: boolean;
  sort: string | undefined;
  show: (changes: RouteQuery) => void;
}

function Head({ kind, version, details, list, isWide, sort, show }: HeadProps): JSX.Element {
  return (
    <div class="head">
      <h1>{kind.kind}</h1>
      <Live state={list.live} />
      <VersionSelect
        kind={kind}
        version={version}
        onChoose={(version) => show({ version, continue: undefined })}
      />
      <SortSelect
        fields={details.selectable}
        sort={sort}
        onChoose={(sort) => show({ sort, continue: undefined })}
      />
      <button type="button" onClick={() => show({ wide: isWide ? undefined : '1' })}>
        {isWide ? 'Fewer columns' : 'All columns'}
      </button>
      <button type="button" onClick={list.read.reload}>
        Reload
      </button>
      <LinkButton
        refusal={useCreateRefusal({ ...kind, version }, details)}
        link={linkTo([kind.plural, NEW], { version: versionParameter(kind, version) })}
      >
        New…
      </LinkButton>
    </div>
  );
}

function Missed({ count, reload }: { count: number; reload: () => void }): JSX.Element {
  return (
    <div role="status">
      {count > 0 && (
        <p class="missed">
          {count === 1 ? 'One new resource is' : `${count} new resources are`} not on this page.{' '}
          <button type="button" onClick={reload}>
            Read the page again
          </button>
        </p>
      )}
    </div>
  );
}

/** Returns the resources that the URL of a list asks for. */
function listQueryOf(query: URLSearchParams): ListQuery {
  const [labelSelector, fieldSelector, sort, cursor] = [
    ...['labelSelector', 'fieldSelector', 'sort', 'continue'].map((name) => query.get(name) ?? undefined),
  ];
  return { labelSelector, fieldSelector, sort, cursor };
}
