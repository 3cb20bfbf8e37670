import type { KindDefinition } from '../../model/kinds/kind';
import {
  hubStateOf,
  type Representation,
  type Stored,
  type StoredText,
  versioningOf,
} from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import { mayHoldFormerId } from '../../model/versions/version-id';

/**
 * Returns a stored resource in the form of `version`: the stored text itself in the storage version. A resource that
 * was written under an earlier hub, or while its kind had history, is always converted, so that a rewrite does not
 * change its text.
 */
export function represent(kind: KindDefinition, stored: Stored, version: string): Representation {
  const { storageVersion } = kind;
  if (version === storageVersion && stored.version === version && !mayHoldFormerId(kind, stored))
    return stored;
  return versioningOf(kind).represent(kind, stored, version);
}

/** Returns a stored resource as an object of the hub version. */
export function hubOf(kind: KindDefinition, stored: StoredText): Resource {
  return hubStateOf(kind, stored).hub;
}
