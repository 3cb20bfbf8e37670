import type { Failure } from '../problem';
import type { Json, JsonObject } from '../schema';
import { codec, type Lens } from './lens';
import { same, type Maybe } from './values';

/** What is stored of several values that a write changes. */
export interface OldSeveral {
  hub: JsonObject;
  kept: Maybe;
  read: JsonObject;
}

/** How several values of the hub and several of a spoke belong together; absent ones are no members. */
export interface Several {
  get(hub: JsonObject, kept: Maybe): JsonObject;
  put(sent: JsonObject, old: OldSeveral, at: string, failures: Failure[]): { hub: JsonObject; kept: Maybe };
  carry(before: JsonObject, after: JsonObject, kept: Maybe): Maybe;
}

/** A pair of functions between several values; both take and return objects without absent members. */
export interface SeveralCodec {
  rule: string;
  /** It never throws. */
  fromHub(hub: JsonObject): JsonObject;
  /** It throws an Error whose message is for the client. `stored` is empty for what the write makes. */
  toHub(spoke: JsonObject, stored: JsonObject): JsonObject;
}

/** What `codec` is for one value, for several: what would read back otherwise is kept aside. */
export function several({ rule, fromHub, toHub }: SeveralCodec): Several {
  return {
    get: (hub, kept) => (typeof kept === 'object' && kept !== null ? (kept as JsonObject) : fromHub(hub)),
    put(sent, old, at, failures) {
      if (same(sent, old.read)) return { hub: old.hub, kept: old.kept };
      try {
        const hub = toHub(sent, old.hub);
        return { hub, kept: same(fromHub(hub), sent) ? undefined : sent };
      } catch (error) {
        failures.push({ pointer: at, rule, detail: error instanceof Error ? error.message : String(error) });
        return { hub: {}, kept: undefined };
      }
    },
    carry: (before, after, kept) => (same(before, after) ? kept : undefined),
  };
}

/** The rule `join` where the hub has the several fields, by their names, in order. */
export function joinedInSpoke(hub: string[], spoke: string, separator: string): Several {
  return several({
    rule: 'join',
    fromHub: (values) => joined(values, hub, spoke, separator),
    toHub: (values) => split(values, spoke, hub, separator),
  });
}

/** The rule `join` where the spoke has the several fields. */
export function joinedInHub(hub: string, spoke: string[], separator: string): Several {
  return several({
    rule: 'join',
    fromHub: (values) => split(values, hub, spoke, separator),
    toHub: (values) => joined(values, spoke, hub, separator),
  });
}

/** The rule `join` where one side is a list of strings. */
export function joinedList(side: 'hub' | 'spoke', separator: string): Lens {
  const join = (value: Json): Json => (Array.isArray(value) ? value.map(String).join(separator) : value);
  const divide = (value: Json): Json =>
    typeof value !== 'string' ? value : value === '' ? [] : value.split(separator);
  return codec(
    side === 'hub'
      ? { rule: 'join', fromHub: join, toHub: divide }
      : { rule: 'join', fromHub: divide, toHub: join },
  );
}

function joined(values: JsonObject, from: string[], to: string, separator: string): JsonObject {
  const parts = from.filter((name) => Object.hasOwn(values, name)).map((name) => values[name]);
  return parts.length === 0 ? {} : { [to]: parts.map(String).join(separator) };
}

/** The last field takes what is left: a third name belongs to the surname. */
function split(values: JsonObject, from: string, to: string[], separator: string): JsonObject {
  if (!Object.hasOwn(values, from)) return {};
  const parts = String(values[from]).split(separator);
  if (parts.length > to.length) parts.push(parts.splice(to.length - 1).join(separator));
  return Object.fromEntries(parts.map((part, i) => [to[i], part]));
}
