import type { JSX } from 'preact';
import type { Collection, Tagged } from '../../data/api';
import type { Loaded } from '../../data/use-load';
import { DraftEditor, type View } from '../../edit/draft-editor';
import { MergePanel } from '../../edit/merge/merge-panel';
import { SaveBar } from '../../edit/save-bar';
import type { Subject } from '../../edit/work/subject';
import { useEditing } from '../../edit/work/use-editing';

interface EditTabProps {
  collection: Collection;
  subject: Subject;
  read: Loaded<Tagged> & { value: Tagged };
  view: View;
  link: (view: View) => string;
  /** Why the service refuses every change of this user. */
  refusal: string | undefined;
}

/** Edits a part of a resource as a form or as text, and resolves what somebody else has changed meanwhile. */
export function EditTab({ collection, subject, read, view, link, refusal }: EditTabProps): JSX.Element {
  const editing = useEditing(collection, subject, read);
  const { shape } = subject;
  const { work, merge, isBehind } = editing;
  if (merge !== undefined)
    return <MergePanel {...{ subject, editing, merge }} base={work.base ?? read.value} />;
  return (
    <div class="editing">
      {isBehind && (
        <p class="banner" role="status">
          Somebody else has changed this resource since you began.{' '}
          <button type="button" onClick={editing.compare}>
            Compare
          </button>
        </p>
      )}
      <DraftEditor {...{ state: editing, shape, view, link }} />
      <SaveBar {...{ state: editing, shape, refusal }} saveTitle="Save" discardTitle="Discard changes" />
    </div>
  );
}
