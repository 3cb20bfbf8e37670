import type { JSX } from 'preact';
import type { Shape } from '../../../templates/runtime/model/fields/shape';
import { Text } from '../parts/text';
import { DraftForm } from './form/draft-form';
import { TextPane } from './text/text-pane';
import type { DraftState } from './work/use-editing';

/** The ways to edit a draft. */
export type View = 'form' | 'yaml' | 'json';

const VIEWS: [view: View, title: string][] = [
  ['form', 'Form'],
  ['yaml', 'YAML'],
  ['json', 'JSON'],
];

/** Returns the view with this name; the form for any other name. */
export function viewOf(name: string | null): View {
  return VIEWS.find(([view]) => view === name)?.[0] ?? 'form';
}

interface DraftEditorProps {
  state: DraftState;
  shape: Shape;
  view: View;
  /** Returns the link to another view of the same draft. */
  link: (view: View) => string;
}

/** A draft as a form or as text. */
export function DraftEditor({ state, shape, view, link }: DraftEditorProps): JSX.Element {
  const { work, before, failures, isBusy, change } = state;
  const { text } = work;
  const isBroken = text?.error !== undefined && text.notation !== view;
  return (
    <>
      <nav class="views" aria-label="Edit as">
        {VIEWS.map(([name, title]) => (
          <a key={name} href={link(name)} aria-current={name === view ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {isBroken ? (
        <div class="problem" role="alert">
          <strong>The text cannot be read yet</strong>
          <p>
            <Text value={text.error!} />
          </p>
          <p class="problem-end">
            <a class="button first" href={link(text.notation)}>
              Back to the text
            </a>
            <button type="button" onClick={() => change({ text: undefined })}>
              Go on without its last edits
            </button>
          </p>
        </div>
      ) : view === 'form' ? (
        <DraftForm {...{ work, shape, before, failures, isBusy, onChange: change }} />
      ) : (
        <TextPane
          key={view}
          {...{ shape, failures, isBusy, notation: view, onChange: change }}
          work={text === undefined || text.notation === view ? work : { ...work, text: undefined }}
        />
      )}
    </>
  );
}
