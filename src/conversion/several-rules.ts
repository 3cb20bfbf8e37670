import { lastName } from './path';
import type { Leaf } from './plan';
import { typeName } from './slot';

/** What is wrong, and what to do. */
interface Wrong {
  message: string;
  hint: string;
}

/** What is wrong with a rule `join` over several fields; undefined when nothing is. */
export function wrongJoin(hub: Leaf[], spoke: Leaf[]): Wrong | undefined {
  if (hub.length > 1 && spoke.length > 1) {
    return {
      message: 'join has several fields on both sides',
      hint: 'one side is one string; use custom for more',
    };
  }
  const other = [...hub, ...spoke].find(({ slot }) => slot.type.kind !== 'string');
  if (other === undefined) return undefined;
  const { text, type } = other.slot;
  return { message: `join converts strings; ${text} is of type ${typeName(type)}`, hint: 'use custom' };
}

/** What is wrong with the names of the fields of a rule `custom`. */
export function wrongNames(leaves: Leaf[]): Wrong | undefined {
  const names = leaves.map(({ steps }) => lastName(steps));
  const twice = names.find((name, i) => name === '' || names.indexOf(name) !== i);
  if (twice === undefined) return undefined;
  const message = twice === '' ? 'custom names fields' : `two fields of custom are called ${twice}`;
  return { message, hint: 'the functions know each field by its last step' };
}
