import { type Maybe, same } from '../../model/fields/values';
import { below } from '../../model/fragment';
import type { Json } from '../../model/schema';
import { textOf } from '../../model/thrown';
import { addFailure, type Failures } from '../../model/versions/spoke-converter';

/** The stored state of a value that a write changes: the hub's value, the spoke's preserved value, and its view. */
export interface Old {
  hub: Json;
  kept: Maybe;
  read: Maybe;
  /** True for an object that is there, but that nobody has written yet. */
  isUnwritten?: boolean;
}

/** The result of a write: the hub's value and the spoke's preserved value. */
export interface Put {
  hub: Maybe;
  kept: Maybe;
}

/**
 * The conversion between one value of the hub and one value of a spoke. Absent is undefined. Results share structure
 * with the arguments: neither may be changed afterwards.
 *
 * A value of another type than declared (validation modes `warn` and `disabled`) passes unchanged.
 */
export interface Lens {
  /** True if some elements or entries of the hub's list or map belong to other fields of the spoke. */
  isPartial?: boolean;
  /** Returns the spoke's view of the hub's value. It never throws. */
  get(hub: Maybe, kept: Maybe): Maybe;
  /**
   * Writes a client's value, which differs from its view (`update` ensures that). `old` is undefined where the hub has
   * no value. Failures are added to `failures`, with `at` as the pointer of the value, and the value is preserved.
   */
  put(sent: Maybe, old: Old | undefined, at: string, failures: Failures): Put;
  /** Returns the preserved value after another version changed the hub's value. */
  carry(before: Maybe, after: Maybe, kept: Maybe): Maybe;
  /** Returns a value of the spoke without the fields that are dropped; absent where none can be. */
  trim?(sent: Json): Json;
  /** Translates a path inside the hub's value into one inside the spoke's, as far as it can be followed. */
  locate(path: string[], hub: Maybe, spoke: Maybe): string[];
  /** The fields of the hub's object that each field of a rule over several comes from, by pointers; elements are left out. */
  wholes?: { readonly [spoke: string]: readonly string[] };
}

/** Writes a value: one that equals what the client would have read leaves everything as it is. */
export function update(
  lens: Lens,
  sent: Maybe,
  read: Maybe,
  hub: Maybe,
  kept: Maybe,
  at: string,
  failures: Failures,
): Put {
  if (same(sent, read)) return { hub, kept };
  return lens.put(sent, hub === undefined ? undefined : { hub, kept, read }, at, failures);
}

/**
 * Writes an element or entry, which must have a value in the hub: where the field that supplies it is absent, the
 * failure names that field as required.
 */
export function updateElement(
  lens: Lens,
  sent: Json,
  read: Maybe,
  hub: Maybe,
  kept: Maybe,
  at: string,
  failures: Failures,
): { hub: Json; kept: Maybe } {
  const before = failures.found.length;
  const put = update(lens, sent, read, hub, kept, at, failures);
  if (put.hub !== undefined) return { hub: put.hub, kept: put.kept };
  if (failures.found.length === before) {
    const path = lens.locate([], undefined, sent);
    const pointer = path.reduce<string>(below, at);
    addFailure(failures, { pointer, rule: 'required', detail: `${path.at(-1) ?? 'a value'} is required` });
  }
  return { hub: null, kept: put.kept };
}

/** A pair of functions between one value of the hub and one of the spoke, both present. */
interface Codec {
  /** The name of the rule, for failures. */
  rule: string;
  /** Total: it never throws. */
  fromHub(hub: Json): Maybe;
  /** Throws an Error whose message is for the client. */
  toHub(spoke: Json): Maybe;
}

/** Makes a lens of two functions. A value that would read back differently is preserved until the hub's value changes. */
export function codec({ rule, fromHub, toHub }: Codec): Lens {
  return {
    get: (hub, kept) => (kept !== undefined ? kept : hub === undefined ? undefined : fromHub(hub)),
    put(sent, _old, at, failures) {
      if (sent === undefined) return { hub: undefined, kept: undefined };
      try {
        const hub = toHub(sent);
        const back = hub === undefined ? undefined : fromHub(hub);
        return { hub, kept: same(back, sent) ? undefined : sent };
      } catch (error) {
        addFailure(failures, {
          pointer: at,
          rule,
          detail: textOf(error),
        });
        return { hub: undefined, kept: sent };
      }
    },
    carry: (before, after, kept) => (same(before, after) ? kept : undefined),
    locate: () => [],
  };
}

/** Copies the value. */
export const copy: Lens = {
  get: (hub) => hub,
  put: (sent) => ({ hub: sent, kept: undefined }),
  carry: () => undefined,
  locate: (path) => path,
};

/** Returns a value of the spoke without the fields that its lens drops. */
export function trimmed(lens: Lens, sent: Json): Json {
  return lens.trim === undefined ? sent : lens.trim(sent);
}

/** Makes a lens on its first use, as a type that contains itself needs it. */
export function deferred(make: () => Lens): Lens {
  let made: Lens | undefined;
  const lens = (): Lens => (made ??= make());
  return {
    get: (hub, kept) => lens().get(hub, kept),
    put: (sent, old, at, failures) => lens().put(sent, old, at, failures),
    carry: (before, after, kept) => lens().carry(before, after, kept),
    trim: (sent) => trimmed(lens(), sent),
    locate: (path, hub, spoke) => lens().locate(path, hub, spoke),
  };
}

/**
 * A lens for values of the spoke that `fits`. Any other, which only validation modes other than `strict` let through, goes to
 * the hub as it is, and is shown until the hub changes. The lens must preserve objects: a list is an unfit value.
 */
export function fitting(fits: (sent: Json) => boolean, lens: Lens): Lens {
  return {
    ...lens,
    get: (hub, kept) => (Array.isArray(kept) ? kept[0] : lens.get(hub, kept)),

    put(sent, old, at, failures) {
      if (sent !== undefined && !fits(sent)) return { hub: sent, kept: [sent] };
      return lens.put(sent, Array.isArray(old?.kept) ? { ...old, kept: undefined } : old, at, failures);
    },

    carry(before, after, kept) {
      if (!Array.isArray(kept)) return lens.carry(before, after, kept);
      return same(before, after) ? kept : undefined;
    },
  };
}
