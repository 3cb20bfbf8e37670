import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Failure } from '../../../../templates/runtime/model/problem';

/** The state that every field of a form may read. */
export interface FormState {
  /** Details of failures by the pointer of their field. */
  failures: Map<string, string[]>;
  isBusy: boolean;
  /** Inputs that are no values yet, by pointer. */
  held: { [pointer: string]: string };
  /** Remembers an input that is no value yet; undefined for one that is. */
  hold: (pointer: string, text: string | undefined) => void;
  /**
   * Moves held inputs with what they are in: `place` returns the new step below a pointer for an old one, undefined for one that
   * is removed.
   */
  follow: (pointer: string, place: (step: string) => string | undefined) => void;
}

/** Returns how the fields of a form hold inputs; `change` replaces all that are held. */
export function holding(
  held: FormState['held'],
  change: (held: FormState['held']) => void,
): Pick<FormState, 'held' | 'hold' | 'follow'> {
  return {
    held,
    hold: (pointer, text) => {
      const { [pointer]: _, ...others } = held;
      change(text === undefined ? others : { ...others, [pointer]: text });
    },
    follow: (pointer, place) => {
      const entries = Object.entries(held);
      const moved = entries.flatMap(([at, text]) => {
        if (!at.startsWith(`${pointer}/`)) return [[at, text]];
        const [step, ...rest] = at.slice(pointer.length + 1).split('/');
        const next = place(step);
        return next === undefined ? [] : [[[pointer, next, ...rest].join('/'), text]];
      });
      if (entries.length > 0) change(Object.fromEntries(moved) as FormState['held']);
    },
  };
}

export const FormContext = createContext<FormState | undefined>(undefined);

/** Returns the state of the form, within its fields. */
export function useForm(): FormState {
  const state = useContext(FormContext);
  if (state === undefined) throw new Error('A field is used outside of a form.');
  return state;
}

/** Returns the id of a field's control. A name may have any characters, spaces and lone surrogates too. */
export function idOf(pointer: string): string {
  return `f${pointer.replace(/[^\w/-]/g, (unit) => `.${unit.charCodeAt(0).toString(16)}.`)}`;
}

/** Returns the details of failures by the pointer of their field. */
export function failuresByPointer(failures: Failure[]): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const { pointer, detail } of failures) all.set(pointer, [...(all.get(pointer) ?? []), detail]);
  return all;
}
