import type { JsonObject } from '../schema';
import { isObject } from '../schema';
import { EMPTY } from './containers';
import { updateElement, type Lens } from './lens';
import { below, object, isEmpty, own, set, unlessEmpty } from './values';

/** Entries that rules name one by one. */
export interface MapOptions {
  /** Entries of the hub that stand in other fields of the spoke. */
  except?: string[];
  /** Entries of the spoke that stand in other fields of the hub. */
  skip?: string[];
  /** Entries that are converted in their own way. */
  special?: [key: string, value: Lens][];
}

/** A map converted value by value; entries are matched by their keys. */
export function mapOf(each: Lens, { except = [], skip = [], special = [] }: MapOptions = {}): Lens {
  const lenses = new Map(special);
  const lensOf = (key: string): Lens => lenses.get(key) ?? each;
  const hidden = (key: string): boolean => except.includes(key) || skip.includes(key);
  return {
    get(hub, kept) {
      if (!isObject(hub)) return hub;
      const aside = object(kept);
      const shown: JsonObject = {};
      for (const key of Object.keys(hub)) {
        if (!hidden(key)) set(shown, key, lensOf(key).get(hub[key], own(aside, key)));
      }
      const alone = isEmpty(shown) && Object.keys(hub).some((key) => except.includes(key));
      return alone && aside[EMPTY] !== true ? undefined : shown;
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
        if (except.includes(key)) {
          failures.push({
            pointer,
            rule: 'rename',
            detail: 'this entry stands in another field of this version',
          });
          continue;
        }
        if (skip.includes(key)) continue;
        const lens = lensOf(key);
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
      if (kept === undefined || !isObject(after)) return undefined;
      const next: JsonObject = {};
      const aside = object(kept);
      for (const key of Object.keys(aside)) {
        if (key === EMPTY) {
          if (Object.keys(after).every(hidden)) next[EMPTY] = true;
        } else if (Object.hasOwn(after, key))
          set(next, key, lensOf(key).carry(own(before, key), after[key], aside[key]));
      }
      return unlessEmpty(next);
    },

    locate([key, ...rest], hub, spoke) {
      return key === undefined ? [] : [key, ...lensOf(key).locate(rest, own(hub, key), own(spoke, key))];
    },
  };
}
