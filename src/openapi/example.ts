import { formats } from '../../templates/runtime/model/rules/formats';
import { resolved, type Schema, type Schemas } from '../model/json-schema';
import type { Json, JsonObject } from '../model/project';
import { patternExamples } from '../pattern/example';
import { matchesPattern } from '../pattern/pattern';

/** Where an example is made: the shared types, and how deep it nests already. */
interface Place {
  types: Schemas;
  depth: number;
}

/** Deeper than this only what is required is filled in; twice as deep a shared type, which may hold itself, has no example. */
const SHALLOW = 3;
const TEXTS = 'example Example EXAMPLE a A aa abc abc-1 1 12 123 1.0 1.0.0 v1 10:00 #aabbcc'.split(' ');
/** By format, the likeliest first; `{}` is filled up to the length that a field asks for. */
const FORMATS: { [format in NonNullable<Schema['format']>]: string[] } = {
  'date-time': ['2026-01-02T03:04:05.000Z'],
  email: ['someone@example.com', 'a@b.co', 'someone{}@example.com'],
  url: ['https://example.com/', 'http://a/', 'https://example.com/{}'],
  ip: ['192.0.2.1', '::1', '2001:db8::1', '2001:0db8:0000:0000:0000:0000:0000:0001'],
};

/**
 * Returns a value that keeps the rules of a field of that name; the same one every time. Undefined where none is found: a
 * pattern that the stock of texts does not meet, bounds that leave no room, endless nesting.
 */
export function exampleOf(schema: Schema, types: Schemas, name = ''): Json | undefined {
  return example(schema, name, { types, depth: 0 });
}

function example(schema: Schema, name: string, { types, depth }: Place): Json | undefined {
  if (schema.$ref !== undefined) {
    if (depth > 2 * SHALLOW) return undefined;
    return example(resolved(schema, types), name, { types, depth });
  }
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const inner = { types, depth: depth + 1 };
  switch (schema.type) {
    case 'string':
      return text(schema, name);
    case 'integer':
    case 'number':
      return number(schema);
    case 'boolean':
      return true;
    case 'array':
      return list(schema, name, inner);
    case 'object':
      return typeof schema.additionalProperties === 'object' ? map(schema, inner) : object(schema, inner);
    default:
      return name;
  }
}

function text(
  { format, pattern, minLength = 0, maxLength = Infinity }: Schema,
  name: string,
): string | undefined {
  const filled = (template: string): string =>
    template.replace('{}', 'x'.repeat(Math.max(0, Math.min(minLength, 10_000) - template.length + 2)));
  const candidates = format === undefined ? [name, ...TEXTS] : FORMATS[format].map(filled);
  if (format === undefined) {
    const length = Math.min(Math.max(minLength, Math.min(name.length, maxLength)), 10_000);
    candidates.push(name.padEnd(length, 'x').slice(0, length), '1'.repeat(length), 'A'.repeat(length));
  }
  if (pattern !== undefined) candidates.push(...patternExamples(pattern));
  return candidates.find((text) => {
    const length = [...text].length;
    const hasFormat = format === undefined || formats[format](text);
    return (
      hasFormat &&
      length >= minLength &&
      length <= maxLength &&
      (pattern === undefined || matchesPattern(pattern, text))
    );
  });
}

function number({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): number | undefined {
  const low = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const high = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const between = low + (high - low) / 2;
  return [1, Math.ceil(low), Math.floor(low) + 1, Math.floor(high), Math.ceil(high) - 1, between].find(
    (value) =>
      Number.isFinite(value) &&
      (type === 'number' || Number.isInteger(value)) &&
      value >= (minimum ?? value) &&
      value <= (maximum ?? value) &&
      !(value <= (exclusiveMinimum ?? -Infinity)) &&
      !(value >= (exclusiveMaximum ?? Infinity)),
  );
}

function list(schema: Schema, name: string, inner: Place): Json | undefined {
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  if (maxItems === 0 || (minItems === 0 && inner.depth > SHALLOW)) return [];
  const item = example(items, name.replace(/s$/, '') || name, inner);
  if (item === undefined) return minItems === 0 ? [] : undefined;
  if (minItems > 100) return undefined;
  const all = Array.from({ length: Math.max(minItems, 1) }, () => item);
  const key = schema['x-list-key'];
  return minItems > 1 && key !== undefined ? withKeys(all as JsonObject[], items, key, inner) : all;
}

/** Elements that differ in the field that identifies them; undefined where not enough values of it are found. */
function withKeys(elements: JsonObject[], items: Schema, key: string, place: Place): Json | undefined {
  const { properties = {} } = resolved(items, place.types);
  const { default: _, enum: choices, ...schema } = properties[key];
  const values: (Json | undefined)[] = [];
  for (let index = 0; index < elements.length; index++) {
    const last = values.at(-1);
    const above = typeof last === 'number' ? { exclusiveMinimum: last } : {};
    values.push(
      choices === undefined ? example({ ...schema, ...above }, `${key}${index + 1}`, place) : choices[index],
    );
  }
  if (values.includes(undefined) || new Set(values).size < values.length) return undefined;
  return elements.map((element, index) => ({ ...element, [key]: values[index]! }));
}

function map(schema: Schema, inner: Place): Json | undefined {
  const { additionalProperties, minProperties = 0, maxProperties = Infinity } = schema;
  if (maxProperties === 0 || (minProperties === 0 && inner.depth > SHALLOW)) return {};
  const value = example(additionalProperties as Schema, 'value', inner);
  if (value === undefined) return minProperties === 0 ? {} : undefined;
  if (minProperties > 100) return undefined;
  const keys = Array.from({ length: Math.max(minProperties, 1) }, (_, index) =>
    index === 0 ? 'key' : `key${index + 1}`,
  );
  return Object.fromEntries(keys.map((key) => [key, value]));
}

function object({ properties = {}, required = [] }: Schema, inner: Place): Json | undefined {
  const members: { [name: string]: Json } = {};
  for (const [name, property] of Object.entries(properties)) {
    const isRequired = required.includes(name);
    if (!isRequired && inner.depth > SHALLOW) continue;
    const value = example(property, name, inner);
    if (value !== undefined) members[name] = value;
    else if (isRequired) return undefined;
  }
  return members;
}
