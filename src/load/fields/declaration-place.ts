import type { Declarations } from '../../model/project';
import type { Located } from '../yaml/located';

/** Reports a problem of a declaration, or of a part of it: at its key, at its value, or at the rule. */
export function problemAt(
  place: Located,
  name: keyof Declarations | 'onDelete',
  message: string,
  hint: string,
): void {
  if (name === 'selectable' || name === 'ref') place.get(name).keyProblem(message, hint);
  else if (name === 'onDelete') place.get('ref').get(name).problem(message, hint);
  else {
    const rules = place.get('rules').items();
    rules.find(({ text }) => text === name)?.problem(message, hint);
  }
}
