import { fresh, isEmpty, keep, object } from '../../model/fields/members';
import { type Maybe, own, same, set } from '../../model/fields/values';
import type { JsonObject } from '../../model/schema';
import type { Failures } from '../../model/versions/spoke-converter';
import {
  closed,
  emptied,
  isForeign,
  keyed,
  linked,
  opened,
  others,
  placed,
  presence,
  preservedForeign,
  preserveUnshown,
  residue,
  undeclared,
  unkeyed,
  withElement,
} from '../lenses/containers';
import { updateSeveral } from '../lenses/joining';
import { update } from '../lenses/lens';
import { isRelated } from '../lenses/unconverted';
import { isNatural } from './object-reading';
import type { ObjectTable } from './object-table';
import {
  type Container,
  fieldAt,
  type Link,
  namedValues,
  type Place,
  pointerTo,
  type SeveralLink,
  valueAt,
  type Values,
} from './trees';

/** The stored state of an object that a write changes. It is empty for a new object. */
export interface Before {
  /** True if the write creates the object, or is the first one of an object that has only defaults. */
  made: boolean;
  stored: JsonObject;
  aside: JsonObject;
  read: JsonObject;
}

/** The result of writing an object: the storage version's, and the preserved values of this version. */
interface Written {
  hub: JsonObject;
  kept: JsonObject;
}

/**
 * Writes an object that a client sent. It starts from the stored object, opens the inner objects in which single fields
 * are written, sets the fields, and closes them again.
 */
export function writeObject(
  table: ObjectTable,
  sent: JsonObject,
  before: Before,
  at: string,
  failures: Failures,
): Written {
  const writing = new Writing(table, sent, before, at, failures);
  return writing.run();
}

class Writing {
  private readonly sent: Values;
  private readonly read: Values;
  private readonly stored: Values;
  private readonly hub: Values;
  private readonly kept: JsonObject = {};
  /** The elements that are fields, until their lists are closed. */
  private elements: Map<Place, Maybe> | undefined;

  constructor(
    private readonly table: ObjectTable,
    sent: JsonObject,
    private readonly before: Before,
    private readonly at: string,
    private readonly failures: Failures,
  ) {
    this.sent = table.spoke.valuesIn(sent);
    this.read = table.spoke.valuesIn(before.read);
    this.stored = table.hub.valuesIn(before.stored);
    this.hub = [{ ...before.stored }];
  }

  run(): Written {
    const { table, kept } = this;
    this.open(table.hub.root);
    for (const link of table.fieldLinks) this.link(link);
    for (const several of table.several) this.several(several);
    for (const place of table.own) set(kept, place.path, fieldAt(this.sent, place));
    this.close(table.hub.root);
    this.keep(table.spoke.root);
    for (const { hub, spoke, lens } of table.wholeLinks)
      if (lens?.isPartial)
        preserveUnshown(kept, spoke.path, fieldAt(this.sent, spoke), fieldAt(this.hub, hub));
    const hub = this.hub[0] as JsonObject;
    if (this.before.made) {
      for (const [name, value] of Object.entries(table.hub.root.defaults))
        if (!Object.hasOwn(hub, name)) set(hub, name, fresh(value));
    }
    return { hub, kept };
  }

  private link({ hub, spoke, lens, isDefaulted }: Link): void {
    const sent = fieldAt(this.sent, spoke);
    const stored = fieldAt(this.stored, hub);
    if (lens === undefined) {
      // Most fields of a short object in a long list.
      if (sent === undefined && stored === undefined) return;
      this.put(hub, keep(sent, stored, isDefaulted ? fieldAt(this.read, spoke) : undefined));
      return;
    }
    const read = fieldAt(this.read, spoke);
    const aside = own(this.before.aside, spoke.path);
    const put = update(lens, sent, read, stored, aside, pointerTo(this.at, this.sent, spoke), this.failures);
    this.put(hub, put.hub);
    set(this.kept, spoke.path, put.kept);
  }

  private several(several: SeveralLink): void {
    const { earlier } = this.failures;
    if (earlier !== undefined && this.hasFailed(several, earlier)) return;
    const { rule, hub, spoke, key } = several;
    const put = updateSeveral(
      rule,
      namedValues(this.sent, spoke),
      namedValues(this.read, spoke),
      namedValues(this.stored, hub),
      own(this.before.aside, key),
      pointerTo(this.at, this.sent, spoke[0][1]),
      this.failures,
    );
    for (const [name, place] of hub) this.put(place, own(put.hub, name));
    set(this.kept, key, put.kept);
  }

  /** Returns whether one of several fields has failed. Then the first one counts as failed: it stands for all. */
  private hasFailed({ spoke }: SeveralLink, earlier: string[]): boolean {
    const pointers = spoke.map(([, place]) => pointerTo(this.at, this.sent, place));
    if (!pointers.some((pointer) => isRelated(pointer, earlier))) return false;
    if (!isRelated(pointers[0], earlier)) earlier.push(pointers[0]);
    return true;
  }

  /** Sets a field of the storage version; an element waits for its list to be closed. */
  private put(place: Place, value: Maybe): void {
    if (place.element === undefined) set(this.hub[place.holder.index] as JsonObject, place.name, value);
    else (this.elements ??= new Map()).set(place, value);
  }

