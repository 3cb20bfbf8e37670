import { object, unlessEmpty } from '../../model/fields/members';
import { list, type Maybe, own, same, set } from '../../model/fields/values';
import { below } from '../../model/fragment';
import type { Failure } from '../../model/problem';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import { addFailure } from '../../model/versions/spoke-converter';
import { addMisplaced, carriedMark, inOrderOf, isHidden, mapValues, perList } from '../lenses/containers';
import { fitting, type Lens, trimmed, update, updateElement } from '../lenses/lens';
import { lensOf } from '../objects/object-lens';
import type { Shape } from '../objects/sources';

/** The field that holds the key in the elements of the list, and its type. */
interface Index {
  key: string;
  /** `string` when absent. */
  type?: 'string' | 'integer';
  /** Keys of what the hub has for other fields of the spoke. */
  except?: string[];
}

/**
 * A map of the hub that the spoke shows as a list with a key. The order of the list is preserved. Entries whose keys the
 * list cannot have stay in the hub, unseen.
 */
export function mapAsList(key: string | Index, inside: Lens | Shape): Lens {
  const [index, entry] = [indexOf(key), lensOf(inside)];
  const { except } = index;
  const isShown = (key: string): boolean => !except.includes(key);
  const keysOf = (hub: JsonObject): string[] => Object.keys(hub).filter((key) => isKey(index, key));
  const entriesOf = (hub: Maybe, isMeant: (key: string) => boolean): JsonObject =>
    Object.fromEntries(Object.entries(object(hub)).filter(([key]) => isMeant(key)));
  const placesByKey = perList((elements) => {
    const places = new Map<string | undefined, number>();
    for (const [place, element] of elements.entries()) {
      const key = keyOf(index, element);
      if (!places.has(key)) places.set(key, place);
    }
    return places;
  });
  return fitting(Array.isArray, {
    isPartial: except.length > 0,

    get(hub, kept) {
      if (!isObject(hub)) return hub;
      const aside = object(kept);
      const entries = object(aside.entries);
      const all = keysOf(hub);
      const keys = all.filter(isShown);
      if (keys.length === 0 && isHidden(all.length > 0, aside)) return undefined;
      return ordered(keys, list(aside.order)).map((key) =>
        withKey(index, key, entry.get(hub[key], own(entries, key))),
      );
    },

    put(sent, old, at, failures) {
      if (sent === undefined)
        return { hub: unlessEmpty(entriesOf(old?.hub, (key) => !isShown(key))), kept: undefined };
      if (!Array.isArray(sent)) return { hub: sent, kept: undefined };
      const entries = object(object(old?.kept).entries);
      const read = byKey(index, old?.read);
      const hub = entriesOf(old?.hub, (key) => !isShown(key) || !isKey(index, key));
      const kept: JsonObject = {};
      const order: string[] = [];
      sent.forEach((element, i) => {
        const pointer = below(at, i);
        const key = keyOf(index, element);
        const isRefused = key === '__proto__' && own(old?.hub, key) === undefined;
        if (key === undefined || isRefused || Object.hasOwn(hub, key)) {
          addFailure(failures, keyFailure(index, element, pointer));
          return;
        }
        if (!isShown(key)) {
          addMisplaced(failures, pointer, 'element');
          return;
        }
        order.push(key);
        const stored = own(old?.hub, key);
        const put = updateElement(
          entry,
          withoutKey(index, element)!,
          withoutKey(index, read.get(key)),
          stored,
          own(entries, key),
          pointer,
          failures,
        );
        set(hub, key, put.hub);
        set(kept, key, put.kept);
      });
      const next = inOrderOf(old?.hub ?? null, hub) as JsonObject;
      const aside: JsonObject = {};
      if (!same(keysOf(next).filter(isShown), order)) aside.order = order;
      set(aside, 'entries', unlessEmpty(kept));
      return { hub: next, kept: unlessEmpty(aside) };
    },

    carry(before, after, kept) {
      if (!isObject(after)) return undefined;
      const aside = object(kept);
      const entries = object(aside.entries);
      const next: JsonObject = {};
      for (const key of Object.keys(entries)) {
        if (Object.hasOwn(after, key))
          set(next, key, entry.carry(own(before, key), after[key], entries[key]));
      }
      const order = list(aside.order).filter((key) => Object.hasOwn(after, key as string));
      const keys = keysOf(after);
      const carried = keys.some(isShown) ? {} : carriedMark(aside, before, keys.length > 0);
      if (order.length > 0) carried.order = order;
      set(carried, 'entries', unlessEmpty(next));
      return unlessEmpty(carried);
    },

    trim: (sent) => (Array.isArray(sent) ? sent.map((one) => trimmed(entry, one)) : sent),

    locate([key, ...rest], hub, spoke) {
      if (key === undefined) return [];
      const place = placesByKey(list(spoke)).get(key);
      if (place === undefined) return [];
      return [String(place), ...entry.locate(rest, own(hub, key), list(spoke)[place])];
    },
  });
}

/**
 * A list with a key of the hub that the spoke shows as a map. Elements without a key, and those without a value in the
 * spoke, stay in the hub, unseen.
 */
