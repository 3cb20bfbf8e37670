import { type Chosen, convertingRule, EACH, type LocalRule, selectorValue } from '../rules/local-rules';
import { fieldStep, stepsBelow } from '../rules/path';
import type { Rule } from '../rules/rule';
import type { Slot, Types } from '../rules/slot';
import type { ObjectPlaces } from './object-places';
import type { Leaf, LensPlan } from './plan';
import { indexRule } from './wrap-index';

/** A field of the hub and one of the spoke that belong together, and the rule that says so; undefined for their path. */
export interface Pair {
  hub: Leaf;
  spoke: Leaf;
  rule: Rule | undefined;
}

/** Plans two fields with the rules below them. Undefined where a problem was reported. */
export function fieldLens(places: ObjectPlaces, pair: Pair): LensPlan | undefined {
  const { planner, rules, types } = places;
  const { hub, spoke, rule } = pair;
  const { kind } = hub.slot.type;
  if (isSame(rule) && kind === spoke.slot.type.kind && (kind === 'list' || kind === 'map')) {
    const chosen = rules.chosen(hub.steps, spoke.steps, (one, other) =>
      areSameKey(selectorValue(one), selectorValue(other), keyRule(places, hub, spoke)),
    );
    if ([chosen.hub, chosen.spoke, chosen.both].some((selectors) => selectors.length > 0))
      return selectiveLens(places, pair, chosen);
  }
  const apart = rule?.name === 'wrap' ? apartFrom(places, pair) : undefined;
  if (apart !== undefined) {
    const both = [...new Set([hub.slot.text, spoke.slot.text])].join(' or ');
    const message = `a rule for a field in ${both}, which the rule wrap converts as a whole`;
    return places.problem(apart.rule, [], message, 'use custom for both instead of the two rules');
  }
  const inside = rules.take(hub.steps, spoke.steps);
  const [hubSlot, spokeSlot] = [withoutKey(hub, types), withoutKey(spoke, types)];
  if (rule === undefined) return planner.pair(hubSlot, spokeSlot, inside, undefined);
  if (rule.name !== 'index') return planner.byRule(rule, hubSlot, spokeSlot, inside);
  // Rules may name single entries or elements for other fields of the spoke.
  const named = rules.chosen(hub.steps, spoke.steps, () => false);
  if (named.spoke.length === 0)
    return indexRule(planner, rule, [hubSlot, spokeSlot], inside, named.hub.map(selectorValue));
  return standsForAnother(places, rules.naming('spoke', [...spoke.steps, named.spoke[0]])!, spoke);
}

/** Returns true where two fields belong together without a conversion of their values. */
export function isSame(rule: Rule | undefined): boolean {
  return rule === undefined || rule.name === 'rename';
}

/** Returns a rule that a `wrap` would contradict: for a field in one of two values and one elsewhere, or for one element. */
function apartFrom({ rules }: ObjectPlaces, { hub, spoke }: Pair): LocalRule | undefined {
  const chosen = rules.chosen(hub.steps, spoke.steps, () => false);
  if (chosen.hub.length > 0) return rules.naming('hub', [...hub.steps, chosen.hub[0]]);
  if (chosen.spoke.length > 0) return rules.naming('spoke', [...spoke.steps, chosen.spoke[0]]);
  return rules.crossing(hub.steps, spoke.steps);
}

/** Reports a rule for one element of the spoke, where the hub has another place for all of them. */
function standsForAnother(places: ObjectPlaces, { rule }: LocalRule, { slot }: Leaf): undefined {
  const message = `${slot.text} is in both versions: one of its elements cannot stand for another field of the storage version`;
  return places.problem(rule, ['spoke'], message, 'use custom for the list and the field');
}

/** A list or map of which rules name single elements or entries: its lens converts the others. */
function selectiveLens(
  places: ObjectPlaces,
  { hub, spoke, rule }: Pair,
  chosen: Chosen,
): LensPlan | undefined {
  const { planner, rules } = places;
  const special = chosen.both.map(([one, other]): [string, LocalRule[]] => [
    selectorValue(one),
    rules.take([...hub.steps, one], [...spoke.steps, other]),
  ]);
  const inside = rules.take(hub.steps, spoke.steps);
  const [except, skip] = [chosen.hub.map(selectorValue), chosen.spoke.map(selectorValue)];
  if (hub.slot.type.kind === 'map' || skip.length === 0)
    return planner.selective(hub.slot, spoke.slot, inside, rule, { except, skip, special });
  const element = [...spoke.steps, chosen.spoke[0]];
  const one = rules.naming('spoke', element)!;
  const ofKey = keyRule(places, hub, spoke);
  const isSameList = one.hub.some((path) => stepsBelow(path, hub.steps)?.[0]?.kind === 'element');
  if (ofKey === undefined || !isSameList) return standsForAnother(places, one, spoke);
  const message = `by the rule ${ofKey.name} for its key, ${places.text('spoke', element)} is not the element of the storage version that the rule names`;
  const hint = 'name the element on each side by its key in that version';
  return places.problem(one.rule, ['spoke'], message, hint);
}

/** Returns the rule that converts the key of two lists; undefined if it is the same on both sides. */
function keyRule({ planner, rules }: ObjectPlaces, hub: Leaf, spoke: Leaf): Rule | undefined {
  const [one, other] = [hub.slot.type, spoke.slot.type];
  if (one.kind !== 'list' || other.kind !== 'list' || !one.key || !other.key) return undefined;
  const [ours, theirs] = [fieldStep(one.key), fieldStep(other.key)];
  const known = convertingRule(rules.given, [...hub.steps, EACH, ours], [...spoke.steps, EACH, theirs]);
  if (known !== undefined) return known;
  const [item, otherItem] = [one.items.type, other.items.type];
  if (item.kind !== 'ref' || otherItem.kind !== 'ref') return undefined;
  return convertingRule(planner.rulesFrom(item.name, otherItem.name), [ours], [theirs]);
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
