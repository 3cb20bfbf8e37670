import { Code, literal, type Printable } from '../../code/literal';
import { resolved, type Schema, type Schemas } from '../../model/json-schema';
import type { Json } from '../../model/project';
import { matchesPattern } from '../../pattern/pattern';

/** A value that breaks one rule of a field; undefined stands for an absent field. */
interface BrokenValue {
  /** JSON Pointer below the spec or status. */
  pointer: string;
  value: Printable;
  /** The rule as in responses: `min=0`, `type`, `unknown`. */
  rule: string;
}

type Break = [rule: string, value: Printable];

/** Longer texts are not worth a request. */
const MAX_LENGTH = 10_000;
/** Up to this many elements and members are written out. */
const FEW = 3;
/** Up to this many characters an element is repeated in code. */
const SHORT = 50;

/**
 * For every rule of an object's fields, at any depth that the example reaches, a value that breaks it.
 * A rule for which none is found is left out.
 */
export function brokenValues(schema: Schema, types: Schemas, example: Json, pointer = ''): BrokenValue[] {
  if (Array.isArray(example)) {
    return example.length === 0 ? [] : brokenField(schema.items ?? {}, types, example[0], `${pointer}/0`);
  }
  if (typeof example !== 'object' || example === null || schema.type !== 'object') return [];
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) {
    const [first] = Object.entries(example);
    return first ? brokenField(additionalProperties || {}, types, first[1], `${pointer}/${first[0]}`) : [];
  }
  const broken = Object.entries(properties).flatMap(([name, field]) => [
    // A default fills in what is absent.
    ...(required.includes(name) && field.default === undefined
      ? [{ pointer: `${pointer}/${name}`, value: undefined, rule: 'required' }]
      : []),
    ...(Object.hasOwn(example, name) ? brokenField(field, types, example[name], `${pointer}/${name}`) : []),
  ]);
  const unknown = ['unknown', 'unknownField'].find((name) => !Object.hasOwn(properties, name));
  return unknown ? [...broken, { pointer: `${pointer}/${unknown}`, value: true, rule: 'unknown' }] : broken;
}

/** Returns broken values of a field, of its own fields, and of its first element or member. */
function brokenField(schema: Schema, types: Schemas, example: Json, pointer: string): BrokenValue[] {
  const target = resolved(schema, types);
  const own = [...breaks(target, example)].map(([rule, value]) => ({ pointer, value, rule }));
  return [...own, ...brokenValues(target, types, example, pointer)];
}

function* breaks(schema: Schema, example: Json): Generator<Break> {
  const { type, format, enum: values } = schema;
  if (type !== undefined) yield ['type', type === 'string' ? 7 : type === 'integer' ? 1.5 : 'text'];
  yield* brokenNumbers(schema);
  if (type === 'string') yield* brokenTexts(schema);
  if (Array.isArray(example)) yield* brokenLists(schema, example);
  else if (typeof example === 'object' && example !== null) yield* brokenMaps(schema, example);
  if (format !== undefined) yield [format === 'date-time' ? 'type' : format, 'nonsense'];
  if (values !== undefined) yield [`oneof=${values.join(' ')}`, unlisted(values)];
}

function* brokenNumbers({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): Generator<Break> {
  if (isNear(minimum)) yield [`min=${minimum}`, Math.ceil(minimum) - 1];
  if (isNear(maximum)) yield [`max=${maximum}`, Math.floor(maximum) + 1];
  if (isNear(exclusiveMinimum)) yield [`gt=${exclusiveMinimum}`, Math.floor(exclusiveMinimum)];
  if (isNear(exclusiveMaximum)) yield [`lt=${exclusiveMaximum}`, Math.ceil(exclusiveMaximum)];
}

/** Returns true where a difference of one is stored exactly. */
function isNear(bound: number | undefined): bound is number {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

function* brokenTexts({ minLength = 0, maxLength = Infinity, pattern }: Schema): Generator<Break> {
  if (minLength > 0 && minLength <= MAX_LENGTH) yield [`min=${minLength}`, text(minLength - 1)];
  if (maxLength < MAX_LENGTH) yield [`max=${maxLength}`, text(maxLength + 1)];
  if (pattern === undefined) return;
  const refused = ['', '!', 'x', '7', ' ', '\n'].find((candidate) => !matchesPattern(pattern, candidate));
  if (refused !== undefined) yield [`pattern=${pattern}`, refused];
}

function text(length: number): Printable {
  return length <= 10 ? 'x'.repeat(length) : new Code(`'x'.repeat(${length})`);
}

function* brokenLists(schema: Schema, example: Json[]): Generator<Break> {
  const { minItems = 0, maxItems = Infinity, 'x-list-key': key } = schema;
  const first = example[0];
  if (minItems > 0) yield [`min=${minItems}`, example.slice(0, minItems - 1)];
  if (first === undefined) return;
  if (maxItems < FEW) yield [`max=${maxItems}`, Array<Json>(maxItems + 1).fill(first)];
  else if (maxItems < MAX_LENGTH && literal(first).length < SHORT) {
    yield [`max=${maxItems}`, new Code(`Array(${maxItems + 1}).fill(${literal(first)})`)];
  }
  const identified =
    typeof first === 'object' && first !== null && key !== undefined && Object.hasOwn(first, key);
  if (identified && maxItems > 1) yield ['key', [first, first]];
}

function* brokenMaps(schema: Schema, example: { [key: string]: Json }): Generator<Break> {
  const { minProperties = 0, maxProperties = Infinity } = schema;
  const entries = Object.entries(example);
  if (minProperties > 0)
    yield [`min=${minProperties}`, Object.fromEntries(entries.slice(0, minProperties - 1))];
  if (maxProperties >= FEW || entries.length === 0) return;
  const keys = ['a', 'b', 'c', 'd'].slice(0, maxProperties + 1);
  yield [`max=${maxProperties}`, Object.fromEntries(keys.map((key) => [key, entries[0][1]]))];
}

function unlisted(values: (string | number)[]): string | number {
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length > 0 ? Math.max(...numbers) + 1 : `${values.join('')}x`.slice(-50);
}
