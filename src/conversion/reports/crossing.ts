import {
  type ConversionPlan,
  isWhole,
  type Leaf,
  type LensPlan,
  objectOf,
  type ObjectPlan,
} from '../plan/plan';
import { type Step, stepsText } from '../rules/path';
import type { Rule, Side } from '../rules/rule';

/** The fields of both versions that correspond to a field of one of them. */
export interface Crossing {
  /** Paths such as `['spec', 'price']`; several for a rule of several fields. */
  hub: string[][];
  spoke: string[][];
  /**
   * `same`: the spoke shows the value of the hub. `converted`: it shows another value, made of the hub's alone. `apart`: by
   * a rule that shows a part of the value, or runs code of the user.
   */
  how: 'same' | 'converted' | 'apart';
  /** Undefined for fields that belong together by their path. */
  rule: Rule | undefined;
}

/** Returns what corresponds to a field of a side, by its path from `spec` or `status`; undefined where nothing does. */
export function crossing(plan: ConversionPlan, side: Side, path: readonly string[]): Crossing | undefined {
  const [root, ...names] = path;
  const found = crossLens(root === 'spec' ? plan.spec : plan.status, side, names);
  return found && below(found, [root], [root]);
}

function crossLens(lens: LensPlan, side: Side, names: string[]): Crossing | undefined {
  if (lens.kind === 'copy') return { hub: [names], spoke: [names], how: 'same', rule: undefined };
  const object = objectOf(lens);
  if (object !== undefined) return crossObject(object, side, names);
  if (names.length > 0) return undefined;
  const how = isConverted(lens) ? 'converted' : 'apart';
  return { hub: [[]], spoke: [[]], how, rule: undefined };
}

/** Returns true for a lens whose value in the spoke is made of all of the hub's. */
function isConverted(lens: LensPlan): boolean {
  switch (lens.kind) {
    case 'map':
    case 'scale':
    case 'castFromText':
    case 'castToText':
    case 'joinList':
      return true;
    case 'list':
      return isWhole(lens) && isElementConverted(lens.inner);
    default:
      return false;
  }
}

function isElementConverted(element: LensPlan): boolean {
  return element.kind === 'copy' || (element.kind !== 'list' && isConverted(element));
}

function crossObject(object: ObjectPlan, side: Side, names: string[]): Crossing | undefined {
  const link = object.links.find(({ [side]: { steps } }) => isAt(steps, names.slice(0, steps.length)));
  if (link !== undefined) {
    const [hub, spoke] = [fieldNames(link.hub.steps), fieldNames(link.spoke.steps)];
    const inside = crossLens(link.lens, side, names.slice(link[side].steps.length));
    if (hub === undefined || spoke === undefined || inside === undefined) return undefined;
    const found = below(inside, hub, spoke);
    return { ...found, rule: found.rule ?? link.rule };
  }
  const several = object.several.find((one) => one[side].some(({ steps }) => isAt(steps, names)));
  if (several === undefined) return undefined;
  const paths = (leaves: Leaf[]): string[][] => leaves.map(({ steps }) => fieldNames(steps) ?? []);
  const how = several.rule.name === 'join' ? 'converted' : 'apart';
  return { hub: paths(several.hub), spoke: paths(several.spoke), how, rule: several.rule };
}

function below(found: Crossing, hub: string[], spoke: string[]): Crossing {
  const under = (above: string[], paths: string[][]): string[][] => paths.map((path) => [...above, ...path]);
  return { ...found, hub: under(hub, found.hub), spoke: under(spoke, found.spoke) };
}

function isAt(steps: Step[], names: string[]): boolean {
  return fieldNames(steps) !== undefined && stepsText(steps) === names.join('.');
}

/** Returns the names of steps that are all fields; undefined for others. */
function fieldNames(steps: Step[]): string[] | undefined {
  const names = steps.flatMap((step) => (step.kind === 'field' ? [step.name] : []));
  return names.length === steps.length ? names : undefined;
}
