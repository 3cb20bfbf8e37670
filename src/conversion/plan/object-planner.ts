import { filled } from '../rules/fits';
import {
  type Chosen,
  EACH,
  isSelector,
  isUnder,
  type LocalRule,
  LocalRules,
  selectorValue,
} from '../rules/local-rules';
import { fieldStep, isEvery, lastName, quotedPath, type Step, stepsBelow, stepsText } from '../rules/path';
import { type Rule, ruleAt, type Side, SIDES } from '../rules/rule';
import type { Slot, Types } from '../rules/slot';
import { wrongJoin, wrongNames } from './codec-rules';
import {
  addDefault,
  addFieldDefaults,
  findContainer,
  markElsewhere,
  neverMade,
  newContainer,
  requiredInside,
  unfitDefault,
} from './containers';
import { depth } from './fitting-rules';
import type { Container, Leaf, LensPlan, Link, ObjectPlan } from './plan';
import type { PairPlanner } from './planning';
import { indexRule } from './wrap-index';

const ONCE = 'a field is named by at most one rule besides default';

/**
 * Plans the conversion between two objects: pairs their fields by rule or by path, and plans the fields without a
 * partner.
 */
export class ObjectPlanner {
  private readonly types: Types;
  private readonly rules: LocalRules;
  private readonly object: ObjectPlan;

  constructor(
    private readonly planner: PairPlanner,
    name: string,
    private readonly roots: { hub: Slot; spoke: Slot },
    rules: LocalRule[],
  ) {
    this.types = planner.types;
    this.rules = new LocalRules(rules, (rule) => planner.used.add(rule));
    const [hub, spoke] = [newContainer([], roots.hub), newContainer([], roots.spoke)];
    this.object = { name, hub, spoke, links: [], several: [], preserved: [], dropped: [], hidden: [] };
  }

  plan(): ObjectPlan {
    const { rules, object } = this;
    rules.claim(
      (one, other) => this.isInsideWrap(one, other) || this.isInsideWrap(other, one),
      (...twice) => this.namedTwice(...twice),
    );
    rules.nameDefaults();
    this.match([], [], this.roots.hub, this.roots.spoke);
    for (const one of rules.betweenFields) if (rules.has(one)) this.explicit(one);
    this.selectedElements(object.hub);
    for (const one of rules.defaults) this.default(one);
    addFieldDefaults(object.spoke, this.types);
    for (const side of SIDES) object[side].children.forEach(requiredInside);
    for (const one of rules.all) this.leftOver(one);
    for (const side of SIDES) object.links.sort(byField(this.roots[side], side, this.types));
    markElsewhere(object);
    return object;
  }

  private namedTwice(side: Side, index: number, { rule, [side]: paths }: LocalRule, other: LocalRule): void {
    const path = paths.length > 1 ? [side, index] : [side];
    const message = `${this.text(side, paths[index])} is named by two rules`;
    const where = `the ${other.rule.name} in entry ${other.rule.index + 1}`;
    this.problem(rule, path, message, `${ONCE}; the other is ${where}`);
  }

  /**
   * Returns true for a rule whose two sides are inside the two sides of a `wrap`: an element of its list, and its
   * single value.
   */
  private isInsideWrap(one: LocalRule, { rule, hub: [hub], spoke: [spoke] }: LocalRule): boolean {
    if (rule.name !== 'wrap') return false;
    const [ours, theirs] = [this.resolve('hub', hub), this.resolve('spoke', spoke)];
    if (ours === undefined || theirs === undefined) return false;
    const isHub = depth(ours.type) > depth(theirs.type);
    const [inHub, inSpoke] = isHub ? [[...hub, EACH], spoke] : [hub, [...spoke, EACH]];
    // A rule of one side, such as drop, has no other place that stands for the whole value.
    const least = one.hub.length === 0 || one.spoke.length === 0 ? 1 : 0;
    const areBelow = (paths: Step[][], above: Step[]) =>
      paths.every((path) => (stepsBelow(path, above)?.length ?? -1) >= least);
    return areBelow(one.hub, inHub) && areBelow(one.spoke, inSpoke);
  }

