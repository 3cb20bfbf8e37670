import type { Schema } from '../schema';

/** The field rules of a value, and the shared types that they refer to. */
export interface Shape {
  schema: Schema;
  types: { [name: string]: Schema };
}

/** Returns the schema of a shape, a reference to a shared type followed. */
export function resolved({ schema, types }: Shape): Schema {
  const { $ref } = schema;
  return $ref === undefined ? schema : (types[$ref.slice('#/$defs/'.length)] ?? {});
}

/** Returns the shape of a member of an object or map; undefined for one that is not declared. */
export function memberOf(shape: Shape, name: string): Shape | undefined {
  const { properties, additionalProperties } = resolved(shape);
  if (properties === undefined) return { ...shape, schema: additionalProperties || {} };
  return Object.hasOwn(properties, name) ? { ...shape, schema: properties[name] } : undefined;
}

/** Returns the shape of the elements of a list. */
export function elementOf(shape: Shape): Shape {
  return { ...shape, schema: resolved(shape).items ?? {} };
}
