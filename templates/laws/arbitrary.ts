import * as fc from 'fast-check';
import type { Json, JsonObject, Schema } from '../runtime/model/schema';

type Types = { [name: string]: Schema };

/** Keys and strings that programs stumble over. */
const KEYS = ['a', 'b', 'cpu', 'app.kubernetes.io/name', 'constructor', 'toString', '1', '0', 'ä/~', ''];
const TEXTS = [
  '',
  ' ',
  'a',
  'A b  c',
  'true',
  '8080',
  '-0',
  '1h30m',
  '5400s',
  'ünï\u{1F600}',
  '__proto__',
  'a,b;c',
];

/** Generates values that follow the rules of a schema: a valid client's input, with everything optional absent at times. */
export function arbitrary(schema: Schema, types: Types): fc.Arbitrary<Json> {
  return valueOf(schema, types, 0);
}

function valueOf(schema: Schema, types: Types, depth: number): fc.Arbitrary<Json> {
  if (schema.$ref !== undefined)
    return valueOf(types[schema.$ref.slice('#/$defs/'.length)], types, depth + 1);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
      return integer(schema);
    case 'number':
      return number(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return elements(schema, types, depth);
    case 'object':
      return schema.properties ? fields(schema, types, depth) : entries(schema, types, depth);
    default:
      return fc.oneof(fc.constantFrom<Json>(0, '', 'x', true, [], {}), json(2));
  }
}

function fields({ properties = {}, required = [] }: Schema, types: Types, depth: number): fc.Arbitrary<Json> {
  const names = Object.keys(properties).filter((name) => depth < 4 || required.includes(name));
  const model: { [name: string]: fc.Arbitrary<Json> } = {};
  for (const name of names) {
    const value = valueOf(properties[name], types, depth + 1);
    model[name] =
      isAny(properties[name]) && required.includes(name) ? value.filter((one) => one !== null) : value;
  }
  const requiredKeys = names.filter((name) => required.includes(name));
  return fc.record(model, { requiredKeys, noNullPrototype: true });
}

function entries(
  { additionalProperties, minProperties = 0, maxProperties }: Schema,
  types: Types,
  depth: number,
): fc.Arbitrary<Json> {
  const values = valueOf(additionalProperties || {}, types, depth + 1);
  const most = Math.min(maxProperties ?? Infinity, Math.max(minProperties, depth < 4 ? 3 : 0));
  const known = fc.constantFrom(...KEYS);
  const keys = minProperties < KEYS.length / 2 ? known : fc.oneof(known, fc.uuid());
  return fc
    .uniqueArray(fc.tuple(keys, values), {
      minLength: minProperties,
      maxLength: most,
      selector: ([key]) => key,
    })
    .map((all) => Object.fromEntries(all));
}

function elements(schema: Schema, types: Types, depth: number): fc.Arbitrary<Json> {
  const { items = {}, minItems = 0, maxItems } = schema;
  const key = schema['x-list-key'];
  const most = Math.min(maxItems ?? Infinity, Math.max(minItems, depth < 4 ? 4 : 0));
  const bounds = { minLength: minItems, maxLength: most };
  const each = valueOf(items, types, depth + 1);
  if (key === undefined) return fc.array(each, bounds);
  return fc.uniqueArray(each, {
    ...bounds,
    selector: (one) => (one as JsonObject)[key],
    comparator: (a, b) => a !== undefined && a === b,
  });
}

function text({ minLength = 0, maxLength, format, pattern }: Schema): fc.Arbitrary<Json> {
  if (format === 'email') return fc.emailAddress();
  if (format === 'url') return fc.webUrl();
  if (format === 'ip') return fc.oneof(fc.ipV4(), fc.ipV6());
  if (format === 'date-time') {
    const [min, max] = [new Date('1970-01-01T00:00:00Z'), new Date('2999-12-31T00:00:00Z')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  const match = pattern === undefined ? undefined : matching(pattern);
  if (match !== undefined) return match;
  const most = maxLength ?? minLength + 12;
  const fits = TEXTS.filter((one) => [...one].length >= minLength && [...one].length <= most);
  const free = fc.string({ minLength, maxLength: most });
  return fits.length > 0 ? fc.oneof(fc.constantFrom(...fits), free) : free;
}

function integer(schema: Schema): fc.Arbitrary<Json> {
  const [min, max] = bounds(schema);
  return fc.oneof(fc.integer({ min, max }), fc.integer({ min, max: Math.min(max, min + 5) }));
}

/**
 * Generates strings that match; undefined where the pattern has something that fast-check cannot make, such as a
 * look-ahead. No law needs it.
 */
function matching(pattern: string): fc.Arbitrary<Json> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return undefined;
  }
}

/** Returns the least and the greatest integer that the rules allow; the least is the greater where they allow none. */
function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): [number, number] {
  const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number;
  return usual(
    Math.max(
      MIN_SAFE_INTEGER,
      Math.ceil(minimum ?? -Infinity),
      Math.floor(exclusiveMinimum ?? -Infinity) + 1,
    ),
    Math.min(MAX_SAFE_INTEGER, Math.floor(maximum ?? Infinity), Math.ceil(exclusiveMaximum ?? Infinity) - 1),
  );
}

/** Returns the part of a range to try: its numbers of usual size, or those nearest to them. */
function usual(least: number, most: number): [number, number] {
  const size = 1e9;
  const low = Math.max(least, Math.min(-size, most - Math.max(size, Math.abs(most))));
  const high = Math.min(most, Math.max(size, least + Math.max(size, Math.abs(least))));
  return [low, high];
}

function number(schema: Schema): fc.Arbitrary<Json> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const [min, max] = usual(
    Math.max(-Number.MAX_VALUE, minimum ?? -Infinity, exclusiveMinimum ?? -Infinity),
    Math.min(Number.MAX_VALUE, maximum ?? Infinity, exclusiveMaximum ?? Infinity),
  );
  const fractions = fc.double({
    min,
    max,
    minExcluded: min === exclusiveMinimum,
    maxExcluded: max === exclusiveMaximum,
    noNaN: true,
  });
  const [least, most] = bounds(schema);
  const numbers = least <= most ? fc.oneof(fractions, integer(schema)) : fractions;
  return numbers.map((one) => (one as number) + 0);
}

function json(depth: number): fc.Arbitrary<Json> {
  const leaf = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.constantFrom(...TEXTS));
  if (depth === 0) return leaf;
  const below = json(depth - 1);
  return fc.oneof(
    leaf,
    fc.array(below, { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...KEYS), below, { maxKeys: 2, noNullPrototype: true }),
  );
}

function isAny({ type, $ref, enum: values }: Schema): boolean {
  return type === undefined && $ref === undefined && values === undefined;
}
