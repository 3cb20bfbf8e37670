import { below } from '../../../templates/runtime/model/fragment';
import type { KindVersion } from '../../model/project';
import { presetOf } from '../plan/containers';
import {
  type ConversionPlan,
  type Leaf,
  lensesInside,
  type LensPlan,
  objectOf,
  type ObjectPlan,
  STEPS_INSIDE,
} from '../plan/plan';
import { parseRules } from '../rules/parse-rules';
import { fieldStep, lastName, type Step } from '../rules/path';

/** Pointers of the spoke's document, `*` for any step, that the tests of the laws make allowance for. */
interface Allowances {
  /** Fields of rules `drop`. */
  dropped: string[];
  /**
   * Fields that a rule `default` of either side fills in, and dropped ones that show their own default. Where they make an
   * element of a list, also its key.
   */
  defaulted: string[];
  /** Fields that one rule converts together. */
  together: string[][];
}

/** Returns the allowances for a spoke's rules. */
export function allowances({ spec, status }: ConversionPlan): Allowances {
  const found: Allowances = { dropped: [], defaulted: [], together: [] };
  visitLens(spec, '/spec', found, []);
  visitLens(status, '/status', found, []);
  return found;
}

function visit(object: ObjectPlan, at: string, found: Allowances, inside: ObjectPlan[]): void {
  // A type that contains itself is followed a few times: generated resources are not deeper.
  if (inside.filter((one) => one === object).length > 3) return;
  const place = (steps: Step[]) => at + steps.map(pointerStep).join('');
  for (const { slot, steps } of object.dropped) {
    found.dropped.push(place(steps));
    if (slot.default !== undefined) found.defaulted.push(place(steps));
  }
  const holders = (holder: ObjectPlan['spoke']): void => {
    for (const { name, rule } of holder.defaults) {
      if (rule !== undefined) found.defaulted.push(place([...holder.steps, fieldStep(name)]));
    }
    for (const child of holder.children) {
      if (child.slot.required && child.steps.length > 1) found.defaulted.push(place(child.steps));
      holders(child);
    }
  };
  holders(object.spoke);
  const filled = ({ steps }: Leaf) => presetOf(object.hub, steps)?.rule !== undefined;
  const madeBy = ({ steps }: Leaf): string[] => {
    const keys = steps.flatMap((step, i) =>
      step.kind === 'element' ? [[...steps.slice(0, i + 1), fieldStep(step.key)]] : [],
    );
    return [steps, ...keys].map(place);
  };
  for (const { hub, spoke, lens } of object.links) {
    const makesElement = hub.slot.default !== undefined && spoke.steps.some(({ kind }) => kind === 'element');
    if (filled(hub) || makesElement) found.defaulted.push(...madeBy(spoke));
    visitLens(lens, place(spoke.steps), found, [...inside, object]);
  }
  for (const { hub, spoke } of object.several) {
    const places = spoke.map(({ steps }) => place(steps));
    if (hub.some(filled)) found.defaulted.push(...spoke.flatMap(madeBy));
    if (spoke.length > 1) found.together.push(places);
  }
}

function visitLens(lens: LensPlan, at: string, found: Allowances, inside: ObjectPlan[]): void {
  const object = objectOf(lens);
  if (object !== undefined) return visit(object, at, found, inside);
  if (!('inner' in lens)) return;
  const [, step] = STEPS_INSIDE[lens.kind];
  for (const one of lensesInside(lens)) visitLens(one, step === '' ? at : `${at}/*`, found, inside);
}

function pointerStep(step: Step): string {
  if (step.kind === 'field') return `/${step.name}`;
  if (step.kind === 'entry') return below('', step.key);
  return '/*';
}

/**
 * The names of fields that a client of a spoke may leave out even where they are required, since a rule `default` of
 * the version supplies them. Fields elsewhere may have the same names.
 */
export function suppliedFields(
  { conversion }: Pick<KindVersion, 'conversion'>,
  types: string[],
): Set<string> {
  const rules = parseRules(conversion, types, () => undefined);
  const defaults = rules.filter(({ name }) => name === 'default');
  const names = new Set(defaults.flatMap(({ hub, spoke }) => [...hub, ...spoke]).map(lastName));
  for (const { hub, spoke } of rules) {
    if (hub.some((path) => names.has(lastName(path)))) spoke.forEach((path) => names.add(lastName(path)));
  }
  return names;
}
