import { joinedList } from '../../../templates/runtime/conversion/lenses/joining';
import { castFromText, castToText } from '../../../templates/runtime/conversion/values/casting';
import type { Failures } from '../../../templates/runtime/model/versions/spoke-converter';
import type { Json } from '../../model/project';
import { broken, filled, fits } from '../rules/fits';
import type { LocalRule } from '../rules/local-rules';
import { lastName, type Step, stepsBelow, stepsText } from '../rules/path';
import type { Side } from '../rules/rule';
import { type Slot, typeName, type Types } from '../rules/slot';
import type { Container, Leaf, LensPlan, ObjectPlan } from './plan';

/** A container as it is opened first. */
export function newContainer(steps: Step[], slot: Slot): Container {
  const { kind } = slot.type;
  const holds = kind === 'list' || kind === 'map' ? kind : 'object';
  return { kind: holds, steps, slot, children: [], pair: undefined, defaults: [], elsewhere: [] };
}

/** The container at a place, in a tree; undefined when rules name nothing in it. */
export function findContainer(root: Container, steps: Step[]): Container | undefined {
  if (root.steps.length === steps.length) {
    return stepsText(root.steps) === stepsText(steps) ? root : undefined;
  }
  const child = root.children.find((one) => stepsBelow(steps, one.steps) !== undefined);
  return child && findContainer(child, steps);
}

/** A required container comes with the one that it is in: a default of it, with the defaults inside. */
export function requiredInside(holder: Container): void {
  for (const child of holder.children) {
    requiredInside(child);
    if (!child.slot.required || child.pair !== undefined) continue;
    const fields = Object.fromEntries(child.defaults.map(({ name, value }) => [name, value]));
    const value = child.kind === 'list' ? [] : fields;
    holder.defaults.push({ name: lastName(child.steps), value, rule: undefined });
  }
}

/** Notes, for objects that both sides have, the hub's fields that stand elsewhere in the spoke. */
export function markElsewhere({ hub, links, several }: ObjectPlan): void {
  const places: [hub: Leaf[], spoke: Leaf[]][] = [
    ...links.map((link): [Leaf[], Leaf[]] => [[link.hub], [link.spoke]]),
    ...several.map((one): [Leaf[], Leaf[]] => [one.hub, one.spoke]),
  ];
  const visit = (holder: Container): void => {
    holder.children.forEach(visit);
    const { pair } = holder;
    if (pair === undefined) return;
    const within = (leaf: Leaf) => stepsBelow(leaf.steps, pair.steps) !== undefined;
    const names = new Map<string, boolean>();
    for (const [ours, theirs] of places) {
      for (const leaf of ours) {
        const [next] = stepsBelow(leaf.steps, holder.steps) ?? [];
        if (next?.kind !== 'field') continue;
        names.set(next.name, (names.get(next.name) ?? true) && !theirs.some(within));
      }
    }
    for (const [name, elsewhere] of names) if (elsewhere) holder.elsewhere.push(name);
  };
  visit(hub);
}

/** Reports what is wrong with a rule, at a place below it. */
type RuleReport = (rule: LocalRule['rule'], path: string[], message: string, hint: string) => void;

/** The side that a default is for, the types of its version, and the report of problems. */
interface DefaultContext {
  side: Side;
  types: Types;
  report: RuleReport;
}

