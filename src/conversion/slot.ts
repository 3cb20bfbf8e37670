import type { Element, Field, FieldType, Json, Rules, SharedType } from '../model';
import { quoted } from '../quoted';
import { closest } from '../suggest';
import type { Step } from './path';

/** A place of a version where a value may be. */
export interface Slot {
  type: FieldType;
  rules: Rules;
  required: boolean;
  default: Json | undefined;
  /** As a rule names it: `spec.ports[].number`. */
  text: string;
  /** Below the kind's version in project.yaml; inside a shared type, the field that refers to it. */
  at: (string | number)[];
  /** Where the fields of an object are declared; undefined inside a shared type. */
  members: (string | number)[] | undefined;
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
  root(name: string, fields: Field[], at: (string | number)[]): Slot {
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

  /** Every element of a list slot. */
  each(slot: Slot): Slot {
    if (slot.type.kind !== 'list') throw new Error(`${slot.text} is no list`);
    return this.member(slot, slot.type.items, '[]', 'items');
  }

  /** Every value of a map slot. */
  values(slot: Slot): Slot {
    if (slot.type.kind !== 'map') throw new Error(`${slot.text} is no map`);
    return this.member(slot, slot.type.values, '{}', 'values');
  }

  /** One step of a path; a text says why it cannot be taken. */
  step(slot: Slot, step: Step): Slot | { message: string; hint?: string } {
    const { type } = slot;
    const name = type.kind === 'ref' ? 'object' : type.kind;
    switch (step.kind) {
      case 'field': {
        const fields = this.fields(type);
        if (fields === undefined) {
          const hint =
            type.kind === 'list'
              ? 'every element is `[]`'
              : type.kind === 'map'
                ? 'every value is `{}`, one entry `{key}`'
                : undefined;
          return { message: `${slot.text} is of type ${name}: it has no field ${quoted(step.name)}`, hint };
        }
        const field = fields.find((one) => one.name === step.name);
        if (field !== undefined) return this.field(slot, field);
        const meant = closest(
          step.name,
          fields.map((one) => one.name),
        );
        const hint = meant ? `did you mean ${quoted(meant)}?` : fieldList(fields);
        return { message: `${slot.text} has no field ${quoted(step.name)}`, hint };
      }
      case 'each':
        return type.kind === 'list'
          ? this.each(slot)
          : {
              message: `${slot.text} is of type ${name}, not a list`,
              hint: type.kind === 'map' ? 'every value of a map is `{}`' : undefined,
            };
      case 'values':
        return type.kind === 'map'
          ? this.values(slot)
          : {
              message: `${slot.text} is of type ${name}, not a map`,
              hint: type.kind === 'list' ? 'every element of a list is `[]`' : undefined,
            };
      case 'entry':
        return type.kind === 'map'
          ? this.member(slot, type.values, `{${step.key}}`, 'values')
          : { message: `${slot.text} is of type ${name}, not a map`, hint: undefined };
      case 'element': {
        if (type.kind !== 'list') return { message: `${slot.text} is of type ${name}, not a list` };
        if (type.key !== step.key) {
          const hint =
            type.key === undefined ? `give the list \`key: ${step.key}\`` : `write [${type.key}=…]`;
          const message =
            type.key === undefined
              ? `the list ${slot.text} has no key`
              : `the key of ${slot.text} is ${quoted(type.key)}`;
          return { message, hint };
        }
        return this.member(slot, type.items, `[${step.key}=${step.value}]`, 'items');
      }
    }
  }

  /** The value of an element's key as its field's type has it: `[port=80]` is a number where port is an integer. */
  keyValue(list: Slot, value: string): string | number {
    const fields = list.type.kind === 'list' ? this.fields(list.type.items.type) : undefined;
    const key = list.type.kind === 'list' ? list.type.key : undefined;
    const kind = fields?.find(({ name }) => name === key)?.type.kind;
    return kind === 'integer' || kind === 'number' ? Number(value) : value;
  }
}

function fieldList(fields: Field[]): string | undefined {
  if (fields.length === 0 || fields.length > 12) return undefined;
  return `its fields are ${fields.map(({ name }) => name).join(', ')}`;
}

/** A type as a message names it: `integer`, `list of string`, `map of object`. */
export function typeName(type: FieldType): string {
  if (type.kind === 'list') return `list of ${typeName(type.items.type)}`;
  if (type.kind === 'map') return `map of ${typeName(type.values.type)}`;
  return type.kind === 'ref' ? type.name : type.kind;
}
