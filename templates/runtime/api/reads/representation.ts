import { hash } from 'node:crypto';
import { BoundedCache } from '../../memory/bounded-cache';
import type { KindDefinition } from '../../model/kinds/kind';
import type { Resource } from '../../model/resource';
import { mayHoldFormerId } from '../../model/versions/version-id';
import { hubStateOf, versioningOf, type StoredText } from '../../model/kinds/versioning';
import type { StoredResource } from '../../store/store';

/** A resource in the form of one version. */
interface Representation {
  text: string;
  /** Quoted, as the ETag header carries it. */
  etag: string;
}

/** Size of a conversion besides its text, in characters: its key, its tag, its entry in the map. */
const OVERHEAD = 500;

/** The last conversions of all services of this process, by resource, revision and version. */
const converted = new BoundedCache<Representation>(16 * 1024 * 1024);

/** Sets the maximum size of the cached conversions, in characters. */
export function limitConversions(length: number): void {
  converted.resize(length);
}

/** Returns the ETag of a JSON text: its SHA-256 in hex, quoted (requirement, "Conditional request headers"). */
export function etagOf(text: string): string {
  return `"${hash('sha256', text, 'hex')}"`;
}

/** The parts of a stored resource that its representations are made of; without a revision they are not cached. */
export type Stored = StoredText & Pick<StoredResource, 'uid' | 'etag'> & { revision?: number };

/**
 * Returns a stored resource in the form of `version`: the stored text itself in the storage version. A resource written
 * under an earlier hub, or with history that its kind has no more, is read through the present kind even in its stored
 * version, so that its text is the same once it is rewritten.
 */
export function represent(kind: KindDefinition, stored: Stored, version: string): Representation {
  const { storageVersion } = kind;
  if (version === storageVersion && stored.version === version && !mayHoldFormerId(kind, stored))
    return stored;
  const key = stored.revision === undefined ? undefined : keyOf(kind, stored, version);
  const known = key === undefined ? undefined : converted.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(versioningOf(kind).shownIn(kind, hubStateOf(kind, stored), version));
  const representation = { text, etag: etagOf(text) };
  if (key !== undefined) converted.set(key, representation, text.length + OVERHEAD);
  return representation;
}

/**
 * Returns the key of a conversion. Names, uids and revisions may come again, in another database or after a backup was
 * restored; the digests of the stored texts do not.
 */
function keyOf(
  { versions, storageVersion, history }: KindDefinition,
  stored: Stored,
  version: string,
): string {
  const { uid, etag, revision } = stored;
  const rules = versions[version]?.converter?.rules ?? '';
  const preserved = stored.kept === null ? '' : etagOf(stored.kept);
  const owner = history === undefined ? '' : 'history';
  return `${uid} ${revision} ${etag} ${preserved} ${stored.version} ${storageVersion} ${version} ${owner} ${rules}`;
}

/** Returns a stored resource as an object of the hub version. */
export function hubOf(kind: KindDefinition, stored: StoredText): Resource {
  return hubStateOf(kind, stored).hub;
}
