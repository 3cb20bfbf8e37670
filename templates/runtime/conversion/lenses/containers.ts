import { fresh, isEmpty, object, position } from '../../model/fields/members';
import { isVacant, list, type Maybe, own, same, set } from '../../model/fields/values';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import { addFailure, type Failures } from '../../model/versions/spoke-converter';

/** Returns whether a value is there, but is no object: validation modes `warn` and `disabled` store such values. */
export function isForeign(value: Maybe): value is Exclude<Json, JsonObject> {
  return value !== undefined && !isObject(value);
}

/** Returns an object with other values; any other value as it is. */
export function mapValues(value: Json, change: (value: Json, key: string) => Json): Json {
  if (!isObject(value)) return value;
  const changed: JsonObject = {};
  for (const key of Object.keys(value)) set(changed, key, change(value[key], key));
  return changed;
}

/** Returns the members of an object in their order in an old one; new ones come last. */
export function inOrderOf(old: Json, now: Json): Json {
  if (!isObject(old) || !isObject(now)) return now;
  const ordered: JsonObject = {};
  for (const key of Object.keys(old)) if (Object.hasOwn(now, key)) set(ordered, key, now[key]);
  for (const key of Object.keys(now)) set(ordered, key, now[key]);
  return ordered;
}

/**
 * Closes an object of the hub that only rules fill. It appears with its first field, with the fields that are `made`
 * with it, and disappears with its last: fields that a new object would get again do not hold it.
 */
export function closed(now: JsonObject, stored: Maybe, made: JsonObject, required = false): Json | undefined {
  if (stored !== undefined && same(now, stored)) return now;
  if (stored !== undefined) return required || !isMade(now, made) ? now : undefined;
  return required || !isEmpty(now) ? { ...fresh(made), ...now } : undefined;
}

function isMade(now: JsonObject, made: JsonObject): boolean {
  return Object.keys(now).every((key) => same(now[key], own(made, key)));
}

/**
 * Returns the start of a write in an object of the hub that the spoke has too, while rules join some of their fields
 * with fields elsewhere. When the client removed the object, only fields that rules fill again remain.
 */
export function opened(stored: Maybe, sent: Maybe, read: Maybe): JsonObject {
  return read !== undefined && sent === undefined ? {} : { ...object(stored) };
}

/** Returns the same object after the write. */
export function placed(
  now: JsonObject,
  stored: Maybe,
  sent: Maybe,
  read: Maybe,
  made: JsonObject,
  required: boolean,
): Json | undefined {
  const removed = read !== undefined && sent === undefined;
  if (stored !== undefined && !removed) return now;
  const added = read === undefined && sent !== undefined;
  if (isEmpty(now) && !added && !required) return undefined;
  return stored === undefined ? { ...fresh(made), ...now } : now;
}

/** Returns whether the spoke shows such an object: the hub has it, and not only for fields that belong elsewhere. */
export function present(hub: Maybe, elsewhere: string[]): boolean {
  if (hub === undefined) return false;
  const names = Object.keys(object(hub));
  return names.length === 0 || names.some((name) => !elsewhere.includes(name));
}

/**
 * Returns the data to preserve so that the presence of an object reads back as it was written. Members that are
 * dropped, or that are shown anyway in an existing object, do not restore it.
 */
export function presence(
  sent: Maybe,
  natural: boolean,
  dropped: string[],
  presets: JsonObject,
): boolean | undefined {
  if (sent === undefined) return natural ? false : undefined;
  if (natural) return undefined;
  const brings = (key: string, value: Json) => !dropped.includes(key) && !same(value, own(presets, key));
  return Object.entries(object(sent)).some(([key, value]) => brings(key, value)) ? undefined : true;
}

/** Returns the data to preserve so that a value that is no object reads back. No other presence looks like it. */
export function preservedForeign(sent: Json): Json {
  return [sent];
}

/** Returns the value of another type that an object without members was written as, or that the hub has there. */
export function ifForeign(now: JsonObject, aside: Maybe, hub: Maybe): Maybe {
  if (!isEmpty(now)) return undefined;
  if (Array.isArray(aside)) return aside[0];
  return isForeign(hub) ? hub : undefined;
}

/** Returns an object of the spoke, if it is shown: it has members, it was written empty, or it is there anyway. */
export function ifShown(now: JsonObject, aside: Maybe, natural: boolean): JsonObject | undefined {
  return !isEmpty(now) || (typeof aside === 'boolean' ? aside : natural) ? now : undefined;
}

/** Returns a list with its element of a key replaced, added at the end, or removed when undefined. */
export function withElement(elements: Maybe, key: string, value: Json, element: Maybe): Maybe {
  const at = position(elements, key, value);
  const now = list(elements);
  if (at === -1) return element === undefined ? elements : [...now, element];
  return element === undefined ? now.toSpliced(at, 1) : now.with(at, inOrderOf(now[at], element));
}

/**
 * Returns a function that makes its result once for each list. Paths into a list are asked for one by one, as often as it has
 * elements.
 */
