import { BoundedCache } from '../memory/bounded-cache';
import { etagOf } from '../model/etag';
import type { KindDefinition } from '../model/kinds/kind';
import { hubStateOf, type Representation, type Stored, versioningOf } from '../model/kinds/versioning';

/** Size of a conversion besides its texts, in characters: its key, its tags, its entry in the map. */
const OVERHEAD = 500;

/** A conversion, and the state that it was made of; the tag stands for the text. */
interface Converted extends Representation {
  source: Pick<Stored, 'etag' | 'kept' | 'version'>;
}

/** The last conversion of each resource to each version, for all services of this process. */
const converted = new BoundedCache<Converted>(16 * 1024 * 1024);

/** Sets the maximum size of the cached conversions, in characters. */
export function limitConversions(length: number): void {
  converted.resize(length);
}

/** Returns a stored resource as a version shows it, as JSON text with its tag. Without a revision it is not cached. */
export function represent(kind: KindDefinition, stored: Stored, version: string): Representation {
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
