import { object, unlessEmpty } from '../../model/fields/members';
import { partners } from '../../model/fields/partners';
import { list, type Maybe, own, same, set } from '../../model/fields/values';
import { below } from '../../model/fragment';
import type { Json, JsonObject } from '../../model/schema';
import type { Failures } from '../../model/versions/spoke-converter';
import { addMisplaced, carriedMark, isHidden, perList, unlessChanged } from '../lenses/containers';
import { type Lens, type Put, trimmed, updateElement } from '../lenses/lens';
import { lensOf, type OptionsFirst, optionsFirst } from '../objects/object-lens';
import type { Shape } from '../objects/sources';

/** Options of a list, above all the identity of its elements. */
interface ListOptions {
  /** The field of the hub's elements that identifies them. */
  hubKey?: string;
  /** The same of the spoke's elements. */
  spokeKey?: string;
  /** Keys of the hub's elements that belong to other fields of the spoke. */
  except?: Json[];
  /** Elements with a conversion of their own, by their key in the hub. */
  special?: [key: Json, element: Lens | Shape][];
}

/**
 * A list converted element by element. Preserved values are stored by the element's position among those that do not
 * belong to other fields, and follow the element. A list of the hub whose elements all belong to other fields is not
 * shown, unless it was written empty. An element without a value in the spoke is not shown either, and stays.
 */
export function listOf(...given: OptionsFirst<string | ListOptions>): Lens {
  const [options = {}, each] = optionsFirst(given);
  const named = typeof options === 'string' ? { hubKey: options, spokeKey: options } : options;
  const { hubKey, spokeKey, except = [], special = [] }: ListOptions = named;
  const lenses = new Map(special.map(([key, element]): [Maybe, Lens] => [key, lensOf(element)]));
  const lensFor = (one: Maybe): Lens =>
    (lenses.size > 0 && hubKey !== undefined && lenses.get(own(one, hubKey))) || each;
  const other = (value: Json, key: string | undefined): boolean => {
    const id = key === undefined ? undefined : own(value, key);
    return id !== undefined && except.includes(id);
  };
  const visible = (value: Maybe): Json[] =>
    except.length === 0 ? list(value) : list(value).filter((one) => !other(one, hubKey));

  const shownBy = (one: Json, aside: Maybe): Maybe => lensFor(one).get(one, aside);

  const visibleBefore = perList((hub) => countsBefore(hub, (one) => !other(one, hubKey)));
  const shownBefore = perList((hub) =>
    countsBefore(hub, (one) => !other(one, hubKey) && shownBy(one, undefined) !== undefined),
  );

  return {
    isPartial: except.length > 0,

    get(hub, kept) {
      if (Array.isArray(kept)) return kept[0];
      if (!Array.isArray(hub)) return hub;
      const aside = object(kept);
      const own = visible(hub);
      if (own.length === 0 && isHidden(hub.length > 0, aside)) return undefined;
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
        const j = partner[i];
        const place = seen[j] ?? j;
        const by = (lens: Lens, to: Failures) =>
          updateElement(lens, one, read[j], stored[place], aside[place], pointer, to);
        // The key may be converted too: only a write shows which element of the hub it is.
        const element = lenses.size === 0 ? each : lensFor(by(each, { found: [] }).hub);
        const put = by(element, failures);
        if (other(put.hub, hubKey)) addMisplaced(failures, pointer, 'element');
        return put;
      });
      const all = withOthers(
        puts,
        unseen.map((place) => ({ one: { hub: stored[place], kept: aside[place] }, place })),
      );
      const kept: JsonObject = {};
      all.forEach((put, i) => set(kept, String(i), put.kept));
      const hub = withOthers(
        all.map((put) => put.hub),
        others,
      );
      return { hub, kept: unlessEmpty(kept) };
    },

    carry(before, after, kept) {
      if (Array.isArray(kept)) return unlessChanged(before, after, kept);
      if (!Array.isArray(after)) return undefined;
      if (same(before, after)) return kept;
      const aside = object(kept);
      const [was, now] = [visible(before), visible(after)];
      const partner = partners(now, was, hubKey);
      const next: JsonObject = {};
      now.forEach((one, i) => {
        const j = partner[i];
        if (j !== -1) set(next, String(i), lensFor(one).carry(was[j], one, aside[j]));
      });
      // An empty list stays when its first element belongs elsewhere.
      if (now.length === 0) Object.assign(next, carriedMark(aside, before, after.length > 0));
      return unlessEmpty(next);
    },

    trim: (sent) => (Array.isArray(sent) ? sent.map((one) => trimmed(each, one)) : sent),

    locate([step, ...rest], hub, spoke) {
      if (step === undefined) return [];
      const all = list(hub);
      const one = all[Number(step)];
      const isVisible = one !== undefined && !other(one, hubKey);
      const hasOthers = except.length > 0;
      const hasUnseen = list(spoke).length < (hasOthers ? visibleBefore(all)[all.length] : all.length);
      const before = hasUnseen ? shownBefore : visibleBefore;
      const index = isVisible && (hasOthers || hasUnseen) ? String(before(all)[Number(step)]) : step;
      return [index, ...lensFor(one).locate(rest, one, list(spoke)[Number(index)])];
    },
  };
}

/** Returns the number of elements that are meant before each element of a list, and then of all. */
function countsBefore(elements: Json[], isMeant: (one: Json) => boolean): number[] {
  let count = 0;
  const counts = elements.map((one) => (isMeant(one) ? count++ : count));
  return [...counts, count];
}

/** Returns a list with others put in: each at its place in the result, or at the end. Their places ascend. */
function withOthers<T>(elements: T[], others: { one: T; place: number }[]): T[] {
  if (others.length === 0) return elements;
  const result: T[] = [];
  let next = 0;
  for (const element of elements) {
    while (others[next]?.place === result.length) result.push(others[next++].one);
    result.push(element);
  }
  for (; next < others.length; next++) result.push(others[next].one);
  return result;
}
