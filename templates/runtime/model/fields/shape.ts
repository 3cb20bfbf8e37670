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

/** Returns the shape of a member of an object or a map, or of an element of a list. */
export function shapeBelow(shape: Shape, step: string): Shape {
  const { properties, items, additionalProperties } = resolved(shape);
  const declared = properties && Object.hasOwn(properties, step) ? properties[step] : items;
  return { ...shape, schema: declared ?? (additionalProperties || {}) };
}
