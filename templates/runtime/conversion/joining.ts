import type { Failure } from '../problem';
import { isObject, type Json, type JsonObject } from '../schema';
import { codec, type Lens } from './lens';
import { same, type Maybe } from './values';

/**
 * How several values of the hub and several of a spoke belong together. They are members of objects, by name;
 * absent ones are no members.
 */
export interface Several {
  /** The name of the rule, for failures. */
  rule: string;
  get(hub: JsonObject, kept: Maybe): JsonObject;
  /** It throws an Error whose message is for the client. `stored` is empty for what the write makes. */
  toHub(spoke: JsonObject, stored: JsonObject): JsonObject;
}

/** Two functions between several values; `fromHub` never throws. */
export interface SeveralCodec {
  rule: string;
  fromHub(hub: JsonObject): JsonObject;
  toHub(spoke: JsonObject, stored: JsonObject): JsonObject;
}

/** What `codec` is for one value, for several: what would read back otherwise is kept aside. */
export function several({ rule, fromHub, toHub }: SeveralCodec): Several {
  return { rule, get: (hub, kept) => (isObject(kept) ? kept : fromHub(hub)), toHub };
}

/** What `update` is for one value, for several; all of it is kept aside where it would read back otherwise. */
export function updateSeveral(
  { rule, get, toHub }: Several,
  sent: JsonObject,
  read: JsonObject,
  stored: JsonObject,
  kept: Maybe,
  at: string,
  failures: Failure[],
): { hub: JsonObject; kept: Maybe } {
  if (same(sent, read)) return { hub: stored, kept };
  try {
    const hub = toHub(sent, stored);
    return { hub, kept: same(get(hub, undefined), sent) ? undefined : sent };
  } catch (error) {
    failures.push({ pointer: at, rule, detail: error instanceof Error ? error.message : String(error) });
    return { hub: {}, kept: sent };
  }
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
