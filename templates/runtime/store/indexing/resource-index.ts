import type { Labels } from '../../model/selectors/selector';
import type { IndexEntry, Refused, ResourceIndex } from '../indexes';

export type { IndexEntry, Refused, ResourceIndex } from '../indexes';
export type { Referrer } from './store-indexes';

declare module '../indexes' {
  interface ResourceIndex {
    /** Keys to select and sort by: in every index of the kind one key at least, for a list one for each element. */
    fields: IndexEntry[];
    /** Keys that no other resource of the kind may have. */
    unique: IndexEntry[];
    references: Reference[];
  }
}

/** A reference to a resource that must exist, by one of its unique entries. A field with a list may have several. */
export interface Reference extends IndexEntry {
  /** The field, as a dotted path in the hub. */
  field: string;
  /** The target's collection. The index is that of its uid, or of its name where that is unique. */
  kind: string;
  /** Labels that the target must have. */
  scope: Labels;
}

/** The indexes that a reference can point to. A kind that others refer to has unique entries in them. */
export const [UID_INDEX, NAME_INDEX] = ['metadata.uid', 'metadata.name'];

/** No entries. */
export const NOT_INDEXED: Readonly<ResourceIndex> = { fields: [], unique: [], references: [] };

/** No reason to refuse a write. */
export const NOT_REFUSED: Readonly<Refused> = { taken: [], missing: [], isReferred: false };
