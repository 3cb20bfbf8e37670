import { object, unlessEmpty } from '../../model/fields/members';
import { own, set } from '../../model/fields/values';
import { isObject, type JsonObject } from '../../model/schema';
import { present, unlessChanged, unlessGone } from '../lenses/containers';
import { type Lens, type Old, trimmed } from '../lenses/lens';
import { counterparts, locateIn } from './object-places';
import { readObject } from './object-reading';
import { ObjectTable } from './object-table';
import { type Before, writeObject } from './object-writing';
import { isLens, type ObjectOptions, type Shape } from './sources';
import { type Container, fieldAt, namedValues, valueAt } from './trees';

const nothing = object(undefined);
const unmade: Before = Object.freeze({ made: true, stored: nothing, aside: nothing, read: nothing });

/** Makes the lens of two objects. Its table is looked up once, here. */
export function fields(shape: Shape, options: ObjectOptions = {}): Lens {
  const table = new ObjectTable(shape, options, lensOf);
  const pairs = counterparts(table);
  return {
    get: (hub, kept) => (isObject(hub) ? readObject(table, hub, isObject(kept) ? kept : undefined) : hub),
    put(sent, old, at, failures) {
      if (!isObject(sent)) return { hub: sent, kept: undefined };
      const { hub, kept } = writeObject(table, sent, beforeWrite(old), at, failures);
      return { hub, kept: unlessEmpty(kept) };
    },
    carry(before, after, kept) {
      if (!isObject(before) || !isObject(after)) return undefined;
      return unlessEmpty(carryScope(table, before, after, object(kept)));
    },
    trim: (sent) => (isObject(sent) ? trimmedObject(table.spoke.root, sent) : sent),
    locate: (path, hub, spoke) => locateIn(pairs, path, hub, spoke),
    wholes: wholesIn(table),
  };
}

function wholesIn({ several }: ObjectTable): { [spoke: string]: string[] } {
  return Object.fromEntries(
    several.flatMap(({ hub, spoke }) => {
      const wholes = hub.flatMap(([, { pointer }]) => pointer ?? []);
      return spoke.flatMap(([, { pointer }]) => (pointer === undefined ? [] : [[pointer, wholes]]));
    }),
  );
}

/** Returns the lens itself, or the lens of an object with these fields. */
export function lensOf(source: Lens | Shape): Lens {
  return isLens(source) ? source : fields(source);
}

/** The lens of the content of a list, map or other value, after its options. */
export type OptionsFirst<Options> = [inside: Lens | Shape] | [options: Options, inside: Lens | Shape];

/** Returns the options, if there are any, and the lens of the content. */
export function optionsFirst<Options>(
  given: OptionsFirst<Options>,
): [options: Options | undefined, inside: Lens] {
  return given.length === 1 ? [undefined, lensOf(given[0])] : [given[0], lensOf(given[1])];
}

function beforeWrite(old: Old | undefined): Before {
  if (old === undefined || !isObject(old.hub)) return unmade;
  const { hub, kept, read, isUnwritten = false } = old;
  return { made: isUnwritten, stored: hub, aside: object(kept), read: object(read) };
}

/** Returns an object of this version without dropped fields. */
function trimmedObject({ rows }: Container, sent: JsonObject): JsonObject {
  const left = { ...sent };
  for (const { kind, place, link, group } of rows) {
    const { name } = place;
    const value = own(left, name);
    if (value === undefined) continue;
    if (kind === 'dropped') delete left[name];
    else if (group?.kind === 'object' && isObject(value)) set(left, name, trimmedObject(group, value));
    else if (link?.lens !== undefined) set(left, name, trimmed(link.lens, value));
  }
  return left;
}

/** Returns the preserved values after another version changed the stored object from `before` to `after`. */
function carryScope(
  { hub, spoke, links, several, own: mine }: ObjectTable,
  before: JsonObject,
  after: JsonObject,
  aside: JsonObject,
): JsonObject {
  const [was, now] = [hub.valuesIn(before), hub.valuesIn(after)];
  const kept: JsonObject = {};
  /** A field that only this version has stays, unless the storage version lost its parent object. */
  const stay = (key: string, container: Container) => {
    const around = container.paired?.pair?.place;
    const value = own(aside, key);
    if (around === undefined) set(kept, key, value);
    else set(kept, key, unlessGone(valueAt(was, around), valueAt(now, around), value));
  };
  for (const {
    lens,
    hub: place,
    spoke: { path },
  } of links) {
    if (lens !== undefined)
      set(kept, path, lens.carry(fieldAt(was, place), fieldAt(now, place), own(aside, path)));
  }
  for (const { hub: fields, key } of several)
    set(kept, key, unlessChanged(namedValues(was, fields), namedValues(now, fields), own(aside, key)));
  for (const place of mine) stay(place.path, place.holder);
  for (const container of spoke.all) {
    const { kind, link, pair, place, presenceKey, undeclaredKey } = container;
    if (kind === 'object') stay(undeclaredKey, container);
    if (place === undefined) continue;
    if (kind !== 'object') {
      if (link === undefined) stay(place.path, container);
    } else if (pair === undefined) stay(presenceKey, container);
    else {
      const shown = [was, now].map((values) => present(valueAt(values, pair.place!), pair.elsewhere));
      set(kept, presenceKey, unlessChanged(shown[0], shown[1], own(aside, presenceKey)));
    }
  }
  return kept;
}