/** Sets the value of a rule `default` for a field of an opened object. */
export function addDefault(
  object: ObjectPlan,
  { rule }: LocalRule,
  leaf: Leaf,
  { side, types, report }: DefaultContext,
): void {
  const value = rule.options.value!;
  const name = lastName(leaf.steps);
  const holder = findContainer(object[side], leaf.steps.slice(0, -1));
  const { text, type } = leaf.slot;
  const brokenRule = fits(value, leaf.slot, types)
    ? broken(filled(value, leaf.slot, types), leaf.slot, types)
    : undefined;
  if (!fits(value, leaf.slot, types)) {
    report(rule, ['value'], `the value does not fit ${text}`, `it is of type ${typeName(type)}`);
  } else if (brokenRule !== undefined) {
    const outcome = side === 'hub' ? 'creating through this version' : 'sending back what this version shows';
    const hint = `choose a value that satisfies it: with this one, ${outcome} returns 400`;
    report(rule, ['value'], `the value breaks the rule ${brokenRule} of ${text}`, hint);
  } else if (holder === undefined || name === '') {
    if (side === 'hub') neverMade(rule, side, text, report);
    else report(rule, [side], `the parent of ${text} is never shown`, 'give the parent a default');
  } else if (holder.defaults.some((preset) => preset.name === name && preset.rule === rule)) {
    return;
  } else if (holder.defaults.some((preset) => preset.name === name && preset.rule !== undefined)) {
    report(rule, [side], `${text} has two defaults`, 'remove one of the two');
  } else {
    holder.defaults = holder.defaults.filter((preset) => preset.name !== name);
    const preset = filled(value, leaf.slot, types);
    holder.defaults.push({ name, value: preset, rule });
    if (side === 'hub') presetWrap(object, leaf, preset);
  }
}

/** Notes a default for a list of the spoke of which the field is the first element. */
function presetWrap({ links }: ObjectPlan, { steps }: Leaf, preset: Json): void {
  const link = links.find(({ hub }) => stepsText(hub.steps) === stepsText(steps));
  if (link?.lens.kind === 'firstOfSpoke') link.lens.presets.push(preset);
}

/** Reports a default for something in an object that no write makes. */
export function neverMade(rule: LocalRule['rule'], side: Side, text: string, report: RuleReport): void {
  const hint =
    'a default applies when a write through this version creates the object, element or entry that contains the field';
  report(rule, [side], `no write through this version creates the parent of ${text}`, hint);
}

/** Adds the values that the spoke shows for absent fields with a default of their own. */
export function addFieldDefaults(holder: Container, types: Types): void {
  for (const field of types.fields(holder.slot.type) ?? []) {
    if (field.default === undefined) continue;
    if (holder.defaults.some(({ name }) => name === field.name)) continue;
    holder.defaults.push({ name: field.name, value: filled(field.default, field, types), rule: undefined });
  }
  for (const child of holder.children) addFieldDefaults(child, types);
}

/**
 * Returns why the hub's field cannot have the default of the spoke's field; undefined where it can. Creating through the
 * spoke fills the default in, so that every create without the field would be refused.
 */
export function unfitDefault(hub: Leaf, spoke: Leaf, lens: LensPlan, types: Types): string | undefined {
  if (spoke.slot.default === undefined) return undefined;
  const failures: Failures = { found: [] };
  const value = hubDefault(filled(spoke.slot.default, spoke.slot, types), lens, failures);
  const [failure] = failures.found;
  if (failure !== undefined) return `cannot be converted: it ${failure.detail}`;
  if (value === undefined) return undefined;
  const { text, type } = hub.slot;
  const rule = broken(value, hub.slot, types);
  if (rule !== undefined) return `breaks the rule ${rule} of ${text} in the storage version`;
  return fits(value, hub.slot, types) ? undefined : `does not fit ${text}, of type ${typeName(type)}`;
}

/** Returns the hub's value of a default of the spoke; undefined where it has none, or only the service can tell. */
function hubDefault(value: Json, lens: LensPlan, failures: Failures): Json | undefined {
  switch (lens.kind) {
    case 'copy':
      return value;
    case 'scale': {
      // A product that the service rounds is not decided here.
      const scaled = Number(value) * lens.factor;
      return Number.isInteger(scaled) ? scaled : undefined;
    }
    case 'castFromText':
      return castFromText(lens.meaning, lens.otherwise).put(value, undefined, '', failures).hub;
    case 'castToText':
      return castToText(lens.meaning, lens.otherwise).put(value, undefined, '', failures).hub;
    case 'joinList':
      return joinedList(lens.side, lens.separator).put(value, undefined, '', failures).hub;
    case 'firstOfHub': {
      const first = hubDefault(value, lens.element, failures);
      return first === undefined ? undefined : [first];
    }
    default:
      return undefined;
  }
}
