import { isEmpty, object, unlessEmpty } from '../../model/fields/members';
import { own, same, set } from '../../model/fields/values';
import { below } from '../../model/fragment';
import { isObject, type JsonObject } from '../../model/schema';
import { addMisplaced, carriedMark, isHidden, mapValues, unlessChanged } from '../lenses/containers';
import { type Lens, trimmed, updateElement } from '../lenses/lens';
import { lensOf, type OptionsFirst, optionsFirst } from '../objects/object-lens';
import type { Shape } from '../objects/sources';

/** Entries that rules name one by one. */
interface MapOptions {
  /** Entries of the hub that belong to other fields of the spoke. */
  except?: string[];
  /** Entries of the spoke that belong to other fields of the hub. */
  skip?: string[];
  /** Entries with a conversion of their own. */
  special?: [key: string, value: Lens | Shape][];
}

/** A map converted value by value; entries are matched by their keys. */
export function mapOf(...given: OptionsFirst<MapOptions>): Lens {
  const [{ except = [], skip = [], special = [] } = {}, each] = optionsFirst(given);
  const lenses = new Map(special.map(([key, value]) => [key, lensOf(value)]));
  const lensFor = (key: string): Lens => lenses.get(key) ?? each;
  const hidden = (key: string): boolean => except.includes(key) || skip.includes(key);
  const isElsewhere = (hub: JsonObject): boolean => Object.keys(hub).some((key) => except.includes(key));
  return {
    isPartial: except.length > 0,

    get(hub, kept) {
      if (Array.isArray(kept)) return kept[0];
      if (!isObject(hub)) return hub;
      const aside = object(kept);
      const shown: JsonObject = {};
      for (const key of Object.keys(hub)) {
        if (!hidden(key)) set(shown, key, lensFor(key).get(hub[key], own(aside, key)));
      }
      return isEmpty(shown) && isHidden(isElsewhere(hub), aside) ? undefined : shown;
    },

    put(sent, old, at, failures) {
      const stored = object(old?.hub);
      if (sent === undefined) {
        const left: JsonObject = {};
        for (const key of except) set(left, key, own(stored, key));
        return { hub: unlessEmpty(left), kept: undefined };
      }
      if (!isObject(sent)) return { hub: sent, kept: undefined };
      const read = object(old?.read);
      const aside = object(old?.kept);
      const hub: JsonObject = {};
      const kept: JsonObject = {};
      for (const key of Object.keys(stored)) {
        const unseen = hidden(key) || !Object.hasOwn(read, key);
        if (unseen || Object.hasOwn(sent, key)) set(hub, key, stored[key]);
      }
      for (const key of Object.keys(sent)) {
        const pointer = below(at, key);
        if (skip.includes(key)) continue;
        if (except.includes(key)) {
          addMisplaced(failures, pointer, 'entry');
          continue;
        }
        const lens = lensFor(key);
        const put = updateElement(
          lens,
          sent[key],
          own(read, key),
          own(stored, key),
          own(aside, key),
          pointer,
          failures,
        );
        set(hub, key, put.hub);
        set(kept, key, put.kept);
      }
      return { hub, kept: unlessEmpty(kept) };
    },

    carry(before, after, kept) {
      if (Array.isArray(kept)) return unlessChanged(before, after, kept);
      if (!isObject(after)) return undefined;
      if (same(before, after)) return kept;
      const next: JsonObject = {};
      const aside = object(kept);
      for (const key of Object.keys(after))
        if (!hidden(key)) set(next, key, lensFor(key).carry(own(before, key), after[key], own(aside, key)));
      // An empty map stays when its first entry belongs elsewhere.
      if (Object.keys(after).every(hidden))
        Object.assign(next, carriedMark(aside, before, isElsewhere(after)));
      return unlessEmpty(next);
    },

    trim: (sent) => mapValues(sent, (value, key) => trimmed(lensFor(key), value)),

    locate([key, ...rest], hub, spoke) {
      return key === undefined ? [] : [key, ...lensFor(key).locate(rest, own(hub, key), own(spoke, key))];
    },
  };
}
