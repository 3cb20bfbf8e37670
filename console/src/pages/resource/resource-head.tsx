import type { JSX } from 'preact';
import type { ConsoleKindSummary } from '../../../../templates/runtime/console/content';
import { goTo, linkTo, NEW } from '../../data/route';
import { versionParameter } from '../../data/service-context';
import { ActionButton } from '../../parts/action-button';
import { LinkButton } from '../../parts/link-button';
import { Live } from '../../parts/live';
import { ResourceName } from '../../parts/resource-name';
import { VersionSelect } from '../list/version-select';
import type { Refusals } from './use-refusals';
import type { LiveResource } from './use-resource';

interface ResourceHeadProps extends LiveResource {
  kind: ConsoleKindSummary;
  version: string;
  uid: string;
  refusals: Refusals;
  /** Returns the link to this view in another version. */
  link: (version: string) => string;
  onDelete: () => void;
}

/** The name of a resource, and the actions on it. */
export function ResourceHead(props: ResourceHeadProps): JSX.Element {
  const { kind, version, uid, read, live, refusals, isGone, link, onDelete } = props;
  const shownVersion = versionParameter(kind, version);
  const name = read.value?.resource.metadata.name;
  return (
    <>
      <p class="crumbs">
        <a href={linkTo([kind.plural], { version: shownVersion })}>{kind.kind}</a> / <code>{uid}</code>
      </p>
      <div class="head">
        <h1>{name === undefined ? uid : <ResourceName {...{ name, uid }} longest={300} />}</h1>
        <Live state={live} />
        <VersionSelect kind={kind} version={version} onChoose={(to) => goTo(link(to))} />
        <button type="button" onClick={read.reload}>
          Reload
        </button>
        <LinkButton
          refusal={refusals.copy}
          link={linkTo([kind.plural, NEW], { version: shownVersion, from: uid })}
        >
          Copy…
        </LinkButton>
        <ActionButton
          class="danger"
          refusal={refusals.remove}
          disabled={read.value === undefined || isGone}
          onClick={onDelete}
        >
          Delete…
        </ActionButton>
      </div>
    </>
  );
}
