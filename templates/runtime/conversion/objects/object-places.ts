import { position } from '../../model/fields/members';
import { type Maybe, own, stepInto } from '../../model/fields/values';
import { copy, type Lens } from '../lenses/lens';
import type { ObjectTable } from './object-table';
import type { Container, Link, Place, SeveralLink } from './trees';

/** A place of the storage version's object, the place of this version's that shows it, and their content. */
interface Counterpart {
  hub: Place[];
  spoke: Place[];
  inside: Pick<Lens, 'locate'>;
}

/** Returns the corresponding places of two objects, each as the places on the way to it. */
export function counterparts({ links, several, hub }: ObjectTable): Counterpart[] {
  const whole = { locate: () => [] };
  const pair = (one: Place, other: Place, inside: Pick<Lens, 'locate'>): Counterpart => ({
    hub: wayTo(one),
    spoke: wayTo(other),
    inside,
  });
  return [
    ...links.map((link) => pair(link.hub, link.spoke, link.lens ?? copy)),
    ...several.flatMap((one) => one.hub.map(([, place]) => pair(place, one.spoke[0][1], whole))),
    ...hub.all.flatMap((container) => {
      const shown = container.pair?.place ?? firstInside(container, links, several);
      return container.place === undefined || shown === undefined
        ? []
        : [pair(container.place, shown, whole)];
    }),
  ];
}

/** Returns the first field of this version that shows a part of a container of the storage version. */
function firstInside(container: Container, links: Link[], several: SeveralLink[]): Place | undefined {
  if (container.link !== undefined) return container.link.spoke;
  const isInside = (place: Place): boolean => wayTo(place).some(({ holder }) => holder === container);
  const link = links.find(({ hub }) => isInside(hub));
  return link?.spoke ?? several.find(({ hub }) => hub.some(([, place]) => isInside(place)))?.spoke[0][1];
}

function wayTo(place: Place): Place[] {
  return place.holder.place === undefined ? [place] : [...wayTo(place.holder.place), place];
}

/** Returns the path in this version of a path in the storage version, as far as it can be followed. */
export function locateIn(pairs: Counterpart[], path: string[], hub: Maybe, spoke: Maybe): string[] {
  // The place that shares the most steps with the path; a container of the hub stands for the fields inside it.
  let best: { pair: Counterpart; shared: number; whole: boolean; value: Maybe } | undefined;
  for (const pair of pairs) {
    const { shared, value } = follow(pair.hub, path, hub);
    const whole = shared === pair.hub.length;
    if (shared === 0 || (!whole && shared < path.length)) continue;
    const better =
      best === undefined || shared > best.shared || (shared === best.shared && whole && !best.whole);
    if (better) best = { pair, shared, whole, value };
  }
  if (best === undefined) return [];
  const { pointer, value } = resolve(best.pair.spoke, spoke);
  if (!best.whole) return pointer;
  return [...pointer, ...best.pair.inside.locate(path.slice(best.shared), best.value, value)];
}

function follow(way: Place[], path: string[], hub: Maybe): { shared: number; value: Maybe } {
  let value = hub;
  for (let shared = 0; shared < way.length; shared++) {
    const name = path[shared];
    if (name === undefined || !isStep(way[shared], value, name)) return { shared, value };
    value = stepInto(value, name);
  }
  return { shared: way.length, value };
}

function resolve(way: Place[], spoke: Maybe): { pointer: string[]; value: Maybe } {
  const pointer: string[] = [];
  let value = spoke;
  for (const place of way) {
    const step = stepOf(place, value);
    if (step === '-1') break;
    pointer.push(step);
    value = stepInto(value, step);
  }
  return { pointer, value };
}

/** Returns whether a step leads to a place. The position of an element is found only where it is that element. */
function isStep(place: Place, inside: Maybe, step: string): boolean {
  const { element } = place;
  if (element !== undefined && own(stepInto(inside, step), element.key) !== element.value) return false;
  return stepOf(place, inside) === step;
}

function stepOf({ name, element }: Place, inside: Maybe): string {
  return element === undefined ? name : String(position(inside, element.key, element.value));
}
