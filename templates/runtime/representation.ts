import { createHash } from 'node:crypto';
import type { KindDefinition } from './kind';
import type { Resource } from './resource';
import type { StoredResource, StoredSnapshot } from './store/store';

/** A resource as one version answers it. */
export interface Representation {
  text: string;
  /** Quoted, as the ETag header carries it. */
  etag: string;
}

/** The ETag of a JSON text: its SHA-256 in hex, quoted (requirement, "Conditional request headers"). */
export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('hex')}"`;
}

/** What of a stored resource its representations are made of. */
export type Stored = Pick<StoredResource, 'version' | 'text' | 'etag' | 'kept'>;

/** A stored resource as `version` answers it: the stored text itself where the versions are the same. */
export function represent(kind: KindDefinition, stored: Stored, version: string): Representation {
  if (stored.version === version) return stored;
  throw new Error(`no conversion of ${kind.kind} from ${stored.version} to ${version}`);
}

/** A stored resource as an object of the hub version. */
export function hubOf(kind: KindDefinition, stored: Stored): Resource {
  return JSON.parse(represent(kind, stored, kind.storageVersion).text) as Resource;
}

/** A stored snapshot's JSON text as `version` answers it. */
export function representSnapshot(kind: KindDefinition, snapshot: StoredSnapshot, version: string): string {
  if (snapshot.version === version) return snapshot.text;
  throw new Error(`no conversion of ${kind.kind} from ${snapshot.version} to ${version}`);
}
