import type { ComponentChildren, JSX } from 'preact';
import { useId, useMemo, useRef } from 'preact/hooks';
import type { Maybe } from '../../../../templates/runtime/model/fields/values';
import { FieldValue, type Types } from '../../parts/field-value';
import { Text } from '../../parts/text';
import { Control } from '../form/fields';
import { FormContext, type FormState, holding } from '../form/form-context';
import type { Decision, Work } from '../work/unsaved';
import { type Difference, keyOfPath, nameOfPath } from './three-way';
import { mergedValue } from './values-merge';

interface ConflictRowProps {
  difference: Difference;
  types: Types;
  /** Undefined while the user has not decided. */
  decision: Decision | undefined;
  onDecide: (decision: Decision) => void;
}

const CHANGED_BY: { [by in Difference['by']]: string } = {
  mine: 'changed by you',
  theirs: 'changed by them',
  both: 'changed by both',
};

/** One field that two users do not have the same, with the choice between them. */
export function ConflictRow({ difference, types, decision, onDecide }: ConflictRowProps): JSX.Element {
  const { path, shape, base, mine, theirs, by } = difference;
  const name = nameOfPath(path);
  const both = useMemo(() => mergedValue(difference), [difference]);
  const value = (value: Maybe): JSX.Element => (
    <FieldValue value={value} schema={shape?.schema} types={types} depth={1} />
  );
  const choice = { name, group: keyOfPath(path), taken: decision?.take };
  return (
    <fieldset class={`conflict ${by}${decision === undefined ? ' open' : ''}`}>
      <legend>
        <code>
          <Text value={name} longest={200} />
        </code>{' '}
        <span class="soft">{CHANGED_BY[by]}</span>
      </legend>
      <div class="sides">
        <div class="side-value">
          <span class="soft">Before</span>
          {value(base)}
        </div>
        <Choice {...choice} take="mine" title="Keep mine" onChoose={() => onDecide({ take: 'mine' })}>
          {value(mine)}
        </Choice>
        <Choice {...choice} take="theirs" title="Take theirs" onChoose={() => onDecide({ take: 'theirs' })}>
          {value(theirs)}
        </Choice>
        <Choice
          {...choice}
          take="merge"
          title="Merge"
          onChoose={() => onDecide({ take: 'merge', value: both ?? mine })}
        >
          {decision?.take === 'merge' ? (
            <MergeField
              {...{ difference, value: decision.value, held: decision.held }}
              onChange={(value, held) => onDecide({ take: 'merge', value, held })}
            />
          ) : (
            <span class="soft">
              {both === undefined ? 'edit the value by hand' : 'both changes together'}
            </span>
          )}
        </Choice>
      </div>
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  /** The same for all choices of a field. */
  group: string;
  taken: Decision['take'] | undefined;
  take: Decision['take'];
  title: string;
  onChoose: () => void;
  children: ComponentChildren;
}

function Choice({ name, group, taken, take, title, onChoose, children }: ChoiceProps): JSX.Element {
  const id = useId();
  return (
    <div class={`side-value${taken === take ? ' taken' : ''}`}>
      <label for={id}>
        <input type="radio" id={id} name={`merge ${group}`} checked={taken === take} onChange={onChoose} />
        {title} <span class="hidden">of {name}</span>
      </label>
      {children}
    </div>
  );
}

interface MergeFieldProps {
  difference: Difference;
  value: Maybe;
  held: Work['held'] | undefined;
  onChange: (value: Maybe, held: Work['held']) => void;
}

/** The merged value, to be edited. */
function MergeField({ difference, value, held: before = {}, onChange }: MergeFieldProps): JSX.Element {
  const held = useRef(before);
  const change = (next: Maybe): void => onChange(next, held.current);
  const state: FormState = {
    failures: new Map(),
    isBusy: false,
    ...holding(held.current, (next) => {
      held.current = next;
      change(value);
    }),
  };
  const name = nameOfPath(difference.path);
  return (
    <FormContext.Provider value={state}>
      <Control
        value={value}
        onChange={change}
        shape={difference.shape}
        pointer={`/merged/${name}`}
        title={`Merged ${name}`}
        isRequired={false}
        depth={1}
      />
    </FormContext.Provider>
  );
}
