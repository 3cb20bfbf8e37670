import { fresh, object } from '../../model/fields/members';
import { type Maybe, own, set } from '../../model/fields/values';
import type { JsonObject } from '../../model/schema';
import {
  addUndeclared,
  emptied,
  ifForeign,
  ifShown,
  keyed,
  present,
  withElement,
} from '../lenses/containers';
import type { ObjectTable } from './object-table';
import { type Container, fieldAt, type Link, namedValues, type Row, valueAt, type Values } from './trees';

/** Reads an object of the storage version as this version shows it. */
export function readObject(
  table: ObjectTable,
  stored: JsonObject,
  aside: JsonObject | undefined,
): JsonObject {
  const reading = new Reading(table, table.hub.valuesIn(stored), aside);
  const spoke: JsonObject = {};
  for (const row of table.spoke.root.rows) {
    const value = reading.value(row);
    if (value !== undefined) set(spoke, row.place.name, value);
    else if (row.preset !== undefined) set(spoke, row.place.name, fresh(row.preset));
  }
  if (aside !== undefined) addUndeclared(spoke, own(aside, '*'));
  return spoke;
}

/** Returns whether an object is shown although it has no members. */
export function isNatural({ pair, required }: Container, hub: Values): boolean {
  return pair === undefined ? required : present(valueAt(hub, pair.place!), pair.elsewhere);
}

const NONE: JsonObject[] = [];

class Reading {
  private readonly several: JsonObject[];

  constructor(
    table: ObjectTable,
    private readonly hub: Values,
    private readonly aside: JsonObject | undefined,
  ) {
    const { several } = table;
    this.several =
      several.length === 0
        ? NONE
        : several.map((one) => one.rule.get(namedValues(hub, one.hub), own(aside, one.key)));
  }

  value(row: Row): Maybe {
    switch (row.kind) {
      case 'link':
        return this.linked(row.link!);
      case 'own':
        return this.preserved(row.place.path);
      case 'group':
        return this.group(row.group!, row);
      case 'several':
        return own(this.several[row.rule], row.name);
      case 'dropped':
        return undefined;
    }
  }

  private linked({ hub, spoke, lens }: Link): Maybe {
    const value = fieldAt(this.hub, hub);
    return lens === undefined ? value : lens.get(value, this.preserved(spoke.path));
  }

  private preserved(key: string): Maybe {
    return this.aside === undefined ? undefined : own(this.aside, key);
  }

  private group(group: Container, row: Row): Maybe {
    if (group.kind === 'object') return this.object(group);
    const before = row.link === undefined ? this.preserved(row.place.path) : this.linked(row.link);
    const members = group.rows.filter(({ kind }) => kind !== 'dropped');
    if (group.kind === 'map') {
      const entries: JsonObject = { ...object(before) };
      for (const member of members) set(entries, member.place.name, this.value(member));
      return ifForeign(entries, undefined, before) ?? ifShown(entries, before !== undefined, false);
    }
    let elements = before;
    for (const member of members) {
      const { key, value } = member.place.element!;
      elements = withElement(elements, key, value, keyed(key, value, this.value(member)));
    }
    return emptied(elements, before, group.required);
  }

  private object(group: Container): Maybe {
    const spoke: JsonObject = {};
    for (const row of group.rows) {
      const value = this.value(row);
      if (value !== undefined) set(spoke, row.place.name, value);
    }
    addUndeclared(spoke, this.preserved(group.undeclaredKey));
    const aside = this.preserved(group.presenceKey);
    const hub = group.pair === undefined ? undefined : valueAt(this.hub, group.pair.place!);
    const foreign = ifForeign(spoke, aside, hub);
    if (foreign !== undefined) return foreign;
    const shown = ifShown(spoke, aside, isNatural(group, this.hub));
    if (shown !== undefined) {
      for (const { place, preset } of group.rows)
        if (preset !== undefined && !Object.hasOwn(shown, place.name)) set(shown, place.name, fresh(preset));
    }
    return shown;
  }
}
