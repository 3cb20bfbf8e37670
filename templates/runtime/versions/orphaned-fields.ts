import { elementOf, memberOf } from '../model/fields/members';
import { resolved, type Shape } from '../model/fields/shape';
import { type Maybe, own, set } from '../model/fields/values';
import { isObject, type Json, type JsonObject } from '../model/schema';

/**
 * Returns the part of `old` that is not in `now`: declared members that are absent, also in elements with the same key;
 * undefined when there are none. `withOrphaned` puts it in again.
 */
export function orphanedOf(now: Maybe, old: Maybe, shape: Shape): Json | undefined {
  if (isObject(now) && isObject(old)) {
    const left: JsonObject = {};
    for (const [name, value] of Object.entries(old)) {
      const below = memberOf(shape, name);
      if (below === undefined) continue;
      set(left, name, Object.hasOwn(now, name) ? orphanedOf(now[name], value, below) : value);
    }
    return Object.keys(left).length > 0 ? left : undefined;
  }
  const key = resolved(shape)['x-list-key'];
  if (key === undefined || !Array.isArray(now) || !Array.isArray(old)) return undefined;
  const present = byKey(now, key);
  const elements = old.flatMap((element) => {
    const left = orphanedOf(present.get(own(element, key)), element, elementOf(shape));
    return left === undefined ? [] : [{ [key]: own(element, key)!, ...(left as JsonObject) }];
  });
  return elements.length > 0 ? elements : undefined;
}

/** Returns a value with the orphaned fields where it has nothing. */
export function withOrphaned(now: Maybe, left: Maybe, shape: Shape): Maybe {
  if (isObject(now) && isObject(left)) {
    const whole: JsonObject = { ...now };
    for (const [name, value] of Object.entries(left)) {
      const below = memberOf(shape, name);
      if (below === undefined) continue;
      set(whole, name, Object.hasOwn(now, name) ? withOrphaned(now[name], value, below) : value);
    }
    return whole;
  }
  const key = resolved(shape)['x-list-key'];
  if (key === undefined || !Array.isArray(now) || !Array.isArray(left)) return now;
  const orphaned = byKey(left, key);
  return now.map(
    (element) => withOrphaned(element, orphaned.get(own(element, key)), elementOf(shape)) ?? null,
  );
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
