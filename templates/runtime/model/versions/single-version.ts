import { etagOf } from '../etag';
import { same } from '../fields/values';
import { UnknownStoredVersion } from '../problem';
import { storedResource, type Versioned } from './version-id';
import type { Body, Preserved, StoredText, VersioningOf } from './versioning-of';

/** The versions of a kind that a process knows. */
interface KnownVersions extends Versioned {
  kind: string;
}

/** Throws UnknownStoredVersion for data in a version that the kind does not have. */
export function checkStoredVersion({ kind, versions }: KnownVersions, { version }: StoredText): void {
  if (!Object.hasOwn(versions, version)) throw new UnknownStoredVersion(kind, version);
}

/**
 * Returns what is preserved for a version that this process does not know, after a write. Where the hub has changed, a process
 * that knows the version compares the two when it reads them.
 */
export function preservedForUnknown(entry: object, was: Partial<Body>, now: Partial<Body>): object {
  if (!Object.hasOwn(entry, 'shown')) return entry;
  const isSame = same(was.spec, now.spec) && same(was.status ?? {}, now.status ?? {});
  return isSame ? entry : { ...entry, isOutdated: true };
}

/** The versioning of a kind with one version. Fields preserved for former versions stay with the resource. */
export const SINGLE: VersioningOf<KnownVersions> = {
  hubStateOf(kind, stored) {
    checkStoredVersion(kind, stored);
    return {
      hub: storedResource(kind, stored),
      preserved: stored.kept === null ? {} : (JSON.parse(stored.kept) as Preserved),
    };
  },
  shownIn: (_kind, { hub }) => hub,
  represent(kind, stored) {
    checkStoredVersion(kind, stored);
    const text = JSON.stringify(storedResource(kind, stored));
    return { text, etag: etagOf(text) };
  },
  snapshotIn(kind, stored) {
    checkStoredVersion(kind, stored);
    return stored.text;
  },
  writeThrough: (_judge, _kind, { fields }) => ({ fields }),
  laterFailures: () => [],
  preservedAfter(_kind, before, after) {
    const entries = Object.entries(before?.preserved ?? {});
    return Object.fromEntries(
      entries.map(([version, entry]) => [version, preservedForUnknown(entry, before!.hub, after)]),
    );
  },
  preservedOfSpec: (preserved) => preserved,
  readsSameSpec: () => true,
  pointerIn: (_kind, _version, pointer) => pointer,
  wholesOf: () => [],
  rulesOf: () => undefined,
  suppliedIn: () => () => false,
};
