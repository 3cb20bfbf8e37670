/** A value that JSON can express. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** The keywords that bound the length of a string or a list, the number of members of a map, or a number. */
export interface Bounds {
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

/**
 * The part of JSON Schema 2020-12 that describes fields. An empty schema is the type `any`.
 * `$ref` is always `#/$defs/<type name>`.
 */
export interface Schema extends Bounds {
  $ref?: string;
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';
  description?: string;
  default?: Json;
  properties?: { [name: string]: Schema };
  required?: string[];
  /** false for an object with declared fields, a schema for a map. */
  additionalProperties?: false | Schema;
  items?: Schema;
  /** The field that identifies an object element of a list. */
  'x-list-key'?: string;
  /** `date-time` is the type timestamp; the others are rules. */
  format?: 'date-time' | 'email' | 'url' | 'ip';
  enum?: (string | number)[];
  pattern?: string;
}

/** Returns whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
