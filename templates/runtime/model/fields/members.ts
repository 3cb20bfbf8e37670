import { isObject, type Json, type JsonObject } from '../schema';
import { resolved, type Shape } from './shape';
import { list, type Maybe, own, same } from './values';

const nothing: JsonObject = Object.freeze({});

/** Returns the value as an object to read from; an empty one when it is none. Never write to the result. */
export function object(value: Maybe): JsonObject {
  return isObject(value) ? value : nothing;
}

/** Returns the stored value when the sent one equals the view, so that it stays unchanged; otherwise the sent one. */
export function keep(sent: Maybe, stored: Maybe, read: Maybe = stored): Maybe {
  return same(sent, read) ? stored : sent;
}

/** Returns whether an object has no members. */
export function isEmpty(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}

/** Returns the object, or undefined when it has no members. */
export function unlessEmpty(value: JsonObject): JsonObject | undefined {
  return isEmpty(value) ? undefined : value;
}

/** Returns the position of the element of a list whose key field has a value, or -1. */
export function position(elements: Maybe, key: string, value: Json): number {
  return list(elements).findIndex((element) => own(element, key) === value);
}

/** Returns the element of a list whose key field has a value. */
export function find(elements: Maybe, key: string, value: Json): Maybe {
  return list(elements).find((element) => own(element, key) === value);
}

/** Returns a copy of a value of a table, to be stored or shown: nobody else holds it. */
export function fresh<T extends Json>(value: T): T {
  return typeof value === 'object' ? structuredClone(value) : value;
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
