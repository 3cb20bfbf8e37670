import { isObject, type Json } from '../schema';
import { own, same } from './values';

/**
 * Returns the former index of each element of a list before a write, or -1 for a new one.
 *
 * With a key, elements are matched by it. Without one, elements that equal an earlier element are that element; the
 * rest match by position. Elements without a usable key (they break the list's rules) match as without one.
 */
export function partners(now: Json[], before: Json[], key: string | undefined): number[] {
  const found = new Array<number>(now.length).fill(-1);
  const taken = new Array<boolean>(before.length).fill(false);
  const pair = (i: number, j: number) => {
    found[i] = j;
    taken[j] = true;
  };
  if (key !== undefined) matchKeys(now, before, key, found, pair);
  const usable = (element: Json) => key === undefined || !isKey(own(element, key));
  const open = (i: number) => found[i] === -1 && usable(now[i]);
  const free = (j: number) => j < before.length && !taken[j] && usable(before[j]);

  for (let i = 0; i < now.length; i++) if (open(i) && free(i) && same(now[i], before[i])) pair(i, i);
  matchEqual(now, before, open, free, pair);
  for (let i = 0; i < now.length; i++) if (open(i) && free(i)) pair(i, i);
  return found;
}

type Pair = (i: number, j: number) => void;

function matchKeys(now: Json[], before: Json[], key: string, found: number[], pair: Pair): void {
  const places = new Map<Json, number>();
  before.forEach((element, j) => {
    const value = own(element, key);
    if (isKey(value) && !places.has(value)) places.set(value, j);
  });
  now.forEach((element, i) => {
    const value = own(element, key);
    const j = isKey(value) ? places.get(value) : undefined;
    if (j === undefined || found[i] !== -1) return;
    pair(i, j);
    places.delete(value as Json);
  });
}

/** Matches equal elements, in order, by their canonical text: a shuffled list of thousands stays cheap. */
function matchEqual(
  now: Json[],
  before: Json[],
  open: (i: number) => boolean,
  free: (j: number) => boolean,
  pair: Pair,
): void {
  const waiting = now.flatMap((_, i) => (open(i) ? [i] : []));
  if (waiting.length === 0) return;
  const places = new Map<string, number[]>();
  for (let j = before.length - 1; j >= 0; j--) {
    if (!free(j)) continue;
    const text = canonical(before[j]);
    const same = places.get(text);
    if (same) same.push(j);
    else places.set(text, [j]);
  }
  if (places.size === 0) return;
  for (const i of waiting) {
    const j = places.get(canonical(now[i]))?.pop();
    if (j !== undefined) pair(i, j);
  }
}

function isKey(value: unknown): value is Json {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function canonical(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    isObject(inner) ? Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)) : inner,
  );
}
