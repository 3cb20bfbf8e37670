import { elementOf, memberOf, unlessEmpty } from '../model/fields/members';
import { partners } from '../model/fields/partners';
import { resolved, type Shape } from '../model/fields/shape';
import { type Maybe, own, same, set } from '../model/fields/values';
import type { Part } from '../model/kinds/versioning';
import { isObject, type Json, type JsonObject } from '../model/schema';
import { type Body, PARTS } from '../model/versions/versioning-of';

/** A part of a resource as a version reads it, where its converter alone would read something else. */
interface ExactPart {
  /** The names of the fields, in order. */
  names: string[];
  /** The fields that the converter reads differently. */
  fields: JsonObject;
  /** The same fields, and those that are not shown, as the converter reads them. */
  converted: JsonObject;
}

/** The exact fields that a version reads of a resource stored under an earlier hub. */
export type Exact = { [part in Part]?: ExactPart };

const UNDECLARED: Shape = { schema: {}, types: {} };

/** Returns the data to preserve so that `exactly` makes `view` of `converted`; undefined where they are the same text. */
export function exactOf(view: Partial<Body>, converted: Body): Exact | undefined {
  const exact: Exact = {};
  for (const part of PARTS) {
    const [wanted, given] = [view[part], converted[part]];
    if (wanted === undefined || JSON.stringify(wanted) === JSON.stringify(given)) continue;
    const found: ExactPart = { names: Object.keys(wanted), fields: {}, converted: {} };
    for (const name of new Set([...found.names, ...Object.keys(given)])) {
      if (JSON.stringify(own(wanted, name)) === JSON.stringify(own(given, name))) continue;
      set(found.fields, name, own(wanted, name));
      set(found.converted, name, own(given, name));
    }
    exact[part] = found;
  }
  return unlessEmpty(exact as JsonObject);
}

/**
 * Returns the view of a version: the converter's result, with the preserved exact fields. A field counts as long as the
 * converter reads the same value for it as when the field was preserved.
 */
export function exactly(converted: Body, exact: Exact | undefined): Body {
  if (exact === undefined) return converted;
  const view = { ...converted };
  for (const part of PARTS) {
    const preserved = exact[part];
    if (preserved !== undefined) view[part] = exactPart(converted[part], preserved);
  }
  return view;
}

function exactPart(given: JsonObject, { names, fields, converted }: ExactPart): JsonObject {
  const part: JsonObject = {};
  for (const name of new Set([...names, ...Object.keys(given)])) {
    const differs = Object.hasOwn(fields, name) || Object.hasOwn(converted, name);
    const isExact = differs && same(own(given, name), own(converted, name));
    set(part, name, own(isExact ? fields : given, name));
  }
  return part;
}

/**
 * Replaces the parts of `now` that equal their counterparts in `was` by those in `other`. So a change that was made to
 * one reading of a value is applied to another reading of it.
 */
export function transfer(now: Maybe, was: Maybe, other: Maybe, shape: Shape): Maybe {
  if (same(now, was)) return other;
  if (isObject(now) && isObject(was) && isObject(other)) {
    const result: JsonObject = {};
    for (const name of new Set([...Object.keys(other), ...Object.keys(now)]))
      set(
        result,
        name,
        transfer(own(now, name), own(was, name), own(other, name), memberOf(shape, name) ?? UNDECLARED),
      );
    return result;
  }
  if (Array.isArray(now) && Array.isArray(was) && Array.isArray(other))
    return transferElements(now, was, other, shape);
  return now;
}

/**
 * Transfers a list. Elements that only `other` has stay after the element that they follow; those that only `was` has
 * are removed.
 */
function transferElements(now: Json[], was: Json[], other: Json[], shape: Shape): Json[] {
  const key = resolved(shape)['x-list-key'];
  const counterparts = counterpartsOf(was, other, key);
  if (counterparts === undefined) return now;
  const earlier = partners(now, was, key);
  const followers = followersOf(
    other,
    new Set(counterparts),
    new Set(now.map((one) => keyOf(one, key))),
    key,
  );
  const result = [...(followers.get(-1) ?? [])];
  now.forEach((one, i) => {
    const place = earlier[i];
    const counterpart = counterparts[place] ?? -1;
    if (counterpart !== -1) {
      const value = transfer(one, was[place], other[counterpart], elementOf(shape));
      result.push(value ?? one, ...(followers.get(counterpart) ?? []));
      followers.delete(counterpart);
    } else if (place === -1 || !same(one, was[place])) result.push(one);
  });
  followers.delete(-1);
  return [...result, ...[...followers.values()].flat()];
}

/** Returns the elements that only `other` has, by the index of the one that they follow; without those of a key in `keys`. */
function followersOf(
  other: Json[],
  counterparts: Set<number>,
  keys: Set<Maybe>,
  key: string | undefined,
): Map<number, Json[]> {
  const followers = new Map<number, Json[]>();
  let place = -1;
  other.forEach((one, i) => {
    const id = keyOf(one, key);
    if (counterparts.has(i)) place = i;
    else if (id === undefined || !keys.has(id)) {
      const found = followers.get(place);
      if (found === undefined) followers.set(place, [one]);
      else found.push(one);
    }
  });
  return followers;
}

/** Returns the index in `other` of each element of `was`, or -1; undefined where it is unknown. */
function counterpartsOf(was: Json[], other: Json[], key: string | undefined): number[] | undefined {
  if (was.length === other.length) return was.map((_, i) => i);
  if (key === undefined) return undefined;
  const places = new Map(other.map((one, i) => [keyOf(one, key), i]));
  return was.map((one) => (keyOf(one, key) === undefined ? undefined : places.get(keyOf(one, key))) ?? -1);
}

function keyOf(element: Json, key: string | undefined): Maybe {
  return key === undefined ? undefined : own(element, key);
}
