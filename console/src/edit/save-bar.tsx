import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { ApiError } from '../../../templates/client/errors';
import type { Shape } from '../../../templates/runtime/model/fields/shape';
import type { Failure } from '../../../templates/runtime/model/problem';
import { ProblemBox } from '../parts/problem';
import { Text } from '../parts/text';
import { useSaveKey } from '../parts/use-keys';
import { idOf } from './form/form-context';
import { ChangeNames, changesOf } from './merge/merge-panel';
import type { DraftState } from './work/use-editing';

interface SaveBarProps {
  state: DraftState;
  shape: Shape;
  /** Why the service refuses every save of this user. */
  refusal: string | undefined;
  /** Names of the buttons. */
  saveTitle: string;
  discardTitle: string;
}

/** Failures that are listed; the fields show all of them. */
const MOST = 8;

/** What a draft changes, what the service says about it, and the buttons and the key that end it. */
export function SaveBar({ state, shape, refusal, saveTitle, discardTitle }: SaveBarProps): JSX.Element {
  const { work, before, isDirty, isBusy, failures, check, save, discard } = state;
  const changes = useMemo(() => changesOf({ before, draft: work.draft, shape }), [work]);
  const heldCount = Object.keys(work.held).length + (work.text?.error === undefined ? 0 : 1);
  const isNew = work.base === undefined;
  const canSave = !isBusy && heldCount === 0 && refusal === undefined && (isNew || changes.length > 0);
  useSaveKey(canSave ? save : undefined);
  return (
    <div class="save-area">
      <Refused state={state} />
      {failures.length > 0 && <FailureList failures={failures} />}
      <div class="save-bar">
        <span role="status">
          {statusOf(state, heldCount)}{' '}
          {changes.length > 0 && (
            <>
              {changes.length === 1 ? 'One change: ' : `${changes.length} changes: `}
              <ChangeNames changes={changes} />
            </>
          )}
        </span>
        <EndButton title={discardTitle} onClick={isDirty && !isBusy ? discard : undefined} />
        <EndButton class="first" title={saveTitle} reason={refusal} onClick={canSave ? save : undefined} />
      </div>
      {refusal !== undefined && (
        <p class="soft">
          <Text value={refusal} />
        </p>
      )}
      {check.state === 'accepted' && check.warnings.length > 0 && <Warnings warnings={check.warnings} />}
    </div>
  );
}

interface EndButtonProps {
  title: string;
  /** Undefined while there is nothing to do. */
  onClick: (() => void) | undefined;
  class?: string;
  /** Why there is nothing to do. */
  reason?: string;
}

/** A button that ends the work. It is never disabled, since a disabled one loses the focus of the keyboard. */
function EndButton({ title, onClick, reason, ...rest }: EndButtonProps): JSX.Element {
  return (
    <button type="button" {...rest} aria-disabled={onClick === undefined} title={reason} onClick={onClick}>
      {title}
    </button>
  );
}

function statusOf({ work, isDirty, isBusy, isStored, check }: DraftState, heldCount: number): string {
  if (isBusy) return 'Saving…';
  if (work.text?.error !== undefined) return `The text cannot be read: ${work.text.error}.`;
  if (heldCount > 0) return 'A field has no value yet.';
  if (!isDirty && work.base !== undefined) return 'No changes.';
  if (!isStored) return 'A reload would lose these changes.';
  if (check.state === 'refused' && !isJudgement(check.error)) return 'The service could not check this.';
  return CHECKS[check.state];
}

/** Returns whether the service has judged the draft: without a connection or credentials, it does not. */
function isJudgement(error: unknown): boolean {
  return error instanceof ApiError && [400, 403, 404, 409, 412, 413, 422, 428].includes(error.status);
}

const CHECKS: { [state in DraftState['check']['state']]: string } = {
  none: '',
  running: 'Checking…',
  accepted: 'The service accepts this.',
  refused: 'The service refuses this.',
};

/** A refusal that no field explains. */
function Refused({ state: { check } }: { state: DraftState }): JSX.Element | null {
  return check.state === 'refused' && check.failures.length === 0 ? <ProblemBox error={check.error} /> : null;
}

/** Failures with links to their fields. */
function FailureList({ failures }: { failures: Failure[] }): JSX.Element {
  return (
    <ul class="failure-list" aria-label="Failures">
      {failures.slice(0, MOST).map(({ pointer, detail }) => (
        <li key={`${pointer} ${detail}`}>
          <button type="button" class="link" onClick={() => showField(pointer)}>
            <Text value={pathOf(pointer)} longest={100} />
          </button>{' '}
          <Text value={detail} longest={300} />
        </li>
      ))}
      {failures.length > MOST && <li class="soft">and {failures.length - MOST} more</li>}
    </ul>
  );
}

/** Returns the pointer of a field for people: `spec.routes.a/b`. */
function pathOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Moves the focus to a field, or to the nearest one around it that is shown. */
function showField(pointer: string): void {
  for (let path = pointer; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
    const field = document.getElementById(idOf(path)) ?? document.getElementById(`${idOf(path)}-name`);
    if (field === null) continue;
    field.scrollIntoView({ block: 'center' });
    field.focus();
    return;
  }
}

function Warnings({ warnings }: { warnings: string[] }): JSX.Element {
  return (
    <ul class="warnings" aria-label="Warnings">
      {warnings.slice(0, MOST).map((text) => (
        <li key={text}>
          <Text value={text} longest={300} />
        </li>
      ))}
    </ul>
  );
}
