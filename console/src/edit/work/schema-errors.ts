import { memberOf } from '../../../../templates/runtime/model/fields/members';
import { resolved, type Shape } from '../../../../templates/runtime/model/fields/shape';
import { own } from '../../../../templates/runtime/model/fields/values';
import { below } from '../../../../templates/runtime/model/fragment';
import type { ValidatorError } from '../../../../templates/runtime/model/kinds/kind';
import {
  type Bounds,
  isObject,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../../templates/runtime/model/schema';

/** Errors beyond these are not reported. */
const MOST = 100;

/**
 * Returns the rules of a schema that a value breaks, as ajv names them. The policy of the page forbids the code that ajv
 * generates. Patterns and formats are left to the service: a pattern could stop the page.
 */
export function schemaErrors(shape: Shape, value: Json, path = ''): ValidatorError[] {
  const schema = resolved(shape);
  const wrongType = typeError(schema, value);
  if (wrongType) return [{ keyword: 'type', instancePath: path, params: { type: schema.type } }];
  const errors = limitErrors(schema, value).map(([keyword, params]) => ({
    keyword,
    instancePath: path,
    params,
  }));
  if (Array.isArray(value)) errors.push(...listErrors(shape, schema, value, path));
  else if (isObject(value)) errors.push(...objectErrors(shape, schema, value, path));
  return errors.slice(0, MOST);
}

function typeError({ type }: Schema, value: Json): boolean {
  if (type === undefined) return false;
  if (type === 'array') return !Array.isArray(value);
  if (type === 'object') return !isObject(value);
  if (type === 'integer') return !Number.isInteger(value);
  if (type === 'number') return !Number.isFinite(value);
  return typeof value !== type;
}

type Limit = [keyword: string, params: ValidatorError['params']];

function limitErrors(schema: Schema, value: Json): Limit[] {
  const found: Limit[] = [];
  if (schema.enum !== undefined && !schema.enum.includes(value as string | number))
    found.push(['enum', { allowedValues: schema.enum }]);
  const size = sizeOf(value);
  for (const keyword of Object.keys(IS_BROKEN) as (keyof Bounds)[]) {
    const limit = schema[keyword];
    if (limit !== undefined && IS_BROKEN[keyword](size, limit)) found.push([keyword, { limit }]);
  }
  return found;
}

const isBelow = (size: number, limit: number): boolean => size < limit;
const isAbove = (size: number, limit: number): boolean => size > limit;

/** Returns whether a value of a size breaks a bound. A schema has only those of its type. */
const IS_BROKEN: { [keyword in keyof Bounds]-?: (size: number, limit: number) => boolean } = {
  minimum: isBelow,
  maximum: isAbove,
  exclusiveMinimum: (size, limit) => size <= limit,
  exclusiveMaximum: (size, limit) => size >= limit,
  minLength: isBelow,
  maxLength: isAbove,
  minItems: isBelow,
  maxItems: isAbove,
  minProperties: isBelow,
  maxProperties: isAbove,
};

/** Returns what the bounds of a value's type limit. */
function sizeOf(value: Json): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return lengthOf(value);
  return Array.isArray(value) ? value.length : Object.keys(Object(value) as object).length;
}

/** JSON Schema counts code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function listErrors(shape: Shape, schema: Schema, value: Json[], path: string): ValidatorError[] {
  const element = { ...shape, schema: schema.items ?? {} };
  const errors = value.flatMap((each, index) => schemaErrors(element, each, below(path, index)));
  const key = schema['x-list-key'];
  if (key === undefined) return errors;
  const seen = new Set<Json>();
  value.forEach((each, index) => {
    const keyValue = own(each, key);
    if (keyValue === undefined) return;
    if (seen.has(keyValue))
      errors.push({ keyword: 'x-list-key', instancePath: path, params: { key, index } });
    seen.add(keyValue);
  });
  return errors;
}

function objectErrors(shape: Shape, schema: Schema, value: JsonObject, path: string): ValidatorError[] {
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name));
  const errors: ValidatorError[] = missing.map((missingProperty) => ({
    keyword: 'required',
    instancePath: path,
    params: { missingProperty },
  }));
  for (const [name, member] of Object.entries(value)) {
    if (errors.length >= MOST) return errors;
    const declared = memberOf(shape, name);
    if (declared !== undefined) errors.push(...schemaErrors(declared, member, below(path, name)));
    else if (schema.additionalProperties === false)
      errors.push({
        keyword: 'additionalProperties',
        instancePath: path,
        params: { additionalProperty: name },
      });
  }
  return errors;
}
