import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { memberOf, object } from '../../../../templates/runtime/model/fields/members';
import type { Shape } from '../../../../templates/runtime/model/fields/shape';
import type { Failure } from '../../../../templates/runtime/model/problem';
import type { JsonObject } from '../../../../templates/runtime/model/schema';
import type { Draft } from '../../data/resource';
import type { Work } from '../work/unsaved';
import { FormFields } from './fields';
import { failuresByPointer, FormContext, type FormState, holding } from './form-context';

interface DraftFormProps {
  work: Work;
  shape: Shape;
  /** The state before the changes; undefined for a new resource. */
  before: Draft | undefined;
  failures: Failure[];
  isBusy: boolean;
  onChange: (changes: Partial<Work>) => void;
}

/** In the order of the form. */
const TITLES: { [part: string]: string } = { spec: 'Spec', status: 'Status', metadata: 'Metadata' };

/** A draft as a form, made from the rules of its fields. */
export function DraftForm({ work, shape, before, failures, isBusy, onChange }: DraftFormProps): JSX.Element {
  const { draft, held } = work;
  const state = useMemo<FormState>(
    () => ({
      isBusy,
      failures: failuresByPointer(failures),
      ...holding(held, (next) => onChange({ held: next })),
    }),
    [isBusy, held, failures, onChange],
  );
  const parts = Object.keys(TITLES).filter((part) => memberOf(shape, part) !== undefined);
  const change = (part: string) => (value: JsonObject) =>
    onChange({ draft: { ...draft, [part]: value }, text: undefined });
  return (
    <FormContext.Provider value={state}>
      <form class="draft-form" onSubmit={(event) => event.preventDefault()} noValidate>
        {parts.map((part) => (
          <section key={part} class="card" aria-label={TITLES[part]}>
            <h2>{TITLES[part]}</h2>
            <FormFields
              value={object(draft[part])}
              before={before?.[part]}
              shape={memberOf(shape, part)}
              pointer={`/${part}`}
              depth={0}
              onChange={change(part)}
            />
          </section>
        ))}
      </form>
    </FormContext.Provider>
  );
}