export function listAsMap(key: string | Index, inside: Lens | Shape): Lens {
  const [index, entry] = [indexOf(key), lensOf(inside)];
  const { except } = index;
  const isShown = (key: string): boolean => !except.includes(key);
  const keysOf = (hub: Maybe): string[] => [...byKey(index, hub).keys()];
  const isOther = (element: Json): boolean => !isShown(keyOf(index, element) ?? '');
  return fitting(isObject, {
    isPartial: except.length > 0,

    get(hub, kept) {
      if (!Array.isArray(hub)) return hub;
      const keys = keysOf(hub);
      if (except.length > 0 && !keys.some(isShown) && isHidden(keys.length > 0, object(kept)))
        return undefined;
      const shown: JsonObject = {};
      for (const [key, element] of byKey(index, hub)) {
        if (isShown(key)) set(shown, key, entry.get(withoutKey(index, element), own(kept, key)));
      }
      return shown;
    },

    put(sent, old, at, failures) {
      const others = list(old?.hub).filter(isOther);
      if (sent === undefined && others.length > 0) return { hub: others, kept: undefined };
      if (!isObject(sent)) return { hub: sent, kept: undefined };
      const stored = byKey(index, old?.hub);
      const hub: Json[] = [];
      const kept: JsonObject = {};
      const write = (key: string) => {
        if (!isKey(index, key)) {
          addFailure(failures, {
            pointer: below(at, key),
            rule: 'index',
            detail: 'the key must be an integer',
          });
        }
        const put = update(
          entry,
          sent[key],
          own(old?.read, key),
          withoutKey(index, stored.get(key)),
          own(old?.kept, key),
          below(at, key),
          failures,
        );
        set(kept, key, put.kept);
        return withKey(index, key, put.hub);
      };
      for (const element of list(old?.hub)) {
        const key = keyOf(index, element);
        if (key === undefined || stored.get(key) !== element || !isShown(key)) hub.push(element);
        else if (!Object.hasOwn(sent, key) && own(old?.read, key) === undefined) hub.push(element);
        else if (Object.hasOwn(sent, key)) hub.push(inOrderOf(element, write(key)));
      }
      for (const key of Object.keys(sent)) {
        if (!isShown(key)) addMisplaced(failures, below(at, key), 'entry');
        else if (!stored.has(key)) hub.push(write(key));
      }
      return { hub, kept: unlessEmpty(kept) };
    },

    carry(before, after, kept) {
      if (!Array.isArray(after)) return undefined;
      const was = byKey(index, before);
      const now = byKey(index, after);
      const keys = keysOf(after);
      const isMarked = except.length > 0 && !keys.some(isShown);
      const next = isMarked ? carriedMark(object(kept), before, keys.length > 0) : {};
      for (const [key, aside] of Object.entries(object(kept))) {
        if (!now.has(key)) continue;
        set(next, key, entry.carry(withoutKey(index, was.get(key)), withoutKey(index, now.get(key)), aside));
      }
      return unlessEmpty(next);
    },

    trim: (sent) => mapValues(sent, (value) => trimmed(entry, value)),

    locate([place, ...rest], hub, spoke) {
      const element = list(hub)[Number(place)];
      const key = keyOf(index, element);
      if (key === undefined) return [];
      return [key, ...entry.locate(rest, withoutKey(index, element), own(spoke, key))];
    },
  });
}

function indexOf(index: string | Index): Required<Index> {
  const { key, type = 'string', except = [] } = typeof index === 'string' ? { key: index } : index;
  return { key, type, except };
}

/** Returns the key of an element as the name of a map's entry; undefined when it has none. */
function keyOf({ key, type }: Required<Index>, element: Maybe): string | undefined {
  const value = own(element, key);
  if (type === 'string') return typeof value === 'string' ? value : undefined;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Returns why an element cannot be an entry of the map: its key is absent, of another type, or taken. */
function keyFailure(index: Required<Index>, element: Json, place: string): Failure {
  const { key, type } = index;
  if (!isObject(element)) return { pointer: place, rule: 'type', detail: 'an element must be an object' };
  const pointer = below(place, key);
  const value = own(element, key) ?? null;
  if (value === null) return { pointer, rule: 'required', detail: `${key} is required` };
  // No client may send it as the key of a map, and so none could send back what it has read in the storage version.
  if (value === '__proto__') return { pointer, rule: 'index', detail: `${key} must not be "__proto__"` };
  if (keyOf(index, element) !== undefined)
    return { pointer, rule: 'key', detail: `${key} repeats that of an earlier element` };
  const form = type === 'string' ? 'a string' : 'an integer';
  return { pointer, rule: 'type', detail: `${key} must be ${form}` };
}

/** Returns whether an entry's name can be the key of an element. */
function isKey({ type }: Required<Index>, name: string): boolean {
  return type === 'string' || (Number.isSafeInteger(Number(name)) && String(Number(name)) === name);
}

function withKey(index: Required<Index>, name: string, value: Maybe): JsonObject {
  const id = index.type === 'integer' && isKey(index, name) ? Number(name) : name;
  return { [index.key]: id, ...object(value) };
}

function withoutKey({ key }: Index, element: Maybe): Maybe {
  if (!isObject(element)) return element;
  const { [key]: _, ...rest } = element;
  return rest;
}

/** Returns the first element of each key. */
function byKey(index: Required<Index>, elements: Maybe): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const element of list(elements)) {
    const key = keyOf(index, element);
    if (key !== undefined && !found.has(key)) found.set(key, element);
  }
  return found;
}

/** Returns the keys in a remembered order; unknown ones come last. */
function ordered(keys: string[], order: Json[]): string[] {
  if (order.length === 0) return keys;
  const all = new Set(keys);
  const known = new Set(order.filter((key): key is string => all.has(key as string)));
  return [...known, ...keys.filter((key) => !known.has(key))];
}
