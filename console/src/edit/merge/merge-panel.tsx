import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Shape } from '../../../../templates/runtime/model/fields/shape';
import { type Maybe, same } from '../../../../templates/runtime/model/fields/values';
import type { Tagged } from '../../data/api';
import type { Draft } from '../../data/resource';
import { Age } from '../../parts/age';
import { Text } from '../../parts/text';
import { useSaveKey } from '../../parts/use-keys';
import type { Subject } from '../work/subject';
import type { Decision, Work } from '../work/unsaved';
import type { Editing } from '../work/use-editing';
import { ConflictRow } from './conflict-row';
import { type Difference, differences, keyOfPath, merged, nameOfPath } from './three-way';

interface MergePanelProps {
  subject: Pick<Subject, 'shape' | 'draftOf'>;
  editing: Pick<Editing, 'work' | 'decide' | 'resolve' | 'cancel'>;
  /** The state that both have changed. */
  base: Tagged;
  merge: NonNullable<Work['merge']>;
}

/** Both users' changes of one resource, field by field: the user keeps, takes or merges. */
export function MergePanel({
  subject: { shape, draftOf },
  editing: { work, decide, resolve, cancel },
  base,
  merge: { theirs, decisions },
}: MergePanelProps): JSX.Element {
  const { draft } = work;
  // Nothing is saved before every field is decided.
  useSaveKey();
  const [before, other] = [draftOf(base.resource), draftOf(theirs.resource)];
  const found = useMemo(
    () => differences({ base: before, mine: draft, theirs: other }, shape),
    [base.etag, theirs.etag, draft],
  );
  const decisionOf = (difference: Difference): Decision | undefined =>
    decisions[keyOfPath(difference.path)] ?? (difference.by === 'both' ? undefined : { take: difference.by });
  const decideAll = (take: 'mine' | 'theirs'): void =>
    decide(Object.fromEntries(found.map(({ path }) => [keyOfPath(path), { take }])));
  const open = found.filter((each) => isOpen(decisionOf(each))).length;
  const apply = (): void => {
    const choices = found.map((each) => ({ path: each.path, value: chosen(each, decisionOf(each)!) }));
    resolve(merged(other, draft, choices), theirs);
  };
  return (
    <section class="merge" aria-labelledby="merge-title">
      <MergeHead updatedAt={theirs.resource.metadata.updatedAt} onDecideAll={decideAll} />
      {found.map((difference) => (
        <ConflictRow
          key={keyOfPath(difference.path)}
          {...{ difference, types: shape.types }}
          decision={decisionOf(difference)}
          onDecide={(decision) => decide({ ...decisions, [keyOfPath(difference.path)]: decision })}
        />
      ))}
      <div class="save-bar">
        <span role="status">
          {open === 0
            ? 'Every field has a value.'
            : `${open} of ${found.length} fields still need your choice.`}
        </span>
        <button type="button" onClick={cancel}>
          Back to my changes
        </button>
        <button type="button" class="first" disabled={open > 0} onClick={apply}>
          Use these values
        </button>
      </div>
    </section>
  );
}

function MergeHead({
  updatedAt,
  onDecideAll,
}: {
  updatedAt: string;
  onDecideAll: (take: 'mine' | 'theirs') => void;
}): JSX.Element {
  return (
    <>
      <h2 id="merge-title">Somebody else has changed this resource</h2>
      <p class="soft">
        They did so <Age time={updatedAt} /> ago. Nothing of yours is saved yet: choose a value for each
        field, then go on editing or save.
      </p>
      <div class="merge-all">
        <button type="button" onClick={() => onDecideAll('mine')}>
          Keep all of mine
        </button>
        <button type="button" onClick={() => onDecideAll('theirs')}>
          Take all of theirs
        </button>
      </div>
    </>
  );
}

function isOpen(decision: Decision | undefined): boolean {
  return decision === undefined || (decision.take === 'merge' && Object.keys(decision.held ?? {}).length > 0);
}

function chosen({ mine, theirs }: Difference, decision: Decision): Maybe {
  if (decision.take === 'merge') return decision.value;
  return decision.take === 'mine' ? mine : theirs;
}

interface ChangeListProps {
  before: Draft | undefined;
  draft: Draft;
  shape: Shape;
}

/** Returns the fields that a draft changes. */
export function changesOf({ before, draft, shape }: ChangeListProps): Difference[] {
  if (before === undefined || same(before, draft)) return [];
  return differences({ base: before, mine: draft, theirs: before }, shape);
}

/** The names of changed fields. */
export function ChangeNames({ changes }: { changes: Difference[] }): JSX.Element {
  const shown = changes.slice(0, 5);
  return (
    <span class="soft">
      {shown.map(({ path }, index) => (
        <span key={keyOfPath(path)}>
          {index > 0 && ', '}
          <Text value={nameOfPath(path)} longest={80} />
        </span>
      ))}
      {changes.length > shown.length && ` and ${changes.length - shown.length} more`}
    </span>
  );
}
