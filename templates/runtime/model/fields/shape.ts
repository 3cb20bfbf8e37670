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