  /** The fields of two objects that belong together by name, at any depth. */
  private match(hubSteps: Step[], spokeSteps: Step[], hub: Slot, spoke: Slot): void {
    const leaves = (side: Side, above: Step[], slot: Slot): Leaf[] =>
      this.types
        .fields(slot.type)!
        .map((field) => ({ steps: [...above, fieldStep(field.name)], slot: this.types.field(slot, field) }))
        .filter(({ steps }) => !this.rules.isClaimed(side, steps));
    const spokeLeaves = new Map(
      leaves('spoke', spokeSteps, spoke).map((leaf) => [lastName(leaf.steps), leaf]),
    );
    for (const leaf of leaves('hub', hubSteps, hub)) {
      const twin = spokeLeaves.get(lastName(leaf.steps));
      spokeLeaves.delete(lastName(leaf.steps));
      if (twin === undefined) this.hubOnly(leaf);
      else this.link(leaf, twin, undefined);
    }
    for (const leaf of spokeLeaves.values()) this.spokeOnly(leaf);
  }

  /** Two fields that belong together by path, or by a rule between one field and one other. */
  private link(hub: Leaf, spoke: Leaf, rule: Rule | undefined): void {
    const renamed = rule === undefined || rule.name === 'rename';
    const objects =
      this.types.fields(hub.slot.type) !== undefined && this.types.fields(spoke.slot.type) !== undefined;
    if (renamed && objects && this.rules.crossing(hub.steps, spoke.steps) !== undefined) {
      const [one, other] = [this.open('hub', hub.steps), this.open('spoke', spoke.steps)];
      one.pair = other;
      other.pair = one;
      this.match(hub.steps, spoke.steps, hub.slot, spoke.slot);
      return;
    }
    if (rule === undefined && this.areOpened(hub, spoke)) {
      this.hubOnly(hub);
      this.spokeOnly(spoke);
      return;
    }
    const lens = this.lens(hub, spoke, rule);
    if (lens === undefined) return;
    this.checkDefault(hub, spoke, lens);
    this.open('hub', hub.steps.slice(0, -1));
    this.open('spoke', spoke.steps.slice(0, -1));
    this.object.links.push({ hub, spoke, lens, rule });
  }

  private checkDefault(hub: Leaf, spoke: Leaf, lens: LensPlan): void {
    const why = unfitDefault(hub, spoke, lens, this.types);
    if (why === undefined) return;
    const hint = 'choose another value: with this one, creating through this version returns 400';
    const message = `the default ${why}`;
    this.planner.report({ path: [...spoke.slot.at, 'default'], message, hint });
  }

  /** Returns true where rules pair an object and a map of the same path field by field. */
  private areOpened(hub: Leaf, spoke: Leaf): boolean {
    const kinds = [hub, spoke].map(({ slot }) =>
      this.types.fields(slot.type) !== undefined ? 'object' : slot.type.kind,
    );
    const names = (side: Side, { steps }: Leaf) =>
      this.rules.inside(side, steps).filter((one) => one.hub.length > 0 && one.spoke.length > 0);
    const theirs = names('spoke', spoke);
    return (
      kinds.includes('object') &&
      kinds.includes('map') &&
      names('hub', hub).some((one) => theirs.includes(one))
    );
  }

