import type { JSX } from 'preact';
import type { ConsoleKindSummary } from '../../../templates/runtime/console/content';
import { linkTo } from '../data/route';
import { useConsole } from '../data/service-context';
import { sitePagesOf } from '../pages/site-pages';

/** Links to the pages of the service, and to the kinds by group. `segments` is the path of the current page. */
export function PageLinks({ segments: [plural, page] }: { segments: string[] }): JSX.Element {
  const { service } = useConsole();
  const { kinds } = service;
  const groups = [...new Set(kinds.map(({ group }) => group))];
  return (
    <div class="page-links">
      <PageLink link={linkTo([])} title="All kinds" isCurrent={plural === undefined} />
      {sitePagesOf(service).map(({ name, title }) => (
        <PageLink
          key={name}
          link={linkTo(['-', name])}
          title={title}
          isCurrent={plural === '-' && page === name}
        />
      ))}
      {groups.map((group) => (
        <section key={group}>
          <h2>{group}</h2>
          <KindLinks kinds={kinds.filter((kind) => kind.group === group)} current={plural} />
        </section>
      ))}
    </div>
  );
}

function KindLinks({ kinds, current }: { kinds: ConsoleKindSummary[]; current?: string }): JSX.Element {
  return (
    <ul>
      {kinds.map(({ kind, plural }) => (
        <li key={plural}>
          <PageLink link={linkTo([plural])} title={kind} note={plural} isCurrent={plural === current} />
        </li>
      ))}
    </ul>
  );
}

interface PageLinkProps {
  link: string;
  title: string;
  note?: string;
  isCurrent: boolean;
}

function PageLink({ link, title, note, isCurrent }: PageLinkProps): JSX.Element {
  return (
    <a href={link} title={note} aria-current={isCurrent ? 'page' : undefined}>
      {title}
    </a>
  );
}
