import type { Mistake, Path } from '../../model/problem';
import type { Element, Field, FieldType, Json, Shape, SharedType } from '../../model/project';
import { didYouMean, quoted } from '../../model/quoted';
import { isEvery, type Step } from './path';

/** A place of a version where a value may be. */
export interface Slot extends Shape {
  required: boolean;
  default: Json | undefined;
  /** As a rule names it: `spec.ports[].number`. */
  text: string;
  /** Below the kind's version in project.yaml; inside a shared type, the field that refers to it. */
  at: Path;
  /** Where the fields of an object are declared; undefined inside a shared type. */
  members: Path | undefined;
  /** For a value that is looked at as an object with a field `value`: both are at the same place. */
  boxed?: true;
}

/** The field types with the shared types looked up. */
export class Types {
  private readonly byName: Map<string, SharedType>;

  constructor(readonly all: SharedType[]) {
    this.byName = new Map(all.map((type) => [type.name, type]));
  }

  /** The slot of the spec, the status or a shared type. */
  root(name: string, fields: Field[], at: Path): Slot {
    const type: FieldType = { kind: 'object', fields };
    return { type, rules: {}, required: true, default: undefined, text: name, at, members: at };
  }

  /** A shared type by its name. */
  type(name: string): SharedType {
    return this.byName.get(name)!;
  }

  /** The fields of an object type, shared or not; undefined for another type. */
  fields(type: FieldType): Field[] | undefined {
    if (type.kind === 'object') return type.fields;
    return type.kind === 'ref' ? this.type(type.name).fields : undefined;
  }

  /** A field of an object slot. */
  field(slot: Slot, { name, type, rules, required, default: preset }: Field): Slot {
    const members = slot.type.kind === 'ref' ? undefined : slot.members;
    const at = members === undefined ? slot.at : [...members, name];
    return {
      type,
      rules,
      required,
      default: preset,
      text: slot.boxed ? slot.text : `${slot.text}.${name}`,
      at,
      members: members && [...at, 'fields'],
    };
  }

  /** The elements of a list, the values of a map, or one of them. */
  private member(slot: Slot, { type, rules }: Element, suffix: string, key: string): Slot {
    const at = slot.members === undefined ? slot.at : [...slot.at, key];
    const members = slot.members && [...at, 'fields'];
    return { type, rules, required: false, default: undefined, text: slot.text + suffix, at, members };
  }

  /** Every element of a list slot, or every value of a map slot. */
  inside(slot: Slot): Slot {
    const { type } = slot;
    if (type.kind === 'list') return this.member(slot, type.items, '[]', 'items');
    if (type.kind === 'map') return this.member(slot, type.values, '{}', 'values');
    throw new Error(`${slot.text} is neither a list nor a map`);
  }

  /** Takes the steps of a path. Returns a message where one cannot be taken, or `check` refuses it. */
  follow(
    slot: Slot,
    steps: Step[],
    check: (at: Slot, step: Step) => Mistake | undefined = () => undefined,
  ): Slot | Mistake {
    let at = slot;
    for (const step of steps) {
      const next = this.step(at, step);
      if ('message' in next) return next;
      const refused = check(at, step);
      if (refused !== undefined) return refused;
      at = next;
    }
    return at;
  }

  /** Takes one step of a path. Returns a message where it cannot be taken. */
  step(slot: Slot, step: Step): Slot | Mistake {
    const { type, text } = slot;
    if (step.kind === 'field') return this.named(slot, step.name);
    if (type.kind === 'list' && step.kind === 'each') return this.inside(slot);
    if (type.kind === 'map' && step.kind === 'values') return this.inside(slot);
    if (type.kind === 'map' && step.kind === 'entry')
      return this.member(slot, type.values, `{${step.key}}`, 'values');
    if (type.kind === 'list' && step.kind === 'element') {
      if (type.key !== step.key) return this.otherKey(type, text, step.key);
      return this.member(slot, type.items, `[${step.key}=${step.value}]`, 'items');
    }
    const wanted = step.kind === 'each' || step.kind === 'element' ? 'a list' : 'a map';
    const message = `${text} is of type ${type.kind === 'ref' ? 'object' : type.kind}, not ${wanted}`;
    return { message, hint: isEvery(step) ? EVERY[type.kind] : undefined };
  }

  private named(slot: Slot, name: string): Slot | Mistake {
    const { type, text } = slot;
    const fields = this.fields(type);
    if (fields === undefined) {
      const message = `${text} is of type ${type.kind}: it has no field ${quoted(name)}`;
      return { message, hint: STEPS[type.kind] };
    }
    const field = fields.find((one) => one.name === name);
    if (field !== undefined) return this.field(slot, field);
    const names = fields.map((one) => one.name);
    return {
      message: `${text} has no field ${quoted(name)}`,
      hint: didYouMean(name, names, fieldList(names)),
    };
  }

  private otherKey({ key, items }: FieldType & { kind: 'list' }, text: string, wanted: string): Mistake {
    if (key !== undefined)
      return { message: `the key of ${text} is ${quoted(key)}`, hint: `write [${key}=…]` };
    const message = `the list ${text} has no key`;
    if (this.fields(items.type) !== undefined) return { message, hint: `give the list \`key: ${wanted}\`` };
    const hint = `its elements are of type ${typeName(items.type)}: one by one, only objects with a key can be named`;
    return { message, hint };
  }

  /** The value of an element's key as its field's type has it: `[port=80]` is a number where port is an integer. */
  keyValue(list: Slot, value: string): string | number {
    const { key, items } = list.type.kind === 'list' ? list.type : {};
    const kind = items && this.fields(items.type)?.find(({ name }) => name === key)?.type.kind;
    return kind === 'integer' || kind === 'number' ? Number(value) : value;
  }
}

/** The hints for a field of a list or map. */
const STEPS: { [kind: string]: string | undefined } = {
  list: 'every element is `[]`',
  map: 'every value is `{}`, one entry `{key}`',
};

/** The hints for the elements of a map, and for the values of a list. */
const EVERY: { [kind: string]: string | undefined } = {
  list: 'every element of a list is `[]`',
  map: 'every value of a map is `{}`',
};

/** Maximum number of fields that a hint lists. */
const MAX_NAMES = 12;

function fieldList(names: string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `its fields are ${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ', …' : ''}`;
}

/** Returns the types of two places as messages name them. */
export function typesOf(hub: Slot, spoke: Slot): string {
  return `${hub.text} is of type ${typeName(hub.type)}, ${spoke.text} of type ${typeName(spoke.type)}`;
}

/** A type as a message names it: `integer`, `list of string`, `map of object`. */
export function typeName(type: FieldType): string {
  if (type.kind === 'list') return `list of ${typeName(type.items.type)}`;
  if (type.kind === 'map') return `map of ${typeName(type.values.type)}`;
  return type.kind === 'ref' ? type.name : type.kind;
}
