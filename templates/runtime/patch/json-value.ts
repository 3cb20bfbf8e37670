import { set } from '../model/fields/values';
import { HttpProblem } from '../model/problem';
import { isObject, type Json, type JsonObject } from '../model/schema';
import { type PatchLimits, tooDeep } from './limits';

/**
 * The rest of a patch's allowance for copies. `copyJson` subtracts from it as it goes, for each value at least the 8
 * bytes that it takes in memory: a million empty lists are small as JSON.
 */
export interface CopyBudget {
  bytes: number;
  limits: PatchLimits;
}

/**
 * Returns a deep copy. With a budget it throws HttpProblem 413 as soon as the budget is spent, before the rest is
 * copied, and 400 where the value has more than `levels` levels.
 */
export function copyJson(value: Json, budget?: CopyBudget, levels = Infinity): Json {
  if (budget) spend(budget, typeof value === 'string' ? value.length + 8 : 8);
  if (typeof value !== 'object' || value === null) return value;
  if (budget && levels <= 0) throw tooDeep(budget.limits.depth);
  if (Array.isArray(value)) return value.map((item) => copyJson(item, budget, levels - 1));
  const object: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (budget) spend(budget, key.length + 3);
    // A version that shows a list as a map may show `__proto__`, the key of an element.
    set(object, key, copyJson(value[key], budget, levels - 1));
  }
  return object;
}

/** Returns whether a part of a path has the form of a list index: `0`, or a number without leading zeros (RFC 6901 §4). */
export function isIndex(part: string): boolean {
  return /^(?:0|[1-9]\d{0,14})$/.test(part);
}

/** Returns the key if it can be assigned to as data. Throws HttpProblem 400 for `__proto__`. */
export function ownKey(key: string): string {
  if (key === '__proto__') throw new HttpProblem(400, '"__proto__" is not accepted as a key.');
  return key;
}

/** Throws HttpProblem 400 for a value with `__proto__` as a key anywhere. */
export function checkKeys(value: Json): void {
  if (Array.isArray(value)) value.forEach(checkKeys);
  else if (isObject(value)) for (const key of Object.keys(value)) checkKeys(value[ownKey(key)]);
}

/** Returns a client's string for an error message: quoted, and cut where it is long. */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

function spend(budget: CopyBudget, bytes: number): void {
  budget.bytes -= bytes;
  if (budget.bytes < 0)
    throw new HttpProblem(413, `The patch copies more than ${budget.limits.bytes} bytes.`);
}
