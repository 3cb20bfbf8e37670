import type { Json, JsonObject } from '../schema';
import { EMPTY } from './containers';
import { updateElement, type Lens, type Put } from './lens';
import { partners } from './partners';
import { below, list, object, own, set, unlessEmpty, type Maybe } from './values';

/** How the elements of two lists are told apart. */
export interface ListOptions {
  /** The field of the hub's elements that identifies them. */
  hubKey?: string;
  /** The same of the spoke's elements. */
  spokeKey?: string;
  /** Keys of the hub's elements that stand in other fields of the spoke. */
  except?: Json[];
  /** Elements that are converted in their own way, by their key. */
  special?: [key: Json, element: Lens][];
}

/**
 * A list converted element by element. What is kept aside is stored by the element's place among those that do not
 * stand in other fields, and follows the element. A list of the hub whose elements all stand in other fields is not
 * shown, unless it was written empty. An element that the spoke has no value for is not shown either, and stays.
 */
export function listOf(each: Lens, { hubKey, spokeKey, except = [], special = [] }: ListOptions = {}): Lens {
  const lenses = new Map(special);
  const lensOf = (value: Maybe, key: string | undefined): Lens =>
    (lenses.size > 0 && key !== undefined && lenses.get(own(value, key) ?? null)) || each;
  const other = (value: Json, key: string | undefined): boolean => {
    const id = key === undefined ? undefined : own(value, key);
    return id !== undefined && except.includes(id);
  };
  const visible = (value: Maybe): Json[] =>
    except.length === 0 ? list(value) : list(value).filter((one) => !other(one, hubKey));

  const shownBy = (one: Json, aside: Maybe): Maybe => lensOf(one, hubKey).get(one, aside);

  return {
    get(hub, kept) {
      if (!Array.isArray(hub)) return hub;
      const aside = object(kept);
      const own = visible(hub);
      if (own.length === 0 && hub.length > 0 && aside[EMPTY] !== true) return undefined;
      const shown: Json[] = [];
      own.forEach((one, i) => {
        const value = shownBy(one, aside[i]);
        if (value !== undefined) shown.push(value);
      });
      return shown;
    },

    put(sent, old, at, failures): Put {
      const others = list(old?.hub).flatMap((one, place) => (other(one, hubKey) ? [{ one, place }] : []));
      if (sent === undefined && others.length > 0)
        return { hub: others.map(({ one }) => one), kept: undefined };
      if (!Array.isArray(sent)) return { hub: sent, kept: undefined };
      const stored = visible(old?.hub);
      const aside = object(old?.kept);
      const read = list(old?.read);
      const partner = partners(sent, read, spokeKey);
      const [seen, unseen]: [number[], number[]] = [[], []];
      if (read.length < stored.length)
        stored.forEach((one, i) => (shownBy(one, aside[i]) === undefined ? unseen : seen).push(i));
      const puts = sent.map((one, i): { hub: Json; kept: Maybe } => {
        const pointer = below(at, i);
        if (other(one, spokeKey)) {
          const detail = 'this element stands in another field of this version';
          failures.push({ pointer, rule: 'rename', detail });
        }
        const [j, element] = [partner[i], lensOf(one, spokeKey)];
        const place = seen[j] ?? j;
        return updateElement(element, one, read[j], stored[place], aside[place], pointer, failures);
      });
      for (const i of unseen) puts.splice(i, 0, { hub: stored[i], kept: aside[i] });
      const hub = puts.map((put) => put.hub);
      const kept: JsonObject = {};
      puts.forEach((put, i) => set(kept, String(i), put.kept));
      for (const { one, place } of others) hub.splice(place, 0, one);
      return { hub, kept: unlessEmpty(kept) };
    },

    carry(before, after, kept) {
      if (kept === undefined || !Array.isArray(after)) return undefined;
      const aside = object(kept);
      const [was, now] = [visible(before), visible(after)];
      const partner = partners(now, was, hubKey);
      const next: JsonObject = {};
      now.forEach((one, i) => {
        const j = partner[i];
        if (j === -1 || aside[j] === undefined) return;
        set(next, String(i), lensOf(one, hubKey).carry(was[j], one, aside[j]));
      });
      if (aside[EMPTY] === true && now.length === 0) next[EMPTY] = true;
      return unlessEmpty(next);
    },

    locate([step, ...rest], hub, spoke) {
      if (step === undefined) return [];
      const one = list(hub)[Number(step)];
      const shown = one === undefined ? -1 : visible(hub).indexOf(one);
      const before =
        list(spoke).length < visible(hub).length ? visible(hub).slice(0, Math.max(shown, 0)) : [];
      const unseen = before.filter((each) => shownBy(each, undefined) === undefined);
      const index = shown === -1 ? step : String(shown - unseen.length);
      return [index, ...lensOf(one, hubKey).locate(rest, one, list(spoke)[Number(index)])];
    },
  };
}
