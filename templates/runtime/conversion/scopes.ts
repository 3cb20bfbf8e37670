import type { Failure } from '../problem';
import type { JsonObject } from '../schema';
import { isObject } from '../schema';
import type { Lens } from './lens';
import { own, position, unlessEmpty, type Maybe } from './values';

/** What is stored of an object that a write changes. For an object that the write makes all of it is empty. */
export interface Before {
  /** Whether the write makes the object: then the rules `default: { hub }` apply. */
  made: boolean;
  stored: JsonObject;
  aside: JsonObject;
  read: JsonObject;
}

/** One step of a path inside an object: a member, or the element of a list with a key. */
export type Step = string | { key: string; value: string | number };

/** A field of the hub, the field of the spoke that shows it, and how they belong together. */
export type Place = [hub: Step[], spoke: Step[], lens?: Pick<Lens, 'locate'>];

/** For a field that is converted as a whole. */
export const whole: Pick<Lens, 'locate'> = { locate: () => [] };

/** What a write leaves of an object: the hub's, and what the spoke keeps aside. */
export interface Written {
  hub: JsonObject;
  kept: JsonObject;
}

/** The two directions between an object of the hub and one of the spoke. */
export interface Scope {
  fromHub(hub: JsonObject, aside: JsonObject): JsonObject;
  toHub(spoke: JsonObject, before: Before, at: string, failures: Failure[]): Written;
  /** What stays aside when another version changed the hub's object. */
  carry(before: JsonObject, after: JsonObject, aside: JsonObject): JsonObject;
  places(): Place[];
}

const nothing: JsonObject = Object.freeze({});
const unmade: Before = Object.freeze({ made: true, stored: nothing, aside: nothing, read: nothing });

/** The lens of two objects. */
export function scope({ fromHub, toHub, carry, places }: Scope): Lens {
  return {
    get: (hub, kept) => (isObject(hub) ? fromHub(hub, isObject(kept) ? kept : nothing) : hub),
    put(sent, old, at, failures) {
      if (!isObject(sent)) return { hub: sent, kept: undefined };
      const put = toHub(sent, before(old), at, failures);
      return { hub: put.hub, kept: unlessEmpty(put.kept) };
    },
    carry(before, after, kept) {
      if (!isObject(kept) || !isObject(before) || !isObject(after)) return undefined;
      return unlessEmpty(carry(before, after, kept));
    },
    locate: (path, hub, spoke) => located(places(), path, hub, spoke),
  };
}

function before(old: { hub: Maybe; kept: Maybe; read: Maybe } | undefined): Before {
  if (old === undefined || !isObject(old.hub)) return unmade;
  return {
    made: false,
    stored: old.hub,
    aside: isObject(old.kept) ? old.kept : nothing,
    read: isObject(old.read) ? old.read : nothing,
  };
}

/** The place that shares the most steps with the path; a container of the hub stands for the fields inside it. */
function located(places: Place[], path: string[], hub: Maybe, spoke: Maybe): string[] {
  let best: { place: Place; shared: number; whole: boolean; inside: Maybe } | undefined;
  for (const place of places) {
    const { shared, inside } = follow(place[0], path, hub);
    const whole = shared === place[0].length;
    if (shared === 0 || (!whole && shared < path.length)) continue;
    const better =
      best === undefined || shared > best.shared || (shared === best.shared && whole && !best.whole);
    if (better) best = { place, shared, whole, inside };
  }
  if (best === undefined) return [];
  const [, target, lens] = best.place;
  const { pointer, value } = resolve(target, spoke);
  if (!best.whole) return pointer;
  if (lens === undefined) return [...pointer, ...path.slice(best.shared)];
  return [...pointer, ...lens.locate(path.slice(best.shared), best.inside, value)];
}

function follow(steps: Step[], path: string[], hub: Maybe): { shared: number; inside: Maybe } {
  let inside = hub;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i];
    const name = path[i];
    if (name === undefined) return { shared: i, inside };
    if (typeof step === 'string' ? step !== name : position(inside, step.key, step.value) !== Number(name)) {
      return { shared: i, inside };
    }
    inside = Array.isArray(inside) ? inside[Number(name)] : own(inside, name);
  }
  return { shared: steps.length, inside };
}

function resolve(steps: Step[], spoke: Maybe): { pointer: string[]; value: Maybe } {
  const pointer: string[] = [];
  let value = spoke;
  for (const step of steps) {
    const place = typeof step === 'string' ? step : position(value, step.key, step.value);
    if (place === -1) break;
    pointer.push(String(place));
    value = Array.isArray(value) ? value[Number(place)] : own(value, String(place));
  }
  return { pointer, value };
}
