import { createHash } from 'node:crypto';
import { BoundedCache } from './bounded-cache';
import { converterOf, hubStateOf, shownIn, type Kept, type StoredText } from './hub-state';
import type { KindDefinition } from './kind';
import type { Resource, Snapshot } from './resource';
import type { StoredResource, StoredSnapshot } from './store/store';

/** A resource as one version answers it. */
export interface Representation {
  text: string;
  /** Quoted, as the ETag header carries it. */
  etag: string;
}

/** What was converted last, by resource, revision and version: at most about 16 million characters. */
const converted = new BoundedCache<Representation>(16 * 1024 * 1024);

/** The ETag of a JSON text: its SHA-256 in hex, quoted (requirement, "Conditional request headers"). */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('hex')}"`;
}

/** What of a stored resource its representations are made of; without a revision they are not remembered. */
export type Stored = StoredText & Pick<StoredResource, 'uid' | 'etag'> & { revision?: number };

/** A stored resource as `version` answers it: the stored text itself where the versions are the same. */
export function represent(kind: KindDefinition, stored: Stored, version: string): Representation {
  if (stored.version === version) return stored;
  const key = stored.revision === undefined ? undefined : `${stored.uid} ${stored.revision} ${version}`;
  const known = key === undefined ? undefined : converted.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(shownIn(kind, hubStateOf(kind, stored), version));
  const representation = { text, etag: etagOf(text) };
  if (key !== undefined) converted.set(key, representation, text.length);
  return representation;
}

/** A stored resource as an object of the hub version. */
export function hubOf(kind: KindDefinition, stored: StoredText): Resource {
  return hubStateOf(kind, stored).hub;
}

/** A stored snapshot's JSON text as `version` answers it. */
export function representSnapshot(kind: KindDefinition, stored: StoredSnapshot, version: string): string {
  if (stored.version === version) return stored.text;
  const snapshot = JSON.parse(stored.text) as Snapshot;
  const kept = stored.kept === null ? {} : (JSON.parse(stored.kept) as Kept);
  let { spec } = snapshot;
  if (stored.version !== kind.storageVersion) {
    spec = converterOf(kind, stored.version).toHub({ spec, status: {} }, undefined).hub.spec;
  }
  if (version !== kind.storageVersion) {
    spec = converterOf(kind, version).fromHub({ spec, status: {} }, kept[version]).spec;
  }
  return JSON.stringify({ ...snapshot, spec });
}