  /** Opens the containers of the storage version inside one, the outer ones first. */
  private open(holder: Container): void {
    for (const child of holder.children) {
      const { index, kind, link, place } = child;
      // A list or map is written before the single elements or entries are put into it.
      if (link !== undefined) this.link(link);
      const shownIn = shownWith(child);
      if (kind !== 'list') {
        const from = link === undefined ? valueAt(this.stored, place!) : valueAt(this.hub, place!);
        this.hub[index] =
          shownIn === undefined
            ? { ...object(from) }
            : opened(from, valueAt(this.sent, shownIn), valueAt(this.read, shownIn));
      }
      this.open(child);
    }
  }

  /** Closes the containers of the storage version inside one, the inner ones first. */
  private close(holder: Container): void {
    for (const child of holder.children) {
      if (child.place!.element !== undefined) continue;
      if (child.kind === 'list') this.closeList(child);
      else this.close(child);
      const value = this.foreign(child) ?? this.closed(child, holder);
      this.put(child.place!, value);
      this.hub[child.index] = child.kind === 'list' ? value : object(value);
    }
  }

  /**
   * Returns the value of another type that the storage version has, or gets, in place of an object or map. It stays
   * until a field is written inside it, as a value that passes unchanged.
   */
  private foreign(child: Container): Maybe {
    const { index, kind, link, pair, place } = child;
    if (kind === 'list' || !isEmpty(object(this.hub[index]))) return undefined;
    if (link !== undefined) return foreignOf(valueAt(this.hub, place!));
    const shownIn = shownWith(child);
    const [sent, read] = [this.sent, this.read].map((values) => shownIn && valueAt(values, shownIn));
    if (pair !== undefined && isForeign(sent)) return sent;
    const isReplaced = pair !== undefined && isForeign(read);
    const isRemoved = read !== undefined && sent === undefined;
    return isReplaced || isRemoved ? undefined : foreignOf(valueAt(this.stored, place!));
  }

  private closed(
    { index, kind, link, pair, place, defaults, ...child }: Container,
    holder: Container,
  ): Maybe {
    const now = this.hub[index];
    const stored = valueAt(this.stored, place!);
    // A required container comes with its parent object: always in the root, elsewhere where the parent exists already.
    const required =
      child.required && (holder.place === undefined || valueAt(this.stored, holder.place) !== undefined);
    if (link !== undefined) return linked(now, fieldAt(this.sent, link.spoke), required);
    if (kind === 'list') return emptied(now, stored, required);
    if (pair === undefined) return closed(now as JsonObject, stored, defaults, required);
    const [sent, read] = [valueAt(this.sent, pair.place!), valueAt(this.read, pair.place!)];
    return placed(now as JsonObject, stored, sent, read, defaults, required);
  }

  private closeList(list: Container): void {
    let elements = valueAt(this.hub, list.place!);
    for (const child of list.children) {
      this.close(child);
      const { key, value } = child.place!.element!;
      const stored = valueAt(this.stored, child.place!);
      const element = closed(this.hub[child.index] as JsonObject, stored, {
        [key]: value,
        ...child.defaults,
      });
      elements = withElement(elements, key, value, keyed(key, value, element));
    }
    for (const place of list.elements) {
      const { key, value } = place.element!;
      elements = withElement(elements, key, value, keyed(key, value, this.elements?.get(place)));
    }
    this.hub[list.index] = elements;
  }

  /** Preserves the members of this version's containers besides their fields, and the presence of the containers. */
  private keep(holder: Container): void {
    if (holder.kind === 'object')
      set(
        this.kept,
        holder.undeclaredKey,
        undeclared(this.sent[holder.index] as JsonObject, holder.declared),
      );
    for (const child of holder.children) {
      const place = child.place!;
      const sent = valueAt(this.sent, place);
      if (child.kind === 'object') {
        const object = place.element === undefined ? sent : unkeyed(place.element.key, sent);
        if (isForeign(object)) {
          const taken = child.pair && valueAt(this.hub, child.pair.place!);
          set(this.kept, child.presenceKey, same(taken, object) ? undefined : preservedForeign(object));
          continue;
        }
        const dropped = child.rows.flatMap((row) => (row.kind === 'dropped' ? [row.place.name] : []));
        set(
          this.kept,
          child.presenceKey,
          presence(object, isNatural(child, this.hub), dropped, child.defaults),
        );
      } else if (child.link === undefined) set(this.kept, place.path, rest(child, sent));
      this.keep(child);
    }
  }
}

function foreignOf(value: Maybe): Maybe {
  return isForeign(value) ? value : undefined;
}

/** Returns the elements or entries of a list or map of this version that come from nowhere else. */
function rest({ kind, rows }: Container, sent: Maybe): Maybe {
  const places = rows.flatMap(({ place, kind }) => (kind === 'dropped' ? [] : [place]));
  if (kind === 'map')
    return others(
      sent,
      places.map(({ name }) => name),
    );
  const key = rows[0].place.element!.key;
  return residue(
    sent,
    key,
    places.map(({ element }) => element!.value),
  );
}

/** Returns the object of this version that a container of the storage version is shown in, and removed with. */
function shownWith(container: Container): Place | undefined {
  const { paired } = container;
  if (paired === undefined) return undefined;
  let inside = container;
  while (inside !== paired && inside.place!.holder !== paired) inside = inside.place!.holder;
  const isElsewhere = inside !== paired && paired.elsewhere.includes(inside.place!.name);
  return isElsewhere ? undefined : paired.pair!.place;
}