export function perList<T>(make: (elements: Json[]) => T): (elements: Json[]) => T {
  const made = new WeakMap<Json[], T>();
  return (elements) => {
    const known = made.get(elements);
    if (known !== undefined) return known;
    const result = make(elements);
    made.set(elements, result);
    return result;
  };
}

/**
 * The name under which a list or map with nothing to show is preserved: true if it was written empty although other fields fill
 * the hub's, false if it was absent although the hub needs one. No key of a map can be confused with it.
 */
const EMPTY = '\u0000empty';

/**
 * Preserves what the hub's list or map does not show: whether one with nothing to show was written, and a value of another type,
 * for which other fields leave no room.
 */
export function preserveUnshown(preserved: JsonObject, name: string, sent: Maybe, hub: Maybe): void {
  if (hub === undefined) return;
  if (sent !== undefined && (typeof sent !== 'object' || Array.isArray(sent) !== Array.isArray(hub))) {
    if (!same(sent, hub)) preserved[name] = preservedForeign(sent);
    return;
  }
  const isFilled = Object.keys(hub ?? {}).length > 0;
  if (isFilled ? isVacant(sent) : sent === undefined)
    preserved[name] = { ...object(preserved[name]), [EMPTY]: sent !== undefined };
}

/** Returns whether a list or map with nothing to show is absent: as it was written, else where the hub's `isFilled`. */
export function isHidden(isFilled: boolean, aside: JsonObject): boolean {
  const mark = aside[EMPTY];
  return typeof mark === 'boolean' ? !mark : isFilled;
}

/**
 * Returns the mark to preserve after another version changed the hub's list or map, which still has nothing to show.
 */
export function carriedMark(aside: JsonObject, before: Maybe, isFilled: boolean): JsonObject {
  const mark = aside[EMPTY] ?? (isVacant(before) || undefined);
  return mark === isFilled ? { [EMPTY]: mark } : {};
}

/** Returns a list or map that both versions have, after rules filled some of it: an empty one is there if it was sent. */
export function linked(now: Maybe, sent: Maybe, required: boolean): Maybe {
  return sent !== undefined || required || Object.keys(now ?? {}).length > 0 ? now : undefined;
}

/** Returns a list that only rules fill: it disappears with its last element. */
export function emptied(now: Maybe, stored: Maybe, required: boolean): Maybe {
  if (list(now).length > 0 || (stored !== undefined && same(now, stored))) return now;
  return required ? [] : undefined;
}

/** Returns an element of a list with its key; undefined when there is none. */
export function keyed(key: string, value: Json, element: Maybe): Maybe {
  return element === undefined ? undefined : { [key]: value, ...object(element) };
}

/** Returns an element of a list without its key. */
export function unkeyed(key: string, element: Maybe): Maybe {
  if (element === undefined) return undefined;
  const { [key]: _, ...rest } = object(element);
  return rest;
}

/**
 * Returns the elements of a list of the spoke that no rule fills, to preserve them with the positions of those that
 * rules fill. Undefined when the rules alone restore the same list.
 */
export function residue(sent: Maybe, key: string, filled: Json[]): Maybe {
  if (!Array.isArray(sent)) return sent;
  const left = sent.map((element) => {
    const value = own(element, key);
    return value !== undefined && filled.includes(value) ? { [key]: value } : element;
  });
  const keys = sent.map((element) => own(element, key) ?? null);
  const natural = filled.filter((value) => keys.includes(value));
  return sent.length > 0 && same(keys, natural) ? undefined : left;
}

/** Returns the entries of a map of the spoke that no rule fills. */
export function others(sent: Maybe, filled: string[]): Maybe {
  if (sent === undefined || isForeign(sent)) return sent;
  const entries = Object.entries(object(sent));
  const left: JsonObject = {};
  for (const [key, value] of entries) if (!filled.includes(key)) set(left, key, value);
  return isEmpty(left) && entries.length > 0 ? undefined : left;
}

/** Returns the members to preserve because the version does not declare them (validation modes `warn` and `disabled`). */
export function undeclared(sent: JsonObject, declared: ReadonlySet<string>): JsonObject | undefined {
  let found: JsonObject | undefined;
  for (const key of Object.keys(sent)) if (!declared.has(key)) set((found ??= {}), key, sent[key]);
  return found;
}

/** Shows such members again. */
export function addUndeclared(shown: JsonObject, aside: Maybe): void {
  if (aside === undefined) return;
  for (const [key, value] of Object.entries(object(aside))) set(shown, key, value);
}

/** Adds the failure of an element or an entry that the version has in another field. */
export function addMisplaced(failures: Failures, pointer: string, what: 'element' | 'entry'): void {
  const detail = `this ${what} belongs in another field of this version`;
  addFailure(failures, { pointer, rule: 'rename', detail });
}

/** Returns the preserved value, unless the hub's value changed. */
export function unlessChanged(was: Maybe, now: Maybe, aside: Maybe): Maybe {
  return same(was, now) ? aside : undefined;
}

/** Returns the preserved value, unless the hub lost the object that it belongs to. */
export function unlessGone(was: Maybe, now: Maybe, aside: Maybe): Maybe {
  return was !== undefined && now === undefined ? undefined : aside;
}
