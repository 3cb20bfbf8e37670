import { isOneOf, type Step, stepsText } from './path';
import type { Rule } from './rule';

/**
 * Returns true if one rule is about every element or entry, and another about one of them: in the same field, or in one inside
 * the other; or if one converts the key by which the other names an element.
 */
export function overlap(one: Rule, other: Rule): boolean {
  if (one.hubRoot !== other.hubRoot || [one.name, other.name].includes('default')) return false;
  return one.hub.some((path) =>
    other.hub.some(
      (next) => meetsAt(path, next) || convertsKey(one, path, next) || convertsKey(other, next, path),
    ),
  );
}

function meetsAt(one: Step[], other: Step[]): boolean {
  const length = Math.min(one.length, other.length);
  const same = (i: number) => stepsText([one[i]]) === stepsText([other[i]]);
  const steps = Array.from({ length }, (_, i) => i);
  return (
    !steps.every(same) &&
    steps.every((i) => same(i) || isOneOf(one[i], other[i]) || isOneOf(other[i], one[i]))
  );
}

/** Returns true if a rule converts the key by which another path names an element. */
function convertsKey({ name }: Rule, path: Step[], other: Step[]): boolean {
  const [each, key] = path.slice(-2);
  const named = other[path.length - 2];
  if (name === 'rename' || each?.kind !== 'each' || named?.kind !== 'element' || key.kind !== 'field')
    return false;
  return (
    named.key === key.name && stepsText(path.slice(0, -2)) === stepsText(other.slice(0, path.length - 2))
  );
}
