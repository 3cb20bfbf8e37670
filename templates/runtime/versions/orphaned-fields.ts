import { elementOf, memberOf } from '../model/fields/members';
import { resolved, type Shape } from '../model/fields/shape';
import { list, type Maybe, own, same, set } from '../model/fields/values';
import { isObject, type Json, type JsonObject } from '../model/schema';

/**
 * Returns the part of `old` that is not in `now`: declared members that are absent, also in elements with the same key;
 * undefined when there are none. `withOrphaned` puts it in again. Elements without a key are identified by their index as long
 * as the list stays as it is. So the part of a list is `{ now, orphaned }`, or `orphaned` alone for one `within` another.
 */
export function orphanedOf(now: Maybe, old: Maybe, shape: Shape, within = false): Json | undefined {
  if (isObject(now) && isObject(old)) {
    const left: JsonObject = {};
    for (const [name, value] of Object.entries(old)) {
      const below = memberOf(shape, name);
      if (below === undefined) continue;
      set(left, name, Object.hasOwn(now, name) ? orphanedOf(now[name], value, below, within) : value);
    }
    return Object.keys(left).length > 0 ? left : undefined;
  }
  if (!Array.isArray(now)) return undefined;
  const key = resolved(shape)['x-list-key'];
  if (key === undefined) return orphanedByPlace(now, old, shape, within);
  if (!Array.isArray(old)) return undefined;
  const present = byKey(now, key);
  const elements = old.flatMap((element) => {
    const left = orphanedOf(present.get(own(element, key)), element, elementOf(shape), within);
    return left === undefined ? [] : [{ [key]: own(element, key)!, ...(left as JsonObject) }];
  });
  return elements.length > 0 ? elements : undefined;
}

/** Returns a value with the orphaned fields where it has nothing. */
export function withOrphaned(now: Maybe, left: Maybe, shape: Shape, within = false): Maybe {
  if (isObject(now) && isObject(left)) {
    const whole: JsonObject = { ...now };
    for (const [name, value] of Object.entries(left)) {
      const below = memberOf(shape, name);
      if (below === undefined) continue;
      set(whole, name, Object.hasOwn(now, name) ? withOrphaned(now[name], value, below, within) : value);
    }
    return whole;
  }
  if (!Array.isArray(now)) return now;
  const key = resolved(shape)['x-list-key'];
  if (key === undefined) {
    const places = within ? list(left) : placesOf(now, left);
    return places?.length === now.length
      ? now.map((element, i) => withOrphaned(element, places[i], elementOf(shape), true) ?? null)
      : now;
  }
  if (!Array.isArray(left)) return now;
  const orphaned = byKey(left, key);
  return now.map(
    (element) => withOrphaned(element, orphaned.get(own(element, key)), elementOf(shape), within) ?? null,
  );
}

function orphanedByPlace(now: Json[], old: Maybe, shape: Shape, within: boolean): Json | undefined {
  const places = !Array.isArray(old) ? placesOf(now, old) : within || hasAll(old, now) ? old : undefined;
  if (places?.length !== now.length) return undefined;
  const orphaned = now.map((element, i) => orphanedOf(element, places[i], elementOf(shape), true) ?? null);
  if (orphaned.every((left) => left === null)) return undefined;
  return within ? orphaned : { now, orphaned };
}

/** Returns true for a value that is `now`, perhaps with more members in its objects. */
function hasAll(old: Maybe, now: Json): boolean {
  if (Array.isArray(now))
    return Array.isArray(old) && old.length === now.length && now.every((one, i) => hasAll(old[i], one));
  if (!isObject(now)) return same(old, now);
  return isObject(old) && Object.entries(now).every(([name, value]) => hasAll(own(old, name), value));
}

/** Returns the orphaned fields of a list without a key, by place; undefined if the list has changed. */
function placesOf(now: Json[], left: Maybe): Json[] | undefined {
  return isObject(left) && same(now, left.now) ? list(left.orphaned) : undefined;
}

/** Returns the first element of each key. Elements without one are left out. */
function byKey(elements: Json[], key: string): Map<Maybe, Json> {
  const found = new Map<Maybe, Json>();
  for (const element of elements) {
    const value = own(element, key);
    if (value !== undefined && !found.has(value)) found.set(value, element);
  }
  return found;
}
