import { object, unlessEmpty } from '../../model/fields/members';
import { partners } from '../../model/fields/partners';
import { list, type Maybe, same, set } from '../../model/fields/values';
import { below } from '../../model/fragment';
import type { Json, JsonObject } from '../../model/schema';
import { fitting, type Lens, trimmed, update, updateElement } from '../lenses/lens';
import { type OptionsFirst, optionsFirst } from '../objects/object-lens';

/** Options of the list. */
interface WrapOptions {
  required?: boolean;
  /** The field that identifies its elements. */
  key?: string;
}

/** Options of a list of the spoke. */
interface FirstOptions extends WrapOptions {
  /** Values that the hub gets by defaults where it has none. */
  presets?: Json[];
}

/** A list of the hub that the spoke shows as one value, its first element. The other elements stay in the hub. */
export function firstOfHub(...given: OptionsFirst<WrapOptions>): Lens {
  const [options = {}, element] = optionsFirst(given);
  return {
    get(hub, kept) {
      if (hub !== undefined && !Array.isArray(hub)) return hub;
      return hub === undefined || hub.length === 0 ? undefined : element.get(hub[0], kept);
    },

    put(sent, old, at, failures) {
      if (sent === undefined) return { hub: options.required ? [] : undefined, kept: undefined };
      const [first, ...rest] = list(old?.hub);
      const put = updateElement(element, sent, old?.read, first, old?.kept, at, failures);
      return { hub: [put.hub, ...rest], kept: put.kept };
    },

    carry(before, after, kept) {
      const [first] = list(after);
      const [partner] = partners(list(after), list(before), options.key);
      return partner === 0 && first !== undefined ? element.carry(list(before)[0], first, kept) : undefined;
    },

    locate: ([place, ...rest], hub, spoke) =>
      place === '0' ? element.locate(rest, list(hub)[0], spoke) : [],

    trim: (sent) => trimmed(element, sent),
  };
}

/**
 * A list of the spoke of which the hub stores the first element. The tail is preserved until the first
 * element changes as the spoke reads it, an empty list until the hub has a value other than its default.
 */
export function firstOfSpoke(...given: OptionsFirst<FirstOptions>): Lens {
  const [options = {}, element] = optionsFirst(given);
  const { presets = [] } = options;
  const isUnset = (hub: Maybe): boolean => hub === undefined || presets.some((preset) => same(hub, preset));
  return fitting(Array.isArray, {
    get(hub, kept) {
      const aside = object(kept);
      if (aside.empty === true && isUnset(hub)) return [];
      if (hub === undefined) return options.required ? [] : undefined;
      const first = element.get(hub, aside.first);
      return first === undefined ? [] : [first, ...list(aside.rest)];
    },

    put(sent, old, at, failures) {
      if (!Array.isArray(sent)) return { hub: sent, kept: undefined };
      if (sent.length === 0) return { hub: undefined, kept: { empty: true } };
      const [first, ...rest] = sent;
      const read = list(old?.read);
      const stays = read.length === 0 || partners(sent, read, options.key)[0] === 0;
      const put = stays
        ? update(element, first, read[0], old?.hub, object(old?.kept).first, below(at, 0), failures)
        : element.put(first, undefined, below(at, 0), failures);
      const kept: JsonObject = {};
      set(kept, 'first', put.kept);
      if (rest.length > 0) kept.rest = rest.map((one) => trimmed(element, one));
      return { hub: put.hub, kept: unlessEmpty(kept) };
    },

    carry(before, after, kept) {
      if (kept === undefined || same(before, after)) return kept;
      if (after === undefined) return undefined;
      const { first: was, rest } = object(kept);
      const first = element.carry(before, after, was);
      const next: JsonObject = {};
      set(next, 'first', first);
      // The hub's object may have fields of which the spoke knows nothing.
      if (same(element.get(before, was), element.get(after, first))) set(next, 'rest', rest);
      return unlessEmpty(next);
    },

    trim: (sent) => (Array.isArray(sent) ? sent.map((one) => trimmed(element, one)) : sent),
    locate: (path, hub, spoke) => ['0', ...element.locate(path, hub, list(spoke)[0])],
  });
}