  private lens(hub: Leaf, spoke: Leaf, rule: Rule | undefined): LensPlan | undefined {
    const { planner, rules } = this;
    const { kind } = hub.slot.type;
    const renamed = rule === undefined || rule.name === 'rename';
    if (renamed && kind === spoke.slot.type.kind && (kind === 'list' || kind === 'map')) {
      const chosen = rules.chosen(hub.steps, spoke.steps, (one, other) =>
        areSameKey(selectorValue(one), selectorValue(other), this.keyRule(hub, spoke)),
      );
      if ([chosen.hub, chosen.spoke, chosen.both].some((selectors) => selectors.length > 0))
        return this.selective(hub, spoke, chosen, rule);
    }
    const apart = rule?.name === 'wrap' ? this.apartFrom(hub, spoke) : undefined;
    if (apart !== undefined) {
      const both = [...new Set([hub.slot.text, spoke.slot.text])].join(' or ');
      const message = `a rule for a field in ${both}, which the rule wrap converts as a whole`;
      this.problem(apart.rule, [], message, 'use custom for both instead of the two rules');
      return undefined;
    }
    const inside = rules.take(hub.steps, spoke.steps);
    const [hubSlot, spokeSlot] = [withoutKey(hub, this.types), withoutKey(spoke, this.types)];
    if (rule === undefined) return planner.pair(hubSlot, spokeSlot, inside, undefined);
    if (rule.name === 'index') return this.indexed(hub, spoke, rule, inside);
    return planner.byRule(rule, hubSlot, spokeSlot, inside);
  }

  /** Returns a rule that a `wrap` would contradict: for a field in one of two values and one elsewhere, or for one element. */
  private apartFrom({ steps: hub }: Leaf, { steps: spoke }: Leaf): LocalRule | undefined {
    const { rules } = this;
    const {
      hub: [ours],
      spoke: [theirs],
    } = rules.chosen(hub, spoke, () => false);
    if (ours !== undefined) return rules.naming('hub', [...hub, ours]);
    if (theirs !== undefined) return rules.naming('spoke', [...spoke, theirs]);
    return rules.crossing(hub, spoke);
  }

  /** A map and a list with a key, of which rules may name single entries or elements for other fields of the spoke. */
  private indexed(hub: Leaf, spoke: Leaf, rule: Rule, inside: LocalRule[]): LensPlan | undefined {
    const { planner, rules } = this;
    const named = rules.chosen(hub.steps, spoke.steps, () => false);
    const pair: [Slot, Slot] = [withoutKey(hub, this.types), withoutKey(spoke, this.types)];
    if (named.spoke.length === 0) return indexRule(planner, rule, pair, inside, named.hub.map(selectorValue));
    const element = [...spoke.steps, named.spoke[0]];
    this.standsForAnother(rules.naming('spoke', element)!.rule, spoke);
    return undefined;
  }

  private standsForAnother(rule: Rule, { slot }: Leaf): void {
    const message = `${slot.text} is in both versions: one of its elements cannot stand for another field of the storage version`;
    this.problem(rule, ['spoke'], message, 'use custom for the list and the field');
  }

  /** A list or map of which rules name single elements or entries: its lens converts the others. */
  private selective(hub: Leaf, spoke: Leaf, chosen: Chosen, rule: Rule | undefined): LensPlan | undefined {
    const { planner, rules } = this;
    const special = chosen.both.map(([one, other]): [string, LocalRule[]] => [
      selectorValue(one),
      rules.take([...hub.steps, one], [...spoke.steps, other]),
    ]);
    const inside = rules.take(hub.steps, spoke.steps);
    const [except, skip] = [chosen.hub.map(selectorValue), chosen.spoke.map(selectorValue)];
    if (hub.slot.type.kind === 'map' || skip.length === 0)
      return planner.selective(hub.slot, spoke.slot, inside, { except, skip, special, because: rule });
    const element = [...spoke.steps, chosen.spoke[0]];
    const one = rules.naming('spoke', element)!;
    const keyRule = this.keyRule(hub, spoke);
    const isSameList = one.hub.some((path) => stepsBelow(path, hub.steps)?.[0]?.kind === 'element');
    if (keyRule !== undefined && isSameList) {
      const message = `by the rule ${keyRule.name} for its key, ${this.text('spoke', element)} is not the element of the storage version that the rule names`;
      this.problem(one.rule, ['spoke'], message, 'name the element on each side by its key in that version');
      return undefined;
    }
    this.standsForAnother(one.rule, spoke);
    return undefined;
  }

