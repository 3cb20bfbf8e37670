import type { Path } from '../../model/problem';
import { type LocalRule, LocalRules } from '../rules/local-rules';
import { pathText, type Step } from '../rules/path';
import type { Rule, Side } from '../rules/rule';
import type { Slot, Types } from '../rules/slot';
import { findContainer, newContainer } from './containers';
import type { Container, Leaf, ObjectPlan } from './plan';
import type { PairPlanner } from './planning';

/** Two objects that are being planned: the rules below them, and the plan so far. */
export class ObjectPlaces {
  readonly types: Types;
  readonly rules: LocalRules;
  readonly object: ObjectPlan;

  constructor(
    readonly planner: PairPlanner,
    name: string,
    readonly roots: { hub: Slot; spoke: Slot },
    rules: LocalRule[],
  ) {
    this.types = planner.types;
    this.rules = new LocalRules(rules, (rule) => planner.used.add(rule));
    const [hub, spoke] = [newContainer([], roots.hub), newContainer([], roots.spoke)];
    this.object = { name, hub, spoke, links: [], several: [], preserved: [], dropped: [], hidden: [] };
  }

  /** Returns what is at a path; undefined where it leads to the key of an element, which is not converted. */
  resolve(side: Side, steps: Step[]): Slot | undefined {
    const found = this.types.follow(this.roots[side], steps);
    return 'message' in found ? undefined : found;
  }

  /** Returns what a rule names on a side; undefined, with a problem, where one of it is the key of an element. */
  leaves(side: Side, one: LocalRule): Leaf[] | undefined {
    const leaves = one[side].map((steps) => ({ steps, slot: this.resolve(side, steps) }));
    const lost = leaves.find(({ slot }) => slot === undefined);
    if (lost === undefined) return leaves as Leaf[];
    const message = `${this.text(side, lost.steps)} is the key of its list, which another rule converts`;
    return this.problem(one.rule, [side], message, 'remove the rule');
  }

  /** Returns true for an object, shared or not. */
  isObject({ slot }: Leaf): boolean {
    return this.types.fields(slot.type) !== undefined;
  }

  /** The container at a place, with those above it. */
  open(side: Side, steps: Step[]): Container {
    let at = this.object[side];
    for (let length = 1; length <= steps.length; length++) {
      const here = steps.slice(0, length);
      let next = findContainer(at, here);
      if (next === undefined) {
        next = newContainer(here, this.resolve(side, here)!);
        at.children.push(next);
      }
      at = next;
    }
    return at;
  }

  /** A path from the root of its version, as rules write it. */
  text(side: Side, steps: Step[]): string {
    const { text, boxed } = this.roots[side];
    return pathText(text, boxed ? steps.slice(1) : steps);
  }

  /** Reports a problem of a rule, or of a member of it. */
  problem(rule: Rule, path: Path, message: string, hint?: string): undefined {
    return this.planner.problem(rule, path, message, hint);
  }
}
