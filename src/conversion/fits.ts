import type { Element, Field, Json } from '../model';
import type { Types } from './slot';

/** Whether a value that a rule names may stand in a field: its type and its `oneof`, at every depth. */
export function fits(value: Json, { type, rules }: Pick<Element, 'type' | 'rules'>, types: Types): boolean {
  if (rules.oneof !== undefined && !rules.oneof.includes(value as string)) return false;
  switch (type.kind) {
    case 'any':
      return true;
    case 'string':
    case 'timestamp':
      return typeof value === 'string';
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value) && value.every((one) => fits(one, type.items, types));
    case 'map':
      return isObject(value) && Object.values(value).every((one) => fits(one, type.values, types));
    case 'object':
    case 'ref':
      return isObject(value) && fitsFields(value, types.fields(type)!, types);
  }
}

function fitsFields(value: { [key: string]: Json }, fields: Field[], types: Types): boolean {
  const declared = new Map(fields.map((field) => [field.name, field]));
  return (
    fields.every(({ name, required }) => !required || Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, one]) => declared.has(name) && fits(one, declared.get(name)!, types))
  );
}

/** A default with the defaults of the fields inside it filled in, as a write would leave it. */
export function filled(value: Json, { type }: Pick<Element, 'type'>, types: Types): Json {
  if (type.kind === 'list' && Array.isArray(value)) return value.map((one) => filled(one, type.items, types));
  if (type.kind === 'map' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, filled(one, type.values, types)]),
    );
  }
  const fields = types.fields(type);
  if (fields === undefined || !isObject(value)) return value;
  const whole = { ...value };
  for (const field of fields) {
    if (!Object.hasOwn(whole, field.name) && field.default !== undefined) whole[field.name] = field.default;
    if (Object.hasOwn(whole, field.name)) whole[field.name] = filled(whole[field.name], field, types);
  }
  return whole;
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
