import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ConsoleKindSummary, ConsoleVersion } from '../../../../templates/runtime/console/content';
import type { Collection } from '../../data/api';
import { copyOf, type Draft, readResource } from '../../data/resource';
import { goTo, linkTo, NEW } from '../../data/route';
import { useConsole } from '../../data/service-context';
import { useLoad } from '../../data/use-load';
import { DraftEditor, viewOf } from '../../edit/draft-editor';
import { SaveBar } from '../../edit/save-bar';
import { draftShape } from '../../edit/work/draft';
import { useCreating } from '../../edit/work/use-creating';
import { Loading } from '../../parts/loading';
import { ProblemBox } from '../../parts/problem';
import { VersionSelect } from '../list/version-select';
import { StartBar } from './start-bar';

interface CreatePageProps {
  kind: ConsoleKindSummary;
  version: string;
  details: ConsoleVersion;
  /** `from`, the uid of a resource to copy, and `as`, the view of the editor. */
  query: URLSearchParams;
}

/** A new resource: from an example, from another resource, or from a file. */
export function CreatePage({ kind, version, details, query }: CreatePageProps): JSX.Element {
  const { session } = useConsole();
  const collection = { ...kind, version };
  const from = query.get('from') ?? undefined;
  const { value, error, reload } = useLoad(
    (signal) => firstDraft(collection, details, from, signal),
    [kind.plural, version, from, session],
  );
  return (
    <>
      <p class="crumbs">
        <a href={linkTo([kind.plural])}>{kind.kind}</a> / new
      </p>
      <div class="head">
        <h1>New {kind.kind}</h1>
        <VersionSelect
          kind={kind}
          version={version}
          onChoose={(version) => goTo(linkTo([kind.plural, NEW], { ...Object.fromEntries(query), version }))}
        />
      </div>
      {error !== undefined && <ProblemBox error={error} retry={reload} />}
      {value === undefined ? (
        error === undefined && <Loading lines={10} />
      ) : (
        <NewDraft key={`${version} ${from ?? ''}`} {...{ kind, collection, details, query }} first={value} />
      )}
    </>
  );
}

/** Returns a copy of another resource, else the example of the kind. */
async function firstDraft(
  collection: Collection,
  details: ConsoleVersion,
  from: string | undefined,
  signal: AbortSignal,
): Promise<Draft> {
  if (from === undefined) return { metadata: {}, spec: {}, ...details.example };
  return copyOf((await readResource(collection, from, signal)).resource);
}

interface NewDraftProps extends Pick<CreatePageProps, 'kind' | 'details' | 'query'> {
  collection: Collection;
  first: Draft;
}

function NewDraft({ kind, collection, details, query, first }: NewDraftProps): JSX.Element {
  const { notify } = useConsole();
  const from = query.get('from');
  const name = from === null ? 'new' : `new/${from}`;
  const state = useCreating({ collection, details, first, name }, ({ resource: { metadata } }) => {
    notify(`${metadata.name} is created`);
    goTo(linkTo([kind.plural, metadata.uid]), true);
    // The button that had the focus goes with this page.
    document.getElementById('content')?.focus();
  });
  const shape = useMemo(() => draftShape(details, true), [details]);
  const link = (changes: { as?: string; from?: string }): string =>
    linkTo([kind.plural, NEW], { ...Object.fromEntries(query), ...changes });
  return (
    <div class="editing">
      <StartBar
        from={from ?? ''}
        shape={shape}
        isBusy={state.isBusy}
        onStart={({ from, work }) => {
          if (work === undefined) {
            state.discard();
            goTo(link({ from }));
          } else {
            state.start(work);
            goTo(link({ as: work.text?.notation }));
          }
        }}
      />
      <DraftEditor
        {...{ state, shape }}
        view={viewOf(query.get('as'))}
        link={(view) => link({ as: view === 'form' ? undefined : view })}
      />
      <SaveBar
        {...{ state, shape, refusal: state.refusal }}
        saveTitle={`Create ${kind.kind}`}
        discardTitle="Start again"
      />
    </div>
  );
}
