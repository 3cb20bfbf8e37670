import type { Refused, ResourceIndex } from '../indexes';

export type { IndexEntry, Reference, Refused, ResourceIndex } from '../indexes';
export type { Referrer } from './store-indexes';

/** The indexes that a reference can point to. A kind that others refer to has unique entries in them. */
export const [UID_INDEX, NAME_INDEX] = ['metadata.uid', 'metadata.name'];

/** No entries. */
export const NOT_INDEXED: Readonly<ResourceIndex> = { fields: [], unique: [], references: [] };

/** No reason to refuse a write. */
export const NOT_REFUSED: Readonly<Refused> = { taken: [], missing: [], isReferred: false };
