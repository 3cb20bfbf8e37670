import type { Step } from './path';
import { stepsText } from './path';
import { lensesInside } from './plan-walk';
import type { ConversionPlan, Leaf, LensPlan, ScopePlan } from './plan';
import { findContainer } from './containers';

/** Pointers of the spoke's document, `*` for any step, that the tests of the laws make allowance for. */
export interface Allowances {
  /** Fields of rules `drop`. */
  dropped: string[];
  /** Fields that a rule `default` of either side fills in, and dropped ones that show their own default. */
  defaulted: string[];
  /** Fields that one rule converts together. */
  together: string[][];
}

/** What the tests of the laws have to know of a spoke's rules. */
export function allowances({ spec, status }: ConversionPlan): Allowances {
  const found: Allowances = { dropped: [], defaulted: [], together: [] };
  visitLens(spec, '/spec', found, []);
  visitLens(status, '/status', found, []);
  return found;
}

function visit(scope: ScopePlan, at: string, found: Allowances, inside: ScopePlan[]): void {
  // A type that contains itself is followed a few times: generated resources are not deeper.
  if (inside.filter((one) => one === scope).length > 3) return;
  const place = (steps: Step[]) => at + steps.map(pointerStep).join('');
  for (const { leaf } of scope.dropped) {
    found.dropped.push(place(leaf.steps));
    if (leaf.slot.default !== undefined) found.defaulted.push(place(leaf.steps));
  }
  const holders = (holder: ScopePlan['spoke']): void => {
    for (const { name, rule } of holder.defaults) {
      if (rule !== undefined) found.defaulted.push(place([...holder.steps, { kind: 'field', name }]));
    }
    for (const child of holder.children) {
      if (child.slot.required && child.steps.length > 1) found.defaulted.push(place(child.steps));
      holders(child);
    }
  };
  holders(scope.spoke);
  const filled = ({ steps }: Leaf) => {
    const holder = findContainer(scope.hub, steps.slice(0, -1));
    const last = stepsText(steps.slice(-1));
    return holder?.defaults.some(({ name, rule }) => rule !== undefined && name === last) ?? false;
  };
  for (const { hub, spoke, lens } of scope.links) {
    if (filled(hub)) found.defaulted.push(place(spoke.steps));
    visitLens(lens, place(spoke.steps), found, [...inside, scope]);
  }
  for (const { hub, spoke } of scope.several) {
    const places = spoke.map(({ steps }) => place(steps));
    if (hub.some(filled)) found.defaulted.push(...places);
    if (spoke.length > 1) found.together.push(places);
  }
}

function visitLens(lens: LensPlan, at: string, found: Allowances, inside: ScopePlan[]): void {
  if (lens.kind === 'scope') return visit(lens.scope, at, found, inside);
  if (lens.kind === 'type') return visit(lens.scope(), at, found, inside);
  const isMany = ['list', 'mapOf', 'firstOfSpoke', 'mapAsList', 'listAsMap'].includes(lens.kind);
  for (const one of lensesInside(lens)) visitLens(one, isMany ? `${at}/*` : at, found, inside);
}

function pointerStep(step: Step): string {
  if (step.kind === 'field') return `/${step.name}`;
  if (step.kind === 'entry') return `/${step.key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return '/*';
}
