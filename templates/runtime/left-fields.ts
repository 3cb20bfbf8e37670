import { own, set, type Maybe } from './conversion/values';
import { isObject, type Json, type JsonObject, type Schema } from './schema';

/** A schema, and the shared types that it refers to. */
interface Shape {
  schema: Schema;
  types: { [name: string]: Schema };
}

/**
 * What of `old` is not in `now`: declared members that are absent, also in elements with the same key; undefined when
 * there are none. `withLeft` puts it in again.
 */
export function leftOf(now: Maybe, old: Maybe, shape: Shape): Json | undefined {
  if (isObject(now) && isObject(old)) {
    const left: JsonObject = {};
    for (const [name, value] of Object.entries(old)) {
      const below = member(shape, name);
      if (below === undefined) continue;
      set(left, name, Object.hasOwn(now, name) ? leftOf(now[name], value, below) : value);
    }
    return Object.keys(left).length > 0 ? left : undefined;
  }
  const key = resolved(shape)['x-list-key'];
  if (key === undefined || !Array.isArray(now) || !Array.isArray(old)) return undefined;
  const elements = old.flatMap((element) => {
    const left = leftOf(withKey(now, key, element), element, elementOf(shape));
    return left === undefined ? [] : [{ [key]: own(element, key)!, ...(left as JsonObject) }];
  });
  return elements.length > 0 ? elements : undefined;
}

/** A value with what is left where it has nothing. */
export function withLeft(now: Maybe, left: Maybe, shape: Shape): Maybe {
  if (isObject(now) && isObject(left)) {
    const whole: JsonObject = { ...now };
    for (const [name, value] of Object.entries(left)) {
      const below = member(shape, name);
      if (below === undefined) continue;
      set(whole, name, Object.hasOwn(now, name) ? withLeft(now[name], value, below) : value);
    }
    return whole;
  }
  const key = resolved(shape)['x-list-key'];
  if (key === undefined || !Array.isArray(now) || !Array.isArray(left)) return now;
  return now.map((element) => withLeft(element, withKey(left, key, element), elementOf(shape)) ?? null);
}

function resolved({ schema, types }: Shape): Schema {
  const { $ref } = schema;
  return $ref === undefined ? schema : (types[$ref.slice('#/$defs/'.length)] ?? {});
}

/** The shape of a member; undefined for one that is not declared. */
function member(shape: Shape, name: string): Shape | undefined {
  const { properties, additionalProperties } = resolved(shape);
  if (properties === undefined) return { ...shape, schema: additionalProperties || {} };
  return Object.hasOwn(properties, name) ? { ...shape, schema: properties[name]! } : undefined;
}

function elementOf(shape: Shape): Shape {
  return { ...shape, schema: resolved(shape).items ?? {} };
}

function withKey(elements: Json[], key: string, element: Json): Maybe {
  const value = own(element, key);
  return value === undefined ? undefined : elements.find((one) => own(one, key) === value);
}
