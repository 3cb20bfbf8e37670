/**
 * The bytes of a value in an index, one UTF-16 unit for each, so that keys are plain data and JavaScript compares them as
 * both stores do. Their order is that of the values: strings by code point, numbers by value, timestamps as instants.
 */
export type Key = string;

/**
 * The entries of a resource in the indexes of its kind: all of them, for its whole new state. The store finds out which of them
 * change. Each part of them is declared where it is written (`declare module`).
 */
export interface ResourceIndex {
  [part: string]: IndexEntry[];
}

/** A key in the index of this name. */
export interface IndexEntry {
  index: string;
  key: Key;
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
