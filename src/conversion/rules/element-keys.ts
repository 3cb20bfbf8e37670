import type { Mistake } from '../../model/problem';
import { quoted } from '../../model/quoted';
import { broken, fits } from './fits';
import { isNamedKey, pathText, type Step } from './path';
import { type Slot, typeName, type Types } from './slot';

/** Returns a message where a step names an element by a key that its list cannot have. */
export function wrongKey(list: Slot, step: Step, types: Types): Mistake | undefined {
  if (step.kind !== 'element') return undefined;
  const { value } = step;
  const { key, items } = list.type.kind === 'list' ? list.type : {};
  const field = items && types.fields(items.type)?.find(({ name }) => name === key);
  if (field === undefined) return undefined;
  const { type, rules } = field;
  const id = types.keyValue(list, value);
  const message = `${quoted(value)} is not a value of the key ${list.text}[].${key}`;
  if (!fits(id, { type, rules: {} }, types)) return { message, hint: `it is of type ${typeName(type)}` };
  if (String(id) !== value) return { message, hint: `write [${key}=${id}]` };
  const rule = rules.oneof?.includes(id) === false ? 'oneof' : broken(id, { type, rules }, types);
  return rule === undefined ? undefined : { message, hint: `it breaks the rule ${rule}` };
}

/** Returns a message where a path ends at the key by which it names its element: a conversion cannot change it. */
export function constantKey(root: string, steps: Step[]): Mistake | undefined {
  if (!isNamedKey(steps)) return undefined;
  return {
    message: `a rule cannot convert ${pathText(root, steps)}, the key of its element`,
    hint: 'the key is always the one in brackets: remove the rule',
  };
}
