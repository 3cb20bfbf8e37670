import { isObject, type Json, type JsonObject } from '../schema';

/** A value that may be absent. */
export type Maybe = Json | undefined;

const nothing: JsonObject = Object.freeze({});
const none: Json[] = [];

/** Returns the value as an object to read from; an empty one when it is none. Never write to the result. */
export function object(value: Maybe): JsonObject {
  return isObject(value) ? value : nothing;
}

/** Returns the value as a list to read from; an empty one when it is none. Never write to the result. */
export function list(value: Maybe): Json[] {
  return Array.isArray(value) ? value : none;
}

/** Returns an own member of an object, for keys that are data and for names that objects inherit. */
export function own(value: Maybe, key: string): Maybe {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Sets a member, or removes it when the value is undefined. The prototype is never touched. */
export function set(target: JsonObject, key: string, value: Maybe): void {
  if (value === undefined) {
    if (Object.hasOwn(target, key)) delete target[key];
  } else if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** Returns whether two JSON values are equal; the order of members does not count, the order of elements does. */
export function same(one: Maybe, other: Maybe): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    for (let i = 0; i < one.length; i++) if (!same(one[i], other[i])) return false;
    return true;
  }
  if (Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  for (const key of keys) if (!Object.hasOwn(other, key) || !same(one[key], other[key])) return false;
  return true;
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

/** Appends a step to a JSON Pointer (RFC 6901). */
export function below(pointer: string, step: string | number): string {
  if (typeof step === 'number') return `${pointer}/${step}`;
  return `${pointer}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Returns a copy of a value of a table, to be stored or shown: nobody else holds it. */
export function fresh<T extends Json>(value: T): T {
  return typeof value === 'object' ? structuredClone(value) : value;
}
