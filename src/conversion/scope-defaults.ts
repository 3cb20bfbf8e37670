import { findContainer } from './containers';
import { filled, fits } from './fits';
import type { LocalRule, Side } from './local-rules';
import { lastName } from './path';
import type { Container, Leaf, ScopePlan } from './plan';
import { type Types, typeName } from './slot';

/** Reports what is wrong with a rule, at a place below it. */
export type RuleReport = (rule: LocalRule['rule'], path: string[], message: string, hint: string) => void;

/** Gives a field of an opened object the value of a rule `default`. */
export function addDefault(
  scope: ScopePlan,
  side: Side,
  { rule }: LocalRule,
  leaf: Leaf,
  types: Types,
  report: RuleReport,
): void {
  const value = rule.options.value!;
  const name = lastName(leaf.steps);
  const holder = findContainer(scope[side], leaf.steps.slice(0, -1));
  const { text, type } = leaf.slot;
  if (!fits(value, leaf.slot, types)) {
    report(rule, ['value'], `the value does not fit ${text}`, `it is of type ${typeName(type)}`);
  } else if (holder === undefined || name === '') {
    if (side === 'hub') neverMade(rule, side, text, report);
    else report(rule, [side], `nothing shows what holds ${text}`, 'give the object that holds it a default');
  } else if (holder.defaults.some((preset) => preset.name === name && preset.rule !== undefined)) {
    report(rule, [side], `${text} has two defaults`, 'remove one of the two');
  } else {
    holder.defaults = holder.defaults.filter((preset) => preset.name !== name);
    holder.defaults.push({ name, value: filled(value, leaf.slot, types), rule });
  }
}

/** Reports a default for something in an object that no write makes. */
export function neverMade(rule: LocalRule['rule'], side: Side, text: string, report: RuleReport): void {
  const hint =
    'a default applies where a write through this version makes the object, element or entry that holds the field';
  report(rule, [side], `no write through this version makes what holds ${text}`, hint);
}

/** What the spoke shows for absent fields that have a default of their own. */
export function addFieldDefaults(holder: Container, types: Types): void {
  for (const field of types.fields(holder.slot.type) ?? []) {
    if (field.default === undefined) continue;
    if (holder.defaults.some(({ name }) => name === field.name)) continue;
    holder.defaults.push({ name: field.name, value: filled(field.default, field, types), rule: undefined });
  }
  for (const child of holder.children) addFieldDefaults(child, types);
}
