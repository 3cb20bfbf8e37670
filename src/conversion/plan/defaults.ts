import { joinedList } from '../../../templates/runtime/conversion/lenses/joining';
import { castFromText, castToText } from '../../../templates/runtime/conversion/values/casting';
import type { Failures } from '../../../templates/runtime/model/versions/spoke-converter';
import type { Json } from '../../model/project';
import { broken, filled, fits } from '../rules/fits';
import { lastName, stepsText } from '../rules/path';
import type { Rule, Side } from '../rules/rule';
import { typeName, type Types } from '../rules/slot';
import { findContainer } from './containers';
import type { Pair } from './field-lens';
import type { ObjectPlaces } from './object-places';
import type { Container, Leaf, LensPlan, ObjectPlan } from './plan';

/** Sets the value of a rule `default` for a field of an opened object. */
export function addDefault(places: ObjectPlaces, side: Side, rule: Rule, leaf: Leaf): void {
  const { object, types } = places;
  const { text, type } = leaf.slot;
  if (!fits(rule.options.value!, leaf.slot, types)) {
    places.problem(rule, ['value'], `the value does not fit ${text}`, `it is of type ${typeName(type)}`);
    return;
  }
  const value = filled(rule.options.value!, leaf.slot, types);
  const brokenRule = broken(value, leaf.slot, types);
  const name = lastName(leaf.steps);
  const holder = findContainer(object[side], leaf.steps.slice(0, -1));
  const preset = holder?.defaults.find((one) => one.name === name);
  if (brokenRule !== undefined) {
    const outcome = side === 'hub' ? 'creating through this version' : 'sending back what this version shows';
    const hint = `choose a value that satisfies it: with this one, ${outcome} returns 400`;
    places.problem(rule, ['value'], `the value breaks the rule ${brokenRule} of ${text}`, hint);
  } else if (holder === undefined || name === '') {
    if (side === 'hub') neverMade(places, rule, side, text);
    else places.problem(rule, [side], `the parent of ${text} is never shown`, 'give the parent a default');
  } else if (preset?.rule === undefined) {
    holder.defaults = [...holder.defaults.filter((one) => one !== preset), { name, value, rule }];
    if (side === 'hub') presetWrap(object, leaf, value);
  } else if (preset.rule !== rule) {
    places.problem(rule, [side], `${text} has two defaults`, 'remove one of the two');
  }
}

/** Notes a default for a list of the spoke of which the field is the first element. */
function presetWrap({ links }: ObjectPlan, { steps }: Leaf, preset: Json): void {
  const link = links.find(({ hub }) => stepsText(hub.steps) === stepsText(steps));
  if (link?.lens.kind === 'firstOfSpoke') link.lens.presets.push(preset);
}

/** Reports a default for something in an object that no write makes. */
export function neverMade(places: ObjectPlaces, rule: Rule, side: Side, text: string): void {
  const hint =
    'a default applies when a write through this version creates the object, element or entry that contains the field';
  places.problem(rule, [side], `no write through this version creates the parent of ${text}`, hint);
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
 * Reports a default of the spoke's field that the hub's field cannot have. Creating through the spoke fills the default in, so
 * that every create without the field would be refused.
 */
export function checkDefault({ planner, types }: ObjectPlaces, { hub, spoke }: Pair, lens: LensPlan): void {
  const why = unfitDefault(hub, spoke, lens, types);
  if (why === undefined) return;
  const hint = 'choose another value: with this one, creating through this version returns 400';
  planner.report({ path: [...spoke.slot.at, 'default'], message: `the default ${why}`, hint });
}

function unfitDefault(hub: Leaf, spoke: Leaf, lens: LensPlan, types: Types): string | undefined {
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
      return castFromText(lens.meaning, lens.otherwise!).put(value, undefined, '', failures).hub;
    case 'castToText':
      return castToText(lens.meaning, lens.otherwise).put(value, undefined, '', failures).hub;
    case 'joinList':
      return joinedList(lens.side, lens.separator).put(value, undefined, '', failures).hub;
    case 'firstOfHub': {
      const first = hubDefault(value, lens.inner, failures);
      return first === undefined ? undefined : [first];
    }
    default:
      return undefined;
  }
}
