import type { IndexEntry, Key, ResourceIndex } from '../indexes';
import type { Listed, MaybePromise, StoredResource } from '../store';
import type { UnplacedResource } from '../stored-resource';

declare module '../database' {
  interface Database {
    /**
     * Returns what `rebuild` of all these kinds would, and changes nothing. The database may be in use, and of an older
     * release. Throws what `open` throws, as far as it shows without writing.
     */
    checkIndexes?(
      url: string,
      settings: StoreSettings,
      kinds: readonly IndexedKind[],
      progress?: Progress,
    ): Promise<IndexProblem[]>;
  }
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
  of(stored: UnplacedResource): MadeEntries;
}

/** The entries of a stored resource, and what is wrong with it. */
export interface MadeEntries {
  index: ResourceIndex;
  /** The fields with strings that are too long for an index. */
  tooLong: string[];
  /** Set where it needs another name. */
  isMisnamed?: boolean;
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
  /** `name`: its name is the uid of `other`, or has another form than it must have. */
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
  ): MaybePromise<(Listed<StoredResource> | undefined)[]>;
  /** Returns other resources that refer to those with these ids, in order of creation: at most `limit`. */
  referrers(ids: readonly number[], limit: number): MaybePromise<Referrer[]>;
  /**
   * Makes the entries of kinds anew whose digest is another, all in one transaction; of several processes that start together one
   * does it, and the others wait. Where resources break rules nothing is changed, and up to MAX_PROBLEMS are returned.
   */
  rebuild(kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]>;
}

declare module '../store' {
  interface StoreParts {
    /** The indexes of resources; absent in a service without the feature. */
    indexes?: StoreIndexes;
  }
}
