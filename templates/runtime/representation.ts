import { hash } from 'node:crypto';
import { BoundedCache } from './bounded-cache';
import { converting } from './conversion/unconverted';
import { hubStateOf, shownIn, type StoredText } from './hub-state';
import { keptOf, keptOfSpec, keptText, shownBy, type Kept } from './kept';
import type { KindDefinition } from './kind';
import { movedState } from './moved-hub';
import { renewedKept } from './renewed-kept';
import type { Resource, Snapshot } from './resource';
import type { JsonObject } from './schema';
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
  return `"${hash('sha256', text, 'hex')}"`;
}

/** What of a stored resource its representations are made of; without a revision they are not remembered. */
export type Stored = StoredText & Pick<StoredResource, 'uid' | 'etag'> & { revision?: number };

/**
 * A stored resource as `version` answers it: the stored text itself in the storage version. What an earlier hub wrote is
 * read through the present one also in the version that it is stored in: it is the same text when it is rewritten.
 */
export function represent(kind: KindDefinition, stored: Stored, version: string): Representation {
  const { storageVersion } = kind;
  if (version === storageVersion && stored.version === version) return stored;
  const { uid, revision } = stored;
  const rules = kind.versions[version]?.converter?.rules ?? '';
  const key = revision === undefined ? undefined : `${uid} ${revision} ${storageVersion} ${version} ${rules}`;
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
  const { storageVersion } = kind;
  if (version === storageVersion && stored.version === version) return stored.text;
  const snapshot = JSON.parse(stored.text) as Snapshot;
  const { spec, kept } = hubSpecOf(kind, stored, snapshot);
  if (version === storageVersion) return JSON.stringify({ ...snapshot, spec });
  const shown = converting({ kind: kind.kind, version, uid: snapshot.uid }, () =>
    shownBy(kind, version, { spec, status: {} }, kept),
  );
  return JSON.stringify({ ...snapshot, spec: shown.spec });
}

/** A stored snapshot of an earlier hub as the present one stores it. */
export function rewrittenSnapshot(kind: KindDefinition, stored: StoredSnapshot): StoredSnapshot {
  const snapshot = JSON.parse(stored.text) as Snapshot;
  const { spec, kept } = hubSpecOf(kind, stored, snapshot);
  const { versionId } = stored;
  const text = JSON.stringify({ ...snapshot, spec });
  return { versionId, version: kind.storageVersion, text, kept: keptText(kept) };
}

/** The spec of a stored snapshot in the hub version, and what spokes keep aside of it. */
function hubSpecOf(
  kind: KindDefinition,
  stored: StoredSnapshot,
  { uid, spec }: Snapshot,
): { spec: JsonObject; kept: Kept } {
  const kept = keptOf(stored);
  if (stored.version === kind.storageVersion)
    return { spec, kept: keptOfSpec(renewedKept(kind, { spec, status: {} }, kept)) };
  const moved = converting({ kind: kind.kind, version: stored.version, uid }, () =>
    movedState(kind, stored.version, { spec, status: {} }, kept),
  );
  return { spec: moved.hub.spec, kept: keptOfSpec(moved.kept) };
}
