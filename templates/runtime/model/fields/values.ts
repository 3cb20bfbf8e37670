import { isObject, type Json, type JsonObject } from '../schema';

/** A value that may be absent. */
export type Maybe = Json | undefined;

const none: Json[] = [];

/** Returns the value as a list to read from; an empty one when it is none. Never write to the result. */
export function list(value: Maybe): Json[] {
  return Array.isArray(value) ? value : none;
}

/** Returns an own member of an object, for keys that are data and for names that objects inherit. */
export function own(value: Maybe, key: string): Maybe {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns the member or the element that a step of a JSON Pointer leads to. */
export function stepInto(value: Maybe, step: string): Maybe {
  return Array.isArray(value) ? value[Number(step)] : own(value, step);
}

/** Returns whether a value is an object without members, or a list without elements. */
export function isVacant(value: Maybe): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
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

/**
 * Returns a string as it is, and another value as its JSON. `String` throws for an object of a client whose own member
 * `toString` is no function.
 */
export function plainText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
