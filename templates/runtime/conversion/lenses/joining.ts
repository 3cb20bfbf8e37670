import { type Maybe, plainText, same } from '../../model/fields/values';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import { textOf } from '../../model/thrown';
import { addFailure, type Failures } from '../../model/versions/spoke-converter';
import { codec, type Lens } from './lens';

/**
 * A conversion between several values of the hub and several of a spoke. They are members of objects, by name; absent
 * ones are no members.
 */
export interface Several {
  /** The name of the rule, for failures. */
  rule: string;
  get(hub: JsonObject, kept: Maybe): JsonObject;
  /** Throws an Error whose message is for the client. `stored` is empty for an object that the write creates. */
  toHub(spoke: JsonObject, stored: JsonObject): JsonObject;
}

/** A rule over several fields. */
export interface Together {
  rule: Several;
  /** Paths in the storage version. */
  hub: string[];
  /** Paths in this version. */
  spoke: string[];
  /** The name that the rule knows a field by. */
  nameOf(path: string): string;
}

/** Two functions between several values; `fromHub` never throws. */
interface SeveralCodec {
  rule: string;
  fromHub(hub: JsonObject): JsonObject;
  toHub(spoke: JsonObject, stored: JsonObject): JsonObject;
}

/** Does the same as `codec` for several values: those that would read back differently are preserved. */
export function several({ rule, fromHub, toHub }: SeveralCodec): Several {
  return { rule, get: (hub, kept) => (isObject(kept) ? kept : fromHub(hub)), toHub };
}

/** Does the same as `update` for several values; all of them are preserved where they would read back differently. */
export function updateSeveral(
  { rule, get, toHub }: Several,
  sent: JsonObject,
  read: JsonObject,
  stored: JsonObject,
  kept: Maybe,
  at: string,
  failures: Failures,
): { hub: JsonObject; kept: Maybe } {
  if (same(sent, read)) return { hub: stored, kept };
  try {
    const hub = toHub(sent, stored);
    return { hub, kept: same(get(hub, undefined), sent) ? undefined : sent };
  } catch (error) {
    addFailure(failures, {
      pointer: at,
      rule,
      detail: textOf(error),
    });
    return { hub: {}, kept: sent };
  }
}

/** The rule `join`: one side has several fields, the other has one. */
export function join(hub: string | string[], spoke: string | string[], separator: string): Together {
  const [ours, theirs] = [[hub].flat(), [spoke].flat()];
  const [one, many] = typeof hub === 'string' ? [hub, theirs] : [theirs[0], ours];
  const divide = (values: JsonObject) => split(values, one, many, separator);
  const unite = (values: JsonObject) => joined(values, many, one, separator);
  const [fromHub, toHub] = typeof hub === 'string' ? [divide, unite] : [unite, divide];
  return {
    rule: several({ rule: 'join', fromHub, toHub }),
    hub: ours,
    spoke: theirs,
    nameOf: (path) => path,
  };
}

/** The rule `join` where one side is a list of strings. */
export function joinedList(side: 'hub' | 'spoke', separator: string): Lens {
  const join = (value: Json): Json => (Array.isArray(value) ? value.map(plainText).join(separator) : value);
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
  return parts.length === 0 ? {} : { [to]: parts.map(plainText).join(separator) };
}

/** The last field takes the rest: a third name belongs to the surname. */
function split(values: JsonObject, from: string, to: string[], separator: string): JsonObject {
  if (!Object.hasOwn(values, from)) return {};
  const parts = plainText(values[from]).split(separator);
  if (parts.length > to.length) parts.push(parts.splice(to.length - 1).join(separator));
  return Object.fromEntries(parts.map((part, i) => [to[i], part]));
}
