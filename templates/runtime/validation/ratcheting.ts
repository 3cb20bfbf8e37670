import { partners } from '../model/fields/partners';
import { resolved, type Shape, shapeBelow } from '../model/fields/shape';
import { list, type Maybe, own, same } from '../model/fields/values';
import { pointerKeys } from '../model/fragment';
import type { Failure } from '../model/problem';
import { isObject, type Json } from '../model/schema';

/**
 * Returns a predicate for failures: true for a value that a client sends back unchanged. Such a value is accepted, even
 * where the rules of this version are stricter than those it was written by. `before` is the part of the resource as
 * the client read it. Pointers start with the name of the part. An element of a list is compared with its former self,
 * wherever that stood. Each list is compared once: there may be as many failures as elements.
 */
export function unchangedIn(
  after: Json,
  before: Json,
  shape: Shape,
): (failure: Pick<Failure, 'pointer'>) => boolean {
  const lists: Lists = new Map();
  return ({ pointer }) => {
    const [, ...path] = pointerKeys(pointer);
    return wasSo(path, { after, before }, shape, lists);
  };
}

/** A value after a write and before it. */
interface Pair {
  after: Maybe;
  before: Maybe;
}

/** The lists that have been compared, each with the former index of its elements. */
type Lists = Map<Json[], Compared>;

interface Compared {
  before: Maybe;
  isSame: boolean;
  places: number[];
}

function wasSo([step, ...rest]: string[], { after, before }: Pair, shape: Shape, lists: Lists): boolean {
  if (step === undefined) return same(after, before);
  if (Array.isArray(after)) {
    const { isSame, places } = compared(after, before, resolved(shape)['x-list-key'], lists);
    // Elements with a repeated key cannot be distinguished.
    if (isSame) return true;
    const place = places[Number(step)] ?? -1;
    const element = { after: after[Number(step)], before: list(before)[place] };
    return place !== -1 && wasSo(rest, element, shapeBelow(shape, step), lists);
  }
  // A field is missing before, too, only if its parent was there.
  if (!isObject(after) || !isObject(before)) return false;
  const member = { after: own(after, step), before: own(before, step) };
  return wasSo(rest, member, shapeBelow(shape, step), lists);
}

function compared(after: Json[], before: Maybe, key: string | undefined, lists: Lists): Compared {
  const known = lists.get(after);
  if (known !== undefined && known.before === before) return known;
  const isSame = same(after, before);
  const found = { before, isSame, places: isSame ? [] : partners(after, list(before), key) };
  lists.set(after, found);
  return found;
}
