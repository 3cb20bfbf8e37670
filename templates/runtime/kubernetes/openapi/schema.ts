import type { Json, JsonObject, Schema } from '../../model/schema';

/** The start of references to shared types in field rules. */
const TYPE_REF = '#/$defs/';

/** The start of references to the schemas of a document. */
export const COMPONENTS = '#/components/schemas/';

/** The keywords, each with whether it means the same in both dialects. */
const IS_SAME: { [keyword in keyof Schema]-?: boolean } = {
  $ref: false,
  type: true,
  description: true,
  default: true,
  properties: false,
  required: true,
  additionalProperties: false,
  items: false,
  'x-list-key': false,
  minLength: true,
  maxLength: true,
  minItems: true,
  maxItems: true,
  minProperties: true,
  maxProperties: true,
  minimum: true,
  maximum: true,
  exclusiveMinimum: false,
  exclusiveMaximum: false,
  format: true,
  enum: true,
  pattern: true,
};
const SAME = (Object.keys(IS_SAME) as (keyof Schema)[]).filter((keyword) => IS_SAME[keyword]);

/**
 * Returns field rules as a schema of OpenAPI 3.0: kubectl refuses a whole document with a single number of 3.1 in
 * `exclusiveMinimum`. `nameOf` names the schema of a shared type.
 */
export function openApiSchema(schema: Schema, nameOf: (type: string) => string): JsonObject {
  const { $ref, properties, additionalProperties, items, description } = schema;
  const convert = (each: Schema): JsonObject => openApiSchema(each, nameOf);
  if ($ref !== undefined) {
    const target = { $ref: `${COMPONENTS}${nameOf($ref.slice(TYPE_REF.length))}` };
    return { allOf: [target], ...(description !== undefined && { description }) };
  }
  const isAny = schema.type === undefined && schema.enum === undefined;
  return {
    ...Object.fromEntries(
      SAME.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name] as Json]])),
    ),
    ...exclusive(schema),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, convert(each)])),
    }),
    ...(additionalProperties && { additionalProperties: convert(additionalProperties) }),
    ...(items && { items: convert(items) }),
    ...(schema.type === 'array' && listType(schema)),
    ...(isAny && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}

/** Returns whether a list is one field of a manager in server-side apply, or has owners for each element. */
function listType({ 'x-list-key': key }: Schema): JsonObject {
  if (key === undefined) return { 'x-kubernetes-list-type': 'atomic' };
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [key] };
}

/** Returns the bounds that exclude their number: in 3.0, `exclusiveMinimum` is a flag of `minimum`. */
function exclusive({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): JsonObject {
  const bounds: [string, Json][] = [];
  if (exclusiveMinimum !== undefined && exclusiveMinimum >= (minimum ?? -Infinity))
    bounds.push(['minimum', exclusiveMinimum], ['exclusiveMinimum', true]);
  if (exclusiveMaximum !== undefined && exclusiveMaximum <= (maximum ?? Infinity))
    bounds.push(['maximum', exclusiveMaximum], ['exclusiveMaximum', true]);
  return Object.fromEntries(bounds);
}
