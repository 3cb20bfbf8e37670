import type { Labels } from '../model/selectors/selector';

/**
 * The bytes of a value in an index, one UTF-16 unit for each, so that keys are plain data and JavaScript compares them as
 * both stores do. Their order is that of the values: strings by code point, numbers by value, timestamps as instants.
 */
export type Key = string;

/**
 * The entries of a resource in the indexes of its kind: all of them, for its whole new state. The store finds out which of them
 * change.
 */
export interface ResourceIndex {
  /** Keys to select and sort by: in every index of the kind one key at least, for a list one for each element. */
  fields: IndexEntry[];
  /** Keys that no other resource of the kind may have. */
  unique: IndexEntry[];
  references: Reference[];
}

/** A key in the index of this name. */
export interface IndexEntry {
  index: string;
  key: Key;
}

/** A reference to a resource that must exist, by one of its unique entries. A field with a list may have several. */
export interface Reference {
  /** The field, as a dotted path in the hub. */
  field: string;
  /** The target's collection, and which of its unique entries: its uid, or its name where that is unique. */
  kind: string;
  index: string;
  key: Key;
  /** Labels that the target must have. */
  scope: Labels;
}

/** The reasons why a write was refused. Nothing of it was written. */
export interface Refused {
  /** The indexes in which another resource has the same key. */
  taken: string[];
  /** Positions of the references whose target does not exist or is out of scope. */
  missing: number[];
  /** Set if other resources refer to the resource to delete or to the name to change. */
  isReferred: boolean;
}

/** One condition of a field selector. An index with several keys belongs to a list. */
export type FieldRequirement = { index: string } & (
  | { operator: 'in' | 'notin'; keys: Key[] }
  | ({ operator: 'range' } & Range)
  | { operator: 'present' | 'absent' }
);

/** Keys between two bounds, each of which may be missing. */
export interface Range {
  from?: Bound;
  to?: Bound;
}

/** An end of a range. */
export interface Bound {
  key: Key;
  isIncluded: boolean;
}
