import type { Json } from '../model';
import type { Step } from './path';
import type { Rule } from './rule';
import type { Slot } from './slot';

/** How one value of the hub and one of the spoke belong together: what the generated code makes a Lens of. */
export type LensPlan =
  | { kind: 'copy' }
  | { kind: 'map'; pairs: [hub: Json, spoke: Json][]; otherwise: { hub?: Json; spoke?: Json }; rule: Rule }
  | { kind: 'scale'; factor: number; hub: NumberType; spoke: NumberType }
  | { kind: 'castFromText'; meaning: Meaning; otherwise: Json }
  | { kind: 'castToText'; meaning: Meaning }
  | { kind: 'joinList'; side: 'hub' | 'spoke'; separator: string }
  | { kind: 'scope'; scope: ScopePlan }
  | { kind: 'type'; scope: () => ScopePlan }
  | ({ kind: 'list'; element: LensPlan; hubKey?: string; spokeKey?: string } & ListSelected)
  | {
      kind: 'mapOf';
      value: LensPlan;
      except: string[];
      skip: string[];
      special: [key: string, lens: LensPlan][];
    }
  | { kind: 'firstOfHub' | 'firstOfSpoke'; element: LensPlan; required: boolean; key: string | undefined }
  | { kind: 'mapAsList' | 'listAsMap'; entry: LensPlan; index: { key: string; type: 'string' | 'integer' } }
  | { kind: 'boxedHub' | 'boxedSpoke'; inner: LensPlan };

/** Elements that rules name one by one: those that stand in other fields of the spoke, those with rules of their own. */
interface ListSelected {
  except: (string | number)[];
  special: [value: string | number, lens: LensPlan][];
}

export type NumberType = 'integer' | 'number';
export type Meaning = 'integer' | 'number' | 'boolean' | 'duration' | 'duration in whole seconds';

/** A field on one side of a scope: where it is below the scope's object, and what it is. */
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

/** An object, list or map below a scope's object that the code opens, because rules name fields in it. */
export interface Container {
  kind: 'object' | 'list' | 'map';
  steps: Step[];
  slot: Slot;
  children: Container[];
  /** The same object on the other side, where both have it. */
  pair: Container | undefined;
  /** Of the hub: fields that a write brings along when it makes the object. Of the spoke: what is shown when absent. */
  defaults: { name: string; value: Json; rule: Rule | undefined }[];
  /** Of a pair's hub side: fields that stand elsewhere in the spoke. */
  elsewhere: string[];
}

/** An object of the hub and one of the spoke, and all that belongs together in them. */
export interface ScopePlan {
  /** `spec`, `spec.ports[]`, or the hub's shared type. */
  name: string;
  hub: Container;
  spoke: Container;
  links: Link[];
  several: SeveralLink[];
  /** Fields that only the spoke has. */
  aside: Leaf[];
  dropped: { leaf: Leaf; rule: Rule }[];
  /** Fields that only the hub has. */
  hidden: Leaf[];
}

/** The conversion of a kind between the hub and one spoke. */
export interface ConversionPlan {
  hubVersion: string;
  spokeVersion: string;
  /** Stands for the rules and the fields that the plan was made of: other ones have another. */
  rules: string;
  spec: LensPlan;
  status: LensPlan;
  /** Pairs of shared types, in the order they were met. */
  types: ScopePlan[];
}
