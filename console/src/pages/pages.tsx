import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ConsoleKindSummary } from '../../../templates/runtime/console/content';
import { describeKind } from '../data/api';
import { linkTo, NEW, type Route } from '../data/route';
import { kindOf, useConsole } from '../data/service-context';
import { setTitle } from '../data/title';
import { useLoad } from '../data/use-load';
import { Empty, Loading } from '../parts/loading';
import { ProblemBox } from '../parts/problem';
import { CreatePage } from './create/create-page';
import { KindsPage } from './kinds/kinds-page';
import { ListPage } from './list/list-page';
import { ResourcePage } from './resource/resource-page';
import { sitePageOf } from './site-pages';

/** The page that the URL names. */
export function Pages({ route }: { route: Route }): JSX.Element {
  const { service } = useConsole();
  const [plural, uid] = route.segments;
  const sitePage = plural === '-' ? sitePageOf(service, uid) : undefined;
  const kind = plural === undefined ? undefined : kindOf(service, plural);
  const title = sitePage?.title ?? (uid === NEW ? 'new' : uid);
  useEffect(() => {
    setTitle(service, kind, title);
  }, [service, kind, title]);
  if (plural === undefined) return <KindsPage />;
  if (sitePage !== undefined) return <sitePage.Page query={route.query} />;
  if (kind === undefined || route.segments.length > 2) return <Nothing />;
  return <KindPages key={plural} kind={kind} uid={uid} query={route.query} />;
}

interface KindPagesProps {
  kind: ConsoleKindSummary;
  uid: string | undefined;
  query: URLSearchParams;
}

function KindPages({ kind, uid, query }: KindPagesProps): JSX.Element {
  const { value, error, reload } = useLoad(() => describeKind(kind.plural), [kind.plural]);
  const asked = query.get('version');
  const version = kind.versions.some(({ version }) => version === asked) ? asked! : kind.storageVersion;
  if (error !== undefined) return <ProblemBox error={error} retry={reload} />;
  if (value === undefined) return <Loading lines={10} />;
  const shared = { kind, version, details: value.versions[version] };
  if (uid === undefined) return <ListPage {...shared} query={query} />;
  if (uid === NEW) return <CreatePage {...shared} query={query} />;
  return <ResourcePage key={uid} {...shared} versions={value.versions} uid={uid} query={query} />;
}

function Nothing(): JSX.Element {
  return (
    <>
      <h1>Nothing here</h1>
      <Empty title="This page does not exist">
        <a href={linkTo([])}>All kinds</a>
      </Empty>
    </>
  );
}
