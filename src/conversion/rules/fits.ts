import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../templates/runtime/model/schema';
import { brokenRule, mismatch } from '../../load/fields/check-value';
import type { Field, FieldType, Json, Shape } from '../../model/project';
import type { Types } from './slot';

/** Returns true where a value of a rule has the type of a field and keeps its `oneof`, at every depth. */
export function fits(value: Json, { type, rules }: Shape, types: Types): boolean {
  if (rules.oneof !== undefined && !rules.oneof.includes(value as string)) return false;
  if (mismatch(type, value) !== undefined) return false;
  if (Array.isArray(value)) return type.kind !== 'list' || value.every((one) => fits(one, type.items, types));
  if (!isObject(value)) return true;
  if (type.kind === 'map') return Object.values(value).every((one) => fits(one, type.values, types));
  const fields = types.fields(type);
  return fields === undefined || fitsFields(value, fields, types);
}

/** The first rule, at any depth, that a value of the right type breaks; undefined when it keeps all of them. */
export function broken(value: Json, { type, rules }: Shape, types: Types): string | undefined {
  const own = type.kind === 'any' ? undefined : brokenRule(value, rules);
  if (own !== undefined) return own;
  if (Array.isArray(value) && type.kind === 'list') {
    const { key } = type;
    const keys = value.flatMap((one) => (key !== undefined && isObject(one) ? (one[key] ?? []) : []));
    if (new Set(keys).size < keys.length) return 'key';
    return first(value, (one) => broken(one, type.items, types));
  }
  if (!isObject(value)) return undefined;
  if (type.kind === 'map') return first(Object.values(value), (one) => broken(one, type.values, types));
  return first(types.fields(type) ?? [], (field) =>
    Object.hasOwn(value, field.name) ? broken(value[field.name], field, types) : undefined,
  );
}

/** The first result that is not undefined. */
function first<T>(list: T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fitsFields(value: { [key: string]: Json }, fields: Field[], types: Types): boolean {
  const declared = new Map(fields.map((field) => [field.name, field]));
  return (
    fields.every(({ name, required }) => !required || Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, one]) => declared.has(name) && fits(one, declared.get(name)!, types))
  );
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