  /** Returns the rule that converts the key of two lists; undefined if it is the same on both sides. */
  private keyRule(hub: Leaf, spoke: Leaf): Rule | undefined {
    const [one, other] = [hub.slot.type, spoke.slot.type];
    if (one.kind !== 'list' || other.kind !== 'list' || !one.key || !other.key) return undefined;
    const [ours, theirs] = [fieldStep(one.key), fieldStep(other.key)];
    const known = this.rules.converting([...hub.steps, EACH, ours], [...spoke.steps, EACH, theirs]);
    if (known !== undefined) return known;
    const [item, otherItem] = [one.items.type, other.items.type];
    if (item.kind !== 'ref' || otherItem.kind !== 'ref') return undefined;
    const ofTypes = new LocalRules(this.planner.rulesFrom(item.name, otherItem.name), () => undefined);
    return ofTypes.converting([ours], [theirs]);
  }

  /** A field that only the hub has; an object in which rules name fields is opened. */
  private hubOnly(leaf: Leaf): void {
    if (this.rules.inside('hub', leaf.steps).some(({ spoke }) => spoke.length > 0)) {
      this.open('hub', leaf.steps);
      this.each('hub', leaf, (child) => this.hubOnly(child));
      return;
    }
    this.object.hidden.push(leaf);
    const { slot, steps } = leaf;
    const value = slot.default;
    if (value !== undefined && steps.length > 1) {
      const preset = { name: lastName(steps), value: filled(value, slot, this.types), rule: undefined };
      this.open('hub', steps.slice(0, -1)).defaults.push(preset);
    }
    this.oneSided('hub', leaf);
  }

  /** A field that only the spoke has. */
  private spokeOnly(leaf: Leaf): void {
    if (this.rules.inside('spoke', leaf.steps).length > 0) {
      this.open('spoke', leaf.steps);
      this.each('spoke', leaf, (child) => this.spokeOnly(child));
      return;
    }
    this.object.preserved.push(leaf);
    this.open('spoke', leaf.steps.slice(0, -1));
    this.oneSided('spoke', leaf);
  }

  /** The fields of single elements and entries of the hub that no rule names, where all others stand in another field. */
  private selectedElements(holder: Container): void {
    const isLinked = this.object.links.some(({ hub }) => stepsText(hub.steps) === stepsText(holder.steps));
    for (const child of holder.children) {
      if (isLinked && child.kind === 'object') {
        const known = [...this.object.links, ...this.object.several].flatMap(({ hub }) => hub);
        this.each('hub', child, (leaf) => {
          const isKnown = known.some(({ steps }) => stepsBelow(steps, leaf.steps) !== undefined);
          if (!isKnown) this.hubOnly(leaf);
        });
      }
      this.selectedElements(child);
    }
  }

