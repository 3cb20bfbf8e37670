import type { Json } from '../../model/project';
import type { Step } from '../rules/path';
import type { Rule, Side, Sides } from '../rules/rule';
import type { Slot } from '../rules/slot';

/** The conversion between one value of the hub and one of the spoke. The generated table makes a lens of it. */
export type LensPlan =
  | { kind: 'copy' }
  | { kind: 'map'; pairs: [hub: Json, spoke: Json][]; otherwise: Sides; rule: Rule }
  | { kind: 'scale'; factor: number; hub: NumberType; spoke: NumberType }
  | { kind: 'castFromText' | 'castToText'; meaning: Meaning; otherwise: Json | undefined }
  | { kind: 'joinList'; side: Side; separator: string }
  | { kind: 'object'; object: ObjectPlan }
  | { kind: 'type'; object: () => ObjectPlan }
  /** Those that convert each value inside another by the lens `inner`. */
  | ({ inner: LensPlan } & (
      | ({ kind: 'list' | 'mapOf'; hubKey?: string; spokeKey?: string } & Selected<string | number, LensPlan>)
      | {
          kind: 'firstOfHub' | 'firstOfSpoke';
          required: boolean;
          key: string | undefined;
          /** Defaults of the hub's field where it has no value; only `firstOfSpoke` has any. */
          presets: Json[];
        }
      | {
          kind: 'mapAsList' | 'listAsMap';
          /** `except`: the keys of what rules name one by one for other fields of the spoke. */
          index: { key: string; type: 'string' | 'integer'; except: string[] };
        }
      | { kind: 'boxedHub' | 'boxedSpoke' }
    ));

/** The elements of a list, or entries of a map, that rules name one by one. */
export interface Selected<Key, Special> {
  /** Elements of the hub for other fields of the spoke. */
  except: Key[];
  /** Elements of the spoke for other fields of the hub. */
  skip: string[];
  /** Those that belong together, by their key in the hub. */
  special: [key: Key, special: Special][];
}

export type NumberType = 'integer' | 'number';
export type Meaning = 'integer' | 'number' | 'boolean' | 'duration' | 'duration in whole seconds';

/** A place on one side of two objects: its steps from the object, and what is there. */
export interface Leaf {
  steps: Step[];
  slot: Slot;
}

/** One field of the hub and one of the spoke. */
export interface Link {
  hub: Leaf;
  spoke: Leaf;
  lens: LensPlan;
  /** Undefined for fields that belong together by their path. */
  rule: Rule | undefined;
}

/** Several fields on a side. */
export interface SeveralLink {
  hub: Leaf[];
  spoke: Leaf[];
  rule: Rule;
}

/** An object, list or map inside one of two objects that is opened, because rules name fields in it. */
export interface Container {
  kind: 'object' | 'list' | 'map';
  steps: Step[];
  slot: Slot;
  children: Container[];
  /** The same object on the other side, where both have it. */
  pair: Container | undefined;
  /**
   * On the hub's side, fields that a write sets when it makes the object. On the spoke's, values shown for absent fields.
   */
  defaults: { name: string; value: Json; rule: Rule | undefined }[];
  /** On the hub's side of a pair, fields that stand elsewhere in the spoke. */
  elsewhere: string[];
}

/** An object of the hub and one of the spoke, and all that belongs together in them. */
export interface ObjectPlan {
  /** `spec`, `spec.ports[]`, or the hub's shared type. */
  name: string;
  hub: Container;
  spoke: Container;
  links: Link[];
  several: SeveralLink[];
  /** Fields that only the spoke has. */
  preserved: Leaf[];
  dropped: Leaf[];
  /** Fields that only the hub has. */
  hidden: Leaf[];
}

/** The conversion of a kind between the hub and one spoke. */
export interface ConversionPlan {
  hubVersion: string;
  spokeVersion: string;
  /** A digest of the rules and the fields that the plan was made of. */
  rules: string;
  spec: LensPlan;
  status: LensPlan;
}

/** The objects of a plan, outer ones first, each once. `onLens` is called for every lens in them. */
export function reach({ spec, status }: ConversionPlan, onLens?: (lens: LensPlan) => void): ObjectPlan[] {
  const found = new Set<ObjectPlan>();
  const visitObject = (object: ObjectPlan): void => {
    if (found.has(object)) return;
    found.add(object);
    for (const { lens } of object.links) visit(lens);
  };
  const visit = (lens: LensPlan): void => {
    onLens?.(lens);
    const object = objectOf(lens);
    if (object !== undefined) visitObject(object);
    else lensesInside(lens).forEach(visit);
  };
  visit(spec);
  visit(status);
  return [...found];
}

/** The object of a lens between objects; undefined for others, and for a type that is still being planned. */
export function objectOf(lens: LensPlan): ObjectPlan | undefined {
  if (lens.kind === 'object') return lens.object;
  return lens.kind === 'type' ? lens.object() : undefined;
}

/** The lenses that another is made of. */
export function lensesInside(lens: LensPlan): LensPlan[] {
  if (!('inner' in lens)) return [];
  return [lens.inner, ...('special' in lens ? lens.special.map(([, special]) => special) : [])];
}

/** A lens around another. */
type Around = Extract<LensPlan, { inner: LensPlan }>;

/** The steps from two values to those inside them that a lens converts, by its kind. */
export const STEPS_INSIDE: { readonly [kind in Around['kind']]: readonly [hub: string, spoke: string] } = {
  list: ['[]', '[]'],
  mapOf: ['{}', '{}'],
  firstOfHub: ['[]', ''],
  firstOfSpoke: ['', '[]'],
  mapAsList: ['{}', '[]'],
  listAsMap: ['[]', '{}'],
  boxedHub: ['', ''],
  boxedSpoke: ['', ''],
};

/** Returns true for a list or map of which rules name no single element or entry. */
export function isWhole({ except, skip, special }: Selected<unknown, unknown>): boolean {
  return except.length + skip.length + special.length === 0;
}
