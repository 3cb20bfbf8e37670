import { filled } from '../rules/fits';
import { isSelector, type LocalRule } from '../rules/local-rules';
import { fieldStep, lastName, quotedPath, stepsBelow, stepsText } from '../rules/path';
import { type Rule, type Side, SIDES } from '../rules/rule';
import type { Slot, Types } from '../rules/slot';
import { wrongJoin, wrongNames } from './codec-rules';
import { markElsewhere, requiredInside } from './containers';
import { addDefault, addFieldDefaults, checkDefault } from './defaults';
import { fieldLens, isSame, type Pair } from './field-lens';
import { claimFields, refuseInside, refuseLeftOver } from './misplaced-rules';
import { ObjectPlaces } from './object-places';
import type { Container, Leaf, Link, ObjectPlan } from './plan';
import type { PairPlanner } from './planning';

/**
 * Plans the conversion between two objects: pairs their fields by rule or by path, and plans the fields without a
 * partner.
 */
export function planObject(
  planner: PairPlanner,
  name: string,
  roots: { hub: Slot; spoke: Slot },
  rules: LocalRule[],
): ObjectPlan {
  return new ObjectPlanner(planner, name, roots, rules).plan();
}

class ObjectPlanner extends ObjectPlaces {
  plan(): ObjectPlan {
    const { roots, rules, object } = this;
    claimFields(this);
    rules.nameDefaults();
    this.match({ steps: [], slot: roots.hub }, { steps: [], slot: roots.spoke });
    for (const one of rules.betweenFields) if (rules.has(one)) this.explicit(one);
    this.selectedElements(object.hub);
    for (const one of rules.defaults) this.default(one);
    addFieldDefaults(object.spoke, this.types);
    for (const side of SIDES) object[side].children.forEach(requiredInside);
    for (const one of rules.all) refuseLeftOver(this, one);
    for (const side of SIDES) object.links.sort(byField(roots[side], side, this.types));
    markElsewhere(object);
    return object;
  }

  /** Pairs the fields of two objects by name, at any depth. */
  private match(hub: Leaf, spoke: Leaf): void {
    const twins = new Map<string, Leaf>();
    this.each('spoke', spoke, (leaf) => twins.set(lastName(leaf.steps), leaf));
    this.each('hub', hub, (leaf) => {
      const twin = twins.get(lastName(leaf.steps));
      twins.delete(lastName(leaf.steps));
      if (twin === undefined) this.hubOnly(leaf);
      else this.link({ hub: leaf, spoke: twin, rule: undefined });
    });
    for (const leaf of twins.values()) this.spokeOnly(leaf);
  }

  private link(pair: Pair): void {
    const { hub, spoke, rule } = pair;
    const areObjects = this.isObject(hub) && this.isObject(spoke);
    if (isSame(rule) && areObjects && this.rules.crossing(hub.steps, spoke.steps) !== undefined) {
      const [one, other] = [this.open('hub', hub.steps), this.open('spoke', spoke.steps)];
      one.pair = other;
      other.pair = one;
      this.match(hub, spoke);
      return;
    }
    if (rule === undefined && this.areOpened(hub, spoke)) {
      this.hubOnly(hub);
      this.spokeOnly(spoke);
      return;
    }
    const lens = fieldLens(this, pair);
    if (lens === undefined) return;
    checkDefault(this, pair, lens);
    this.open('hub', hub.steps.slice(0, -1));
    this.open('spoke', spoke.steps.slice(0, -1));
    this.object.links.push({ ...pair, lens });
  }

  /** Returns true where rules pair an object and a map of the same path field by field. */
  private areOpened(hub: Leaf, spoke: Leaf): boolean {
    const kinds = [hub, spoke].map((leaf) => (this.isObject(leaf) ? 'object' : leaf.slot.type.kind));
    if (!kinds.includes('object') || !kinds.includes('map')) return false;
    const theirs = this.rules.inside('spoke', spoke.steps);
    return this.rules.inside('hub', hub.steps).some((one) => theirs.includes(one));
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
    const { planner, roots } = this;
    const elements = SIDES.map((one) => roots[one].text.replace(/[^\]}]*$/, '')).join(' ');
    planner.oneSided.push({ side, slot, elements, missing, ruled });
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
    const [hub, spoke] = SIDES.map((side) => this.leaves(side, one));
    if (hub === undefined || spoke === undefined) return;
    const { rule } = one;
    if (rule.name === 'drop') this.drop(rule, spoke[0]);
    else if (rule.name === 'custom' || hub.length > 1 || spoke.length > 1) this.several(rule, hub, spoke);
    else this.link({ hub: hub[0], spoke: spoke[0], rule });
  }

  private drop(rule: Rule, leaf: Leaf): void {
    const { slot, steps } = leaf;
    refuseInside(this, rule, [], [leaf]);
    if (steps.some(isSelector)) {
      const message = `${slot.text} is in one element or entry; a dropped field is dropped in all of them`;
      this.problem(rule, ['spoke'], message, 'name all of them by [] or {}, or use custom');
      return;
    }
    this.open('spoke', steps.slice(0, -1));
    this.object.dropped.push(leaf);
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
    refuseInside(this, rule, hub, spoke);
    for (const { steps } of hub) this.open('hub', steps.slice(0, -1));
    for (const { steps } of spoke) this.open('spoke', steps.slice(0, -1));
    this.object.several.push({ hub, spoke, rule });
  }

  private default(one: LocalRule): void {
    const side: Side = one.hub.length > 0 ? 'hub' : 'spoke';
    this.rules.remove(one);
    const [leaf] = this.leaves(side, one) ?? [];
    if (leaf !== undefined) addDefault(this, side, one.rule, leaf);
  }
}

/** Links in the order of the fields of a side. */
function byField(root: Slot, side: Side, types: Types): (one: Link, other: Link) => number {
  const order = (types.fields(root.type) ?? []).map(({ name }) => name);
  const place = ({ [side]: { steps } }: Link) => order.indexOf(lastName(steps.slice(0, 1)));
  return (one, other) => place(one) - place(other);
}
