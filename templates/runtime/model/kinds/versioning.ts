import type { Resource } from '../resource';
import { SINGLE } from '../versions/single-version';
import type { Body, HubState, Preserved, StoredText, VersioningOf } from '../versions/versioning-of';
import type { KindDefinition } from './kind';

export type {
  Body,
  HubState,
  Judge,
  Part,
  PartWrite,
  Preserved,
  Representation,
  Stored,
  StoredText,
  Writer,
  WrittenPart,
} from '../versions/versioning-of';

export { PARTS } from '../versions/versioning-of';

/** The versioning of a kind. */
export type Versioning = VersioningOf<KindDefinition>;

/** Returns the versioning of a kind. */
export function versioningOf({ versioning = SINGLE }: KindDefinition): Versioning {
  return versioning;
}

/** Returns a stored resource in the hub version. */
export function hubStateOf(kind: KindDefinition, stored: StoredText): HubState {
  return versioningOf(kind).hubStateOf(kind, stored);
}

/** Returns a resource as one of the documents that `pointerIn` of versioning compares. */
export function documentOf({ spec, status = {} }: Resource): Body {
  return { spec, status };
}

/** Returns preserved fields as they are stored. */
export function preservedText(preserved: Preserved): string | null {
  return Object.keys(preserved).length > 0 ? JSON.stringify(preserved) : null;
}
