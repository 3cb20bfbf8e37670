import type { Failure } from '../problem';
import type { Json } from '../schema';
import { below, same, type Maybe } from './values';

/** What is stored of a value that a write changes: the hub's value, what the spoke keeps aside, what it reads. */
export interface Old {
  hub: Json;
  kept: Maybe;
  read: Maybe;
}

/** What a write leaves behind: the hub's value and what the spoke keeps aside. */
export interface Put {
  hub: Maybe;
  kept: Maybe;
}

/**
 * How one value of the hub and one value of a spoke belong together. Absent is undefined. Results share
 * structure with the arguments: neither may be changed afterwards.
 *
 * A value of another type than declared (validation modes `warn` and `disabled`) passes as it is.
 */
export interface Lens {
  /** Reads the hub's value as the spoke shows it. It never throws. */
  get(hub: Maybe, kept: Maybe): Maybe;
  /**
   * Writes what a client sent, which differs from what it would have read (`update` sees to that). `old` is
   * undefined where the hub has no value. What is wrong goes to `failures`, with `at` as the pointer of the value, and is
   * kept aside.
   */
  put(sent: Maybe, old: Old | undefined, at: string, failures: Failure[]): Put;
  /** What stays aside when another version changed the hub's value. */
  carry(before: Maybe, after: Maybe, kept: Maybe): Maybe;
  /** A path inside the hub's value, inside the spoke's; as far as it can be followed. */
  locate(path: string[], hub: Maybe, spoke: Maybe): string[];
}

/** Writes a value: one that equals what the client would have read leaves everything as it is. */
export function update(
  lens: Lens,
  sent: Maybe,
  read: Maybe,
  hub: Maybe,
  kept: Maybe,
  at: string,
  failures: Failure[],
): Put {
  if (same(sent, read)) return { hub, kept };
  return lens.put(sent, hub === undefined ? undefined : { hub, kept, read }, at, failures);
}

/**
 * Writes an element or entry, of which the hub has to have a value: where the field is absent that supplies it, the
 * field is told as a required one.
 */
export function updateElement(
  lens: Lens,
  sent: Json,
  read: Maybe,
  hub: Maybe,
  kept: Maybe,
  at: string,
  failures: Failure[],
): { hub: Json; kept: Maybe } {
  const known = failures.length;
  const put = update(lens, sent, read, hub, kept, at, failures);
  if (put.hub !== undefined) return { hub: put.hub, kept: put.kept };
  if (failures.length === known) {
    const path = lens.locate([], undefined, sent);
    const pointer = path.reduce<string>(below, at);
    failures.push({ pointer, rule: 'required', detail: `${path.at(-1) ?? 'a value'} is required` });
  }
  return { hub: null, kept: put.kept };
}

/** A pair of functions between one value of the hub and one of the spoke, both present. */
export interface Codec {
  /** The name of the rule, for failures. */
  rule: string;
  /** Total: it never throws. */
  fromHub(hub: Json): Maybe;
  /** It throws an Error whose message is for the client. */
  toHub(spoke: Json): Maybe;
}

/** A lens of two functions. What would read back as another value is kept aside until the hub's value changes. */
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
        failures.push({ pointer: at, rule, detail: error instanceof Error ? error.message : String(error) });
        return { hub: undefined, kept: sent };
      }
    },
    carry: (before, after, kept) => (same(before, after) ? kept : undefined),
    locate: () => [],
  };
}

/** The same value on both sides. */
export const copy: Lens = {
  get: (hub) => hub,
  put: (sent) => ({ hub: sent, kept: undefined }),
  carry: () => undefined,
  locate: (path) => path,
};

/** A lens that is defined further down: what a type that contains itself needs. */
export function deferred(lens: () => Lens): Lens {
  return {
    get: (hub, kept) => lens().get(hub, kept),
    put: (sent, old, at, failures) => lens().put(sent, old, at, failures),
    carry: (before, after, kept) => lens().carry(before, after, kept),
    locate: (path, hub, spoke) => lens().locate(path, hub, spoke),
  };
}

/** A lens between objects used for a hub value that is no object: the value stands in a member `value`. */
export function boxedHub(inner: Lens): Lens {
  const box = (hub: Maybe): Maybe => (hub === undefined ? undefined : { value: hub });
  return {
    get: (hub, kept) => inner.get(box(hub), kept),
    put(sent, old, at, failures) {
      const put = inner.put(sent, old && { ...old, hub: { value: old.hub } }, at, failures);
      return { hub: unbox(put.hub), kept: put.kept };
    },
    carry: (before, after, kept) => inner.carry(box(before), box(after), kept),
    locate: (path, hub, spoke) => inner.locate(['value', ...path], box(hub), spoke),
  };
}

/** The same for a spoke value that is no object. */
export function boxedSpoke(inner: Lens): Lens {
  const box = (spoke: Maybe): Maybe => (spoke === undefined ? undefined : { value: spoke });
  return {
    get: (hub, kept) => unbox(inner.get(hub, kept)),
    put(sent, old, at, failures) {
      const found: Failure[] = [];
      const put = inner.put(box(sent), old && { ...old, read: box(old.read) }, at, found);
      const boxed = `${at}/value`;
      for (const failure of found)
        failures.push({ ...failure, pointer: failure.pointer.replace(boxed, () => at) });
      return put;
    },
    carry: (before, after, kept) => inner.carry(before, after, kept),
    locate: (path, hub, spoke) => inner.locate(path, hub, box(spoke)).slice(1),
  };
}

function unbox(boxed: Maybe): Maybe {
  return typeof boxed === 'object' && boxed !== null && !Array.isArray(boxed) ? boxed.value : boxed;
}