  private oneSided(side: Side, { slot, steps }: Leaf): void {
    const ruled = this.rules.hasDefault(side, steps);
    const missing = slot.required && slot.default === undefined && !ruled;
    const elements = [this.roots.hub, this.roots.spoke]
      .map(({ text }) => text.replace(/[^\]}]*$/, ''))
      .join(' ');
    this.planner.oneSided.push({ side, slot, elements, missing, ruled });
  }

  /** Calls back for the fields of an opened object, or of the elements and entries that rules name. */
  private each(side: Side, { steps, slot }: Leaf, visit: (child: Leaf) => void): void {
    const fields = this.types.fields(slot.type);
    if (fields !== undefined) {
      const last = steps.at(-1);
      for (const field of fields) {
        const child = { steps: [...steps, fieldStep(field.name)], slot: this.types.field(slot, field) };
        const isKey = last?.kind === 'element' && last.key === field.name;
        if (!isKey && !this.rules.isClaimed(side, child.steps)) visit(child);
      }
      return;
    }
    const paths = this.rules.inside(side, steps).flatMap((one) => one[side]);
    const selectors = paths.flatMap((path) => stepsBelow(path, steps)?.slice(0, 1) ?? []);
    for (const selector of new Map(selectors.map((one) => [stepsText([one]), one])).values()) {
      const child = { steps: [...steps, selector], slot: this.types.step(slot, selector) as Slot };
      if (this.rules.isClaimed(side, child.steps)) continue;
      this.open(side, child.steps);
      this.each(side, child, visit);
    }
  }

  /** A rule between single fields of this object. */
  private explicit(one: LocalRule): void {
    this.rules.remove(one);
    const [hub, spoke] = [this.leaves('hub', one), this.leaves('spoke', one)];
    if (hub === undefined || spoke === undefined) return;
    const { rule } = one;
    if (rule.name === 'drop') this.drop(rule, spoke[0]);
    else if (rule.name === 'custom' || hub.length > 1 || spoke.length > 1) this.several(rule, hub, spoke);
    else this.link(hub[0], spoke[0], rule);
  }

  private drop(rule: Rule, leaf: Leaf): void {
    const { slot, steps } = leaf;
    this.refuseInside(rule, [], [leaf]);
    if (steps.some(isSelector)) {
      const message = `${slot.text} is in one element or entry; a dropped field is dropped in all of them`;
      this.problem(rule, ['spoke'], message, 'name all of them by [] or {}, or use custom');
      return;
    }
    this.open('spoke', steps.slice(0, -1));
    this.object.dropped.push({ leaf, rule });
    if (!slot.required || slot.default !== undefined || this.rules.hasDefault('spoke', steps)) return;
    const message = `${slot.text} is required in this version, but a dropped field is never shown`;
    this.problem(rule, [], message, `add \`- default: { spoke: ${quotedPath(slot.text)}, value: … }\``);
  }

  private several(rule: Rule, hub: Leaf[], spoke: Leaf[]): void {
    const wrong = rule.name === 'join' ? wrongJoin(hub, spoke) : (wrongNames(hub) ?? wrongNames(spoke));
    if (wrong !== undefined) {
      this.problem(rule, [], wrong.message, wrong.hint);
      return;
    }
    this.refuseInside(rule, hub, spoke);
    for (const { steps } of hub) this.open('hub', steps.slice(0, -1));
    for (const { steps } of spoke) this.open('spoke', steps.slice(0, -1));
    this.object.several.push({ hub, spoke, rule });
  }

  /** Refuses rules below fields that one rule converts as a whole. */
  private refuseInside(rule: Rule, hub: Leaf[], spoke: Leaf[]): void {
    for (const one of this.rules.given) {
      const under = (leaves: Leaf[], paths: Step[][]) =>
        leaves.find(({ steps }) => paths.some((path) => isUnder(path, steps)));
      const hit = under(hub, one.hub) ?? under(spoke, one.spoke);
      if (hit === undefined) continue;
      this.rules.remove(one);
      const message = `a rule below ${hit.slot.text}, which the rule ${rule.name} converts as a whole`;
      this.problem(one.rule, [], message, `${ONCE}; remove one of the two`);
    }
  }

  private default(one: LocalRule): void {
    const side: Side = one.hub.length > 0 ? 'hub' : 'spoke';
    this.rules.remove(one);
    const [leaf] = this.leaves(side, one) ?? [];
    if (leaf === undefined) return;
    addDefault(this.object, one, leaf, {
      side,
      types: this.types,
      report: (...problem) => this.problem(...problem),
    });
  }

  /** A rule that found no place: its lists or maps do not belong together, or nothing makes what it names. */
  private leftOver(one: LocalRule): void {
    const { rule } = one;
    this.rules.remove(one);
    if (this.rules.isNamed(one)) return;
    const [hub, spoke] = [one.hub[0], one.spoke[0]];
    if (rule.name === 'drop') {
      const message = `${this.text('spoke', spoke)} is in elements or entries that only this version has`;
      this.problem(rule, ['spoke'], message, 'drop the list or map that they are in');
      return;
    }
    if (hub === undefined || spoke === undefined) {
      const side: Side = hub === undefined ? 'spoke' : 'hub';
      neverMade(rule, side, this.text(side, one[side][0]), (...problem) => this.problem(...problem));
      return;
    }
    const lists = [upToEach(hub), upToEach(spoke)];
    const [ours, theirs] = [this.text('hub', lists[0]), this.text('spoke', lists[1])];
    let hint =
      'both paths must go through the same lists and maps; use wrap for a list and its element, index for a map and a list';
    if (one.hub.length > 1 || one.spoke.length > 1) {
      hint =
        'all fields of the rule must be in the same object, or in the same elements of two lists that belong together';
    } else if (this.areAlike(lists[0], lists[1]) && lists[0].length < hub.length) {
      hint = `join the two first: \`- rename: { hub: ${quotedPath(ours)}, spoke: ${quotedPath(theirs)} }\``;
    }
    this.problem(
      rule,
      [],
      `${this.text('hub', hub)} and ${this.text('spoke', spoke)} are not in the same elements`,
      hint,
    );
  }

  /** Returns true for two lists or two maps. */
  private areAlike(hub: Step[], spoke: Step[]): boolean {
    const [one, other] = [this.resolve('hub', hub)?.type.kind, this.resolve('spoke', spoke)?.type.kind];
    return one === other && (one === 'list' || one === 'map');
  }

  private leaves(side: Side, one: LocalRule): Leaf[] | undefined {
    const leaves = one[side].map((steps) => ({ steps, slot: this.resolve(side, steps) }));
    const lost = leaves.find(({ slot }) => slot === undefined);
    if (lost === undefined) return leaves as Leaf[];
    const message = `${this.text(side, lost.steps)} is the key of its list, which another rule converts`;
    this.problem(one.rule, [side], message, 'remove the rule');
    return undefined;
  }

  private resolve(side: Side, steps: Step[]): Slot | undefined {
    const found = this.types.follow(this.roots[side], steps);
    return 'message' in found ? undefined : found;
  }

  /** The container at a place, with those above it. */
  private open(side: Side, steps: Step[]): Container {
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

  private text(side: Side, steps: Step[]): string {
    const text = stepsText(steps);
    return this.roots[side].text + (/^([[{]|$)/.test(text) ? text : `.${text}`);
  }

  private problem(rule: Rule, path: (string | number)[], message: string, hint: string): void {
    this.planner.report({ path: ruleAt(rule, ...path), message, hint });
  }
}

/** Returns true if a key of the hub and one of the spoke are each other's counterpart by the rule that converts the key. */
function areSameKey(hub: string, spoke: string, rule: Rule | undefined): boolean {
  if (rule?.name === 'scale') return Number(hub) === Number(spoke) * rule.options.factor!;
  if (rule?.name !== 'map') return hub === spoke;
  const { values = [], otherwise = {} } = rule.options;
  const shown = values.find(([value]) => value === hub)?.[1] ?? otherwise.spoke;
  const stored = values.find(([, value]) => String(value) === spoke)?.[0] ?? otherwise.hub;
  return String(shown) === spoke && String(stored) === hub;
}

/** An element that a rule names by its key, without the key: that one is not converted. */
function withoutKey({ steps, slot }: Leaf, types: Types): Slot {
  const last = steps.at(-1);
  const fields = last?.kind === 'element' ? types.fields(slot.type) : undefined;
  if (fields === undefined || last?.kind !== 'element') return slot;
  return { ...slot, type: { kind: 'object', fields: fields.filter(({ name }) => name !== last.key) } };
}

/** A path up to its last list or map. */
function upToEach(path: Step[]): Step[] {
  const last = path.findLastIndex(isEvery);
  return last === -1 ? path : path.slice(0, last);
}

/** Links in the order of the fields of a side. */
function byField(root: Slot, side: Side, types: Types): (one: Link, other: Link) => number {
  const order = (types.fields(root.type) ?? []).map(({ name }) => name);
  const place = ({ [side]: { steps } }: Link) => order.indexOf(lastName(steps.slice(0, 1)));
  return (one, other) => place(one) - place(other);
}
