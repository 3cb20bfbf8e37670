import { find, object, position } from '../../model/fields/members';
import { type Maybe, own, set } from '../../model/fields/values';
import { below } from '../../model/fragment';
import type { Json, JsonObject } from '../../model/schema';
import { unkeyed } from '../lenses/containers';
import type { Several } from '../lenses/joining';
import type { Lens } from '../lenses/lens';

/** An object, list or map in which single fields are named: the root object, or something inside it. */
export class Container {
  kind: 'object' | 'list' | 'map' = 'object';
  readonly children: Container[] = [];
  /** The same object in the other version. */
  pair: Container | undefined;
  /** The link of the whole list or map: single elements or entries are put into it. */
  link: Link | undefined;
  /** True if it comes with its parent object. */
  required = false;
  /** Storage version: fields that a write adds to a new object. This version: values that it shows for absent fields. */
  defaults: JsonObject = {};
  /** Storage version: fields that this version shows outside of its pair. */
  elsewhere: string[] = [];
  /** Storage version: elements that are fields. */
  readonly elements: Place[] = [];
  /** This version: fields, in order. */
  readonly rows: Row[] = [];
  /** This version: names of its fields. */
  declared: ReadonlySet<string> = new Set();
  /** The names under which its undeclared members and its presence are preserved. */
  readonly undeclaredKey: string;
  readonly presenceKey: string;

  constructor(
    /** Its index among the containers of its tree. */
    readonly index: number,
    /** Undefined for the root. */
    readonly place: Place | undefined,
  ) {
    this.undeclaredKey = place === undefined ? '*' : `${place.path}.*`;
    this.presenceKey = `${place?.path}?`;
  }

  /** The nearest container that the other version has too: this one or an ancestor. */
  get paired(): Container | undefined {
    return this.pair === undefined ? this.place?.holder.paired : this;
  }
}

/** A field of the storage version and one of this version. */
export interface Link {
  hub: Place;
  spoke: Place;
  /** Undefined for a field that is copied. */
  lens: Lens | undefined;
  /** True if this version may show a default in place of the value. */
  isDefaulted: boolean;
}

/** A rule over several fields, each with the name that the rule knows it by. */
export interface SeveralLink {
  rule: Several;
  hub: [name: string, place: Place][];
  spoke: [name: string, place: Place][];
  /** The name under which the values of this version are preserved. */
  key: string;
}

/** A field of this version, and its source. */
export interface Row {
  place: Place;
  kind: 'link' | 'group' | 'several' | 'own' | 'dropped';
  /** The link of a field, and of a list or map into which single elements or entries are put. */
  link: Link | undefined;
  group: Container | undefined;
  /** The index of a rule over several fields, and the name that the rule knows the field by. */
  rule: number;
  name: string;
  /** The value that is shown where nothing supplies one. */
  preset: Json | undefined;
}

/** The place of a field, an element or an entry. */
export interface Place {
  /** The path from the root, under which values are preserved. */
  path: string;
  holder: Container;
  /** The name of the member or entry; empty for an element. */
  name: string;
  /** The key field of an element, and its value. */
  element: { key: string; value: Json } | undefined;
  /** True if an object may inherit a member of this name. */
  inherited: boolean;
  /** The JSON Pointer from the root; undefined where it depends on the index of an element. */
  pointer: string | undefined;
}

/** The values of the containers of a tree, by their indexes. */
export type Values = Maybe[];

/** The containers of one version of an object, outer ones first. */
export class Tree {
  readonly all: Container[] = [];
  private readonly byPath = new Map<string, Container>();

  constructor() {
    this.add('', undefined);
  }

  /** Returns the place of a path. Its container is open already. */
  place(path: string): Place {
    const steps = [...path.matchAll(STEP)].map(stepOf);
    const { kind, name = '', element } = steps.at(-1)!;
    const text = (upTo: number) =>
      steps
        .slice(0, upTo)
        .map((step) => step.text)
        .join('')
        .replace(/^\./, '');
    const holder = this.byPath.get(text(-1))!;
    holder.kind = kind;
    const above = holder.place === undefined ? '' : holder.place.pointer;
    return {
      path: text(steps.length),
      holder,
      name,
      element,
      inherited: kind === 'map' || name in {},
      pointer: element !== undefined || above === undefined ? undefined : below(above, name),
    };
  }

  /** Opens a container. */
  open(place: Place): Container {
    const container = this.add(place.path, place);
    place.holder.children.push(container);
    return container;
  }

  /** Returns the container at a path; undefined where none is open. */
  at(path: string): Container | undefined {
    return this.byPath.get(path);
  }

  /** The object itself. */
  get root(): Container {
    return this.all[0];
  }

  /** Returns the values of the containers of an object; a value that is no object reads as an empty one. */
  valuesIn(root: JsonObject): Values {
    const values: Values = [root];
    for (let i = 1; i < this.all.length; i++) {
      const { kind, place } = this.all[i];
      const value = valueAt(values, place!);
      values.push(kind === 'list' ? value : object(value));
    }
    return values;
  }

  private add(path: string, place: Place | undefined): Container {
    const container = new Container(this.all.length, place);
    this.all.push(container);
    this.byPath.set(path, container);
    return container;
  }
}

/** Returns the value at a place. */
export function valueAt(values: Values, place: Place): Maybe {
  const inside = values[place.holder.index];
  if (place.element !== undefined) return find(inside, place.element.key, place.element.value);
  return place.inherited ? own(inside, place.name) : (inside as JsonObject)[place.name];
}

/** Returns the value of a field. An element that is a field comes without its key. */
export function fieldAt(values: Values, place: Place): Maybe {
  const value = valueAt(values, place);
  return place.element === undefined ? value : unkeyed(place.element.key, value);
}

/** Returns the values of several fields, by name; absent ones are no members. */
export function namedValues(values: Values, fields: [name: string, place: Place][]): JsonObject {
  const found: JsonObject = {};
  for (const [name, place] of fields) set(found, name, fieldAt(values, place));
  return found;
}

/** Returns the JSON Pointer of a place in an object that is at a pointer itself. */
export function pointerTo(at: string, values: Values, { holder, name, element, pointer }: Place): string {
  if (pointer !== undefined) return at + pointer;
  const above = holder.place === undefined ? at : pointerTo(at, values, holder.place);
  return below(
    above,
    element === undefined ? name : position(values[holder.index], element.key, element.value),
  );
}

interface Step {
  text: string;
  /** Kind of the container that it is a step into. */
  kind: Container['kind'];
  name?: string;
  element?: { key: string; value: Json };
}

/** `name`, `[key=value]` or `{entry}`; a value in quotes is a string that looks like a number. */
const STEP = /\.?([A-Za-z_][\w-]*)|\[([\w-]+)=(?:"([^\]]*)"|([^\]]*))\]|\{([^}]*)\}/g;

function stepOf([, name, key, text, bare, entry]: RegExpMatchArray): Step {
  if (name !== undefined) return { text: `.${name}`, kind: 'object', name };
  if (entry !== undefined) return { text: `{${entry}}`, kind: 'map', name: entry };
  const number = text === undefined ? Number(bare) : NaN;
  const value = Number.isNaN(number) ? (text ?? bare) : number;
  // A key that has quotes itself keeps those around it, so that the path can be read again.
  const shown = text?.startsWith('"') ? `"${text}"` : (text ?? bare);
  return { text: `[${key}=${shown}]`, kind: 'list', element: { key, value } };
}
