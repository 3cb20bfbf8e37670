import type { Labels } from '../model/selectors/selector';
import type { FoundResource, MaybePromise, UnplacedResource } from './stored-resource';

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

/** A resource that refers to others. It comes once for each field and each index by which it does. */
export interface Referrer {
  kind: string;
  id: number;
  uid: string;
  /** The length of its text. */
  bytes: number;
  /** The field, as a dotted path in the hub. */
  field: string;
  /** The index by which it refers: by uid or by name. */
  index: string;
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

/** A kind of the service, and how its resources are indexed. */
export interface IndexedKind {
  /** The collection. */
  kind: string;
  /** Its entries; absent for a kind without indexes, whose entries are removed. */
  entries?: EntriesOfKind;
}

/** The entries of a kind. */
export interface EntriesOfKind {
  /** A digest of all that decides about entries: declarations, conversion rules, and what the kinds that it refers to are found by. */
  digest: string;
  /**
   * Returns the indexes that are new since entries were made under another digest, where all other entries are the same;
   * undefined where they are not. An absent digest is that of a kind without entries. Without it, nothing is the same.
   */
  newSince?(digest: string | undefined): NewIndexes | undefined;
  /** Returns the entries of a stored resource, those of too long strings left out. */
  of(stored: UnplacedResource): { index: ResourceIndex; tooLong: string[] };
}

/** The names of indexes that are new to a kind. A name may be new in one of these only. */
export interface NewIndexes {
  /** Those of fields that can be selected. */
  fields: readonly string[];
  /** Those of unique names, fields and uids. */
  unique: readonly string[];
  /** The fields of references. */
  references: readonly string[];
}

/** A resource that breaks a rule. */
export interface IndexProblem {
  kind: string;
  uid: string;
  /** `name`: its name is the uid of another resource. */
  rule: 'unique' | 'ref' | 'max=500' | 'name';
  /** The index, or the field of a reference. */
  index: string;
  key?: Key;
  /** The uid of the other resource with the same key. */
  other?: string;
}

/** Reports that so many resources of a kind out of all are indexed. */
export type Progress = (kind: string, done: number, all: number) => void;

/**
 * The entries of resources, and the rules under which they were made. All methods throw StoreUnavailable. A store that is opened
 * without indexes invalidates all digests, so that `rebuild` makes the entries anew later.
 */
export interface StoreIndexes {
  /**
   * Returns the resources of this kind with these unique entries, in the order of the entries; undefined where there is
   * none. Texts of more than `maxText` bytes are left out, as in a list.
   */
  findAll(
    kind: string,
    entries: readonly IndexEntry[],
    maxText?: number,
  ): MaybePromise<(FoundResource | undefined)[]>;
  /** Returns other resources that refer to those with these ids, in order of creation: at most `limit`. */
  referrers(ids: readonly number[], limit: number): MaybePromise<Referrer[]>;
  /** Returns the digests under which the entries of kinds were made. */
  digests(): MaybePromise<ReadonlyMap<string, string>>;
  /**
   * Makes the entries of kinds anew whose digest is another, all in one transaction; of several processes that start together one
   * does it, and the others wait. Where resources break rules nothing is changed, and up to MAX_PROBLEMS are returned.
   */
  rebuild(kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]>;
  /** Returns what `rebuild` of all these kinds would, and changes nothing. */
  check(kinds: readonly IndexedKind[]): Promise<IndexProblem[]>;
}
