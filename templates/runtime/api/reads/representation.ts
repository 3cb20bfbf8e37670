import { hash } from 'node:crypto';
import { BoundedCache } from '../../memory/bounded-cache';
import type { KindDefinition } from '../../model/kinds/kind';
import { hubStateOf, type StoredText, versioningOf } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import { mayHoldFormerId } from '../../model/versions/version-id';
import type { StoredResource } from '../../store/store';

/** A resource in the form of one version. */
interface Representation {
  text: string;
  /** Quoted, as the ETag header carries it. */
  etag: string;
}

/** Size of a cached conversion without its texts, in characters: its key, its tags, its entry in the map. */
const OVERHEAD = 500;

/** A conversion, and the state that it was made of; the tag stands for the text. */
interface Converted extends Representation {
  source: Pick<StoredResource, 'etag' | 'kept' | 'version'>;
}

/** The last conversion of each resource to each version, for all services of this process. */
const converted = new BoundedCache<Converted>(16 * 1024 * 1024);

/** Sets the maximum size of the cached conversions, in characters. */
export function limitConversions(length: number): void {
  converted.resize(length);
}

/** Returns the ETag of a JSON text: its SHA-256 in hex, quoted (specification, "Conditional request headers"). */
export function etagOf(text: string): string {
  return `"${hash('sha256', text, 'hex')}"`;
}

/** The parts of a stored resource that its representations are made of; without a revision they are not cached. */
export type Stored = StoredText & Pick<StoredResource, 'uid' | 'etag'> & { revision?: number };

/**
 * Returns a stored resource in the form of `version`: the stored text itself in the storage version. A resource that
 * was written under an earlier hub, or while its kind had history, is always converted, so that a rewrite does not
 * change its text.
 */
export function represent(kind: KindDefinition, stored: Stored, version: string): Representation {
  const { storageVersion } = kind;
  if (version === storageVersion && stored.version === version && !mayHoldFormerId(kind, stored))
    return stored;
  const key = stored.revision === undefined ? undefined : keyOf(kind, stored.uid, version);
  const known = key === undefined ? undefined : converted.get(key);
  if (known !== undefined && isMadeOf(known, stored)) return known;
  const text = JSON.stringify(versioningOf(kind).shownIn(kind, hubStateOf(kind, stored), version));
  const { etag, kept } = stored;
  const conversion = { text, etag: etagOf(text), source: { etag, kept, version: stored.version } };
  if (key !== undefined) converted.set(key, conversion, text.length + (kept?.length ?? 0) + OVERHEAD);
  return conversion;
}

/** Returns the key of the conversions of a resource by the same rules; services of a process may have others. */
function keyOf({ versions, storageVersion, history }: KindDefinition, uid: string, version: string): string {
  const rules = versions[version]?.converter?.rules ?? '';
  const owner = history === undefined ? '' : 'history';
  return `${uid} ${version} ${storageVersion} ${owner} ${rules}`;
}

/**
 * Returns whether a conversion is that of a stored state. Uids and revisions may come again, in another database or after a backup
 * was restored; tags do not.
 */
function isMadeOf({ source }: Converted, { etag, kept, version }: Stored): boolean {
  return source.etag === etag && source.kept === kept && source.version === version;
}

/** Returns a stored resource as an object of the hub version. */
export function hubOf(kind: KindDefinition, stored: StoredText): Resource {
  return hubStateOf(kind, stored).hub;
}
