import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../templates/runtime/model/schema';
import { brokenRule, mismatch } from '../../load/fields/check-value';
import type { Field, FieldType, Json, Shape } from '../../model/project';
import type { Types } from './slot';

/** Returns true where a value of a rule has the type of a field and keeps its `oneof`, at every depth. */
export function fits(value: Json, { type, rules }: Shape, types: Types): boolean {
  if (rules.oneof !== undefined && !rules.oneof.includes(value as string)) return false;
  if (mismatch(type, value) !== undefined || !hasFields(value, types.fields(type))) return false;
  return valuesInside(value, type, types).every(([one, shape]) => fits(one, shape, types));
}

/** Returns true for a value with all the required fields of its type, and no unknown ones. */
function hasFields(value: Json, fields: Field[] | undefined): boolean {
  if (fields === undefined || !isObject(value)) return true;
  const isMissing = ({ name, required }: Field): boolean => required && !Object.hasOwn(value, name);
  const names = new Set(fields.map(({ name }) => name));
  return !fields.some(isMissing) && Object.keys(value).every((name) => names.has(name));
}

/** The first rule, at any depth, that a value of the right type breaks; undefined when it keeps all of them. */
export function broken(value: Json, { type, rules }: Shape, types: Types): string | undefined {
  const own = type.kind === 'any' ? undefined : brokenRule(value, rules);
  if (own !== undefined) return own;
  if (type.kind === 'list' && type.key !== undefined && Array.isArray(value)) {
    const { key } = type;
    const keys = value.flatMap((one) => (isObject(one) ? (one[key] ?? []) : []));
    if (new Set(keys).size < keys.length) return 'key';
  }
  for (const [one, shape] of valuesInside(value, type, types)) {
    const inside = broken(one, shape, types);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** Returns the values in a value, each with the field or element that it is of. */
function valuesInside(value: Json, type: FieldType, types: Types): [value: Json, shape: Shape][] {
  if (type.kind === 'list') return Array.isArray(value) ? value.map((one) => [one, type.items]) : [];
  if (!isObject(value)) return [];
  if (type.kind === 'map') return Object.values(value).map((one) => [one, type.values]);
  const fields = (types.fields(type) ?? []).filter(({ name }) => Object.hasOwn(value, name));
  return fields.map((field) => [value[field.name], field]);
}

/** A default with the defaults of the fields inside it filled in, as a write would leave it. */
export function filled(value: Json, { type }: Pick<Shape, 'type'>, types: Types): Json {
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

/** The kinds that JSON has: a timestamp is a string. */
export function scalar(type: FieldType): string {
  return type.kind === 'timestamp' ? 'string' : type.kind;
}

/**
 * Determines whether a value of one type can be copied to the other: the same fields at every depth, with the same defaults.
 * Pairs of shared types that are `ruled` have rules of their own and are never copied whole.
 */
export function sameShape(
  one: FieldType,
  other: FieldType,
  types: Types,
  ruled: (one: string, other: string) => boolean,
): boolean {
  const met = new Set<string>();
  // The list grows while it is walked through: types may be nested as deep as they like.
  const waiting: [FieldType, FieldType][] = [[one, other]];
  for (const [a, b] of waiting) {
    if (a.kind === 'ref' && b.kind === 'ref') {
      const pair = `${a.name} ${b.name}`;
      if (ruled(a.name, b.name)) return false;
      if (met.has(pair)) continue;
      met.add(pair);
    }
    const inside = pairsInside(a, b, types);
    if (inside === undefined) return false;
    waiting.push(...inside);
  }
  return true;
}

/** Returns the types inside two types that have to be the same; undefined where the two differ themselves. */
function pairsInside(one: FieldType, other: FieldType, types: Types): [FieldType, FieldType][] | undefined {
  const [fields, others] = [types.fields(one), types.fields(other)];
  if (fields !== undefined && others !== undefined) {
    const twins = fields.map((field) => others.find(({ name }) => name === field.name));
    const isSame = twins.every((twin, i) => twin && isDeepStrictEqual(fields[i].default, twin.default));
    if (!isSame || fields.length !== others.length) return undefined;
    return fields.map(({ type }, i) => [type, twins[i]!.type]);
  }
  if (one.kind === 'list' && other.kind === 'list') return [[one.items.type, other.items.type]];
  if (one.kind === 'map' && other.kind === 'map') return [[one.values.type, other.values.type]];
  return fields === undefined && others === undefined && scalar(one) === scalar(other) ? [] : undefined;
}
