import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ConsoleKindSummary, ConsoleVersion } from '../../../../templates/runtime/console/content';
import { memberOf } from '../../../../templates/runtime/model/fields/members';
import type { Collection, Resource, Tagged } from '../../data/api';
import { goTo, linkTo, type RouteQuery } from '../../data/route';
import { useConsole, versionParameter } from '../../data/service-context';
import { setTitle } from '../../data/title';
import type { Loaded } from '../../data/use-load';
import { viewOf } from '../../edit/draft-editor';
import { specSubject, statusSubject, type Subject } from '../../edit/work/subject';
import { readWork, workKey } from '../../edit/work/unsaved';
import { Loading } from '../../parts/loading';
import { ProblemBox } from '../../parts/problem';
import { Tabs } from '../../parts/tabs';
import { useKeys } from '../../parts/use-keys';
import { HistoryView } from '../history/history-view';
import { VersionsTab } from '../versions/versions-tab';
import { DeleteDialog } from './delete-dialog';
import { EditTab } from './edit-tab';
import { Overview } from './overview';
import { Raw } from './raw';
import { ResourceHead } from './resource-head';
import { type Refusals, useRefusals } from './use-refusals';
import { useResource } from './use-resource';

interface ResourcePageProps {
  kind: ConsoleKindSummary;
  version: string;
  details: ConsoleVersion;
  /** The kind in each of its versions. */
  versions: { [version: string]: ConsoleVersion };
  uid: string;
  /** `tab`, and the parameters of that tab. */
  query: URLSearchParams;
}

/** One resource in one version. */
export function ResourcePage(props: ResourcePageProps): JSX.Element {
  const { kind, version, uid, query } = props;
  const { read, live, isGone } = useResource(kind, version, uid);
  const [isDeleting, setDeleting] = useState(false);
  const collection = { ...kind, version };
  const refusals = useRefusals(collection, read.value);
  const tab = query.get('tab') ?? 'overview';
  const name = currentName(uid, read.value?.resource);
  useEffect(() => {
    // The page stays as it is: only a reload or a bookmark needs the new name.
    if (name !== uid)
      window.history.replaceState(null, '', linkTo([kind.plural, name], Object.fromEntries(query)));
  }, [name]);
  const { service } = useConsole();
  const shownName = read.value?.resource.metadata.name;
  useEffect(() => setTitle(service, kind, shownName?.trim() || uid), [shownName]);
  const link = (tab: string, to = version, more: RouteQuery = {}): string =>
    linkTo([kind.plural, name], {
      version: versionParameter(kind, to),
      tab: tab === 'overview' ? undefined : tab,
      ...more,
    });
  useKeys({ r: read.reload, e: () => goTo(link('edit')) });
  return (
    <>
      <ResourceHead
        {...{ kind, version, read, live, isGone }}
        uid={name}
        refusals={refusals}
        link={(to) => link(tab, to)}
        onDelete={() => setDeleting(true)}
      />
      {isGone && (
        <p class="banner" role="status">
          This resource has been deleted. You see its last state.
        </p>
      )}
      {read.error !== undefined && <ProblemBox error={read.error} retry={read.reload} />}
      {read.value === undefined && read.isLoading && <Loading lines={10} />}
      {read.value !== undefined && (
        <>
          <Tabs
            current={tab}
            tabs={tabsOf(kind).map(([name, title]) => ({ name, title, link: link(name) }))}
          />
          <TabContent
            key={version}
            {...props}
            {...{ collection, tab, refusals }}
            read={{ ...read, value: read.value }}
            link={(tab, more) => link(tab, version, more)}
          />
        </>
      )}
      {isDeleting && read.value !== undefined && (
        <DeleteDialog {...{ collection, shown: read.value }} onClose={() => setDeleting(false)} />
      )}
    </>
  );
}

/** Returns the present form of the name in the URL of a page, which is its uid or its name. */
function currentName(name: string, resource: Resource | undefined): string {
  return resource === undefined || resource.metadata.uid === name ? name : resource.metadata.name;
}

interface TabContentProps extends ResourcePageProps {
  collection: Collection;
  tab: string;
  read: Loaded<Tagged> & { value: Tagged };
  refusals: Refusals;
  link: (tab: string, more?: RouteQuery) => string;
}

function TabContent(props: TabContentProps): JSX.Element {
  const { kind, version, collection, details, versions, tab, query, read, refusals, link } = props;
  const { resource, etag } = read.value;
  const spec = useMemo(() => specSubject(details), [details]);
  const status = useMemo(() => statusSubject(details, kind.history), [details, kind]);
  const edited = tab === 'edit' ? spec : tab === 'status' ? status : undefined;
  if (edited !== undefined)
    return (
      <EditTab
        key={edited.part}
        {...{ collection, read, subject: edited }}
        refusal={edited === spec ? refusals.edit : refusals.status}
        view={viewOf(query.get('as'))}
        link={(as) => link(tab, as === 'form' ? {} : { as })}
      />
    );
  if (tab === 'versions' && kind.versions.length > 1)
    return (
      <VersionsTab
        {...{ kind, version, read, query, refusal: refusals.edit, details: versions }}
        link={(changes) => link('versions', { ...changes })}
      />
    );
  if (tab === 'history' && kind.history)
    return (
      <HistoryView
        {...{ collection, query }}
        refusal={refusals.edit}
        current={read.value}
        onRestored={read.reload}
      />
    );
  return (
    <>
      <Unsaved {...{ collection, link }} uid={resource.metadata.uid} />
      {tab === 'yaml' || tab === 'json' ? (
        <Raw value={resource} state={etag} notation={tab} />
      ) : (
        <Overview
          {...{ resource, details }}
          statusRefusal={refusals.status}
          statusLink={hasFields(status) ? link('status') : undefined}
        />
      )}
    </>
  );
}

/** Returns whether there is anything to write in a part of a resource. */
function hasFields({ part, shape }: Subject): boolean {
  return Object.keys(memberOf(shape, part)?.schema.properties ?? {}).length > 0;
}

interface UnsavedProps extends Pick<TabContentProps, 'collection' | 'link'> {
  uid: string;
}

/** The way back to changes that are not saved. */
function Unsaved({ collection, uid, link }: UnsavedProps): JSX.Element | null {
  const hasWork = (part: 'spec' | 'status'): boolean =>
    readWork(workKey(collection, uid, part)) !== undefined;
  const tab = hasWork('spec') ? 'edit' : hasWork('status') ? 'status' : undefined;
  if (tab === undefined) return null;
  return (
    <p class="banner" role="status">
      You have changes of this {tab === 'edit' ? 'resource' : 'status'} that are not saved.{' '}
      <a href={link(tab)}>Go on editing</a>
    </p>
  );
}

/** The views of a resource, without those that its kind does not have. */
function tabsOf({ versions, history }: ConsoleKindSummary): typeof TABS {
  const missing = [versions.length > 1 ? '' : 'versions', history ? '' : 'history'];
  return TABS.filter(([name]) => !missing.includes(name));
}

const TABS: [name: string, title: string][] = [
  ['overview', 'Overview'],
  ['edit', 'Edit'],
  ['versions', 'Versions'],
  ['yaml', 'YAML'],
  ['json', 'JSON'],
  ['history', 'History'],
];
