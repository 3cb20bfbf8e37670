import { inScope } from '../api/request/label-scope';
import type { KindDefinition } from '../model/kinds/kind';
import { versioningOf } from '../model/kinds/versioning';
import type { Snapshot } from '../model/resource';
import type { Requirement } from '../model/selectors/selector';
import type { StoredSnapshot } from '../store/store';

/** Returns the JSON text of a stored snapshot as `version` shows it. */
export function representSnapshot(kind: KindDefinition, stored: StoredSnapshot, version: string): string {
  if (version === kind.storageVersion && stored.version === version) return stored.text;
  return versioningOf(kind).snapshotIn(kind, stored, version);
}

/** Returns whether the resource was within a scope when the snapshot was taken. */
export function isSnapshotInScope({ text }: StoredSnapshot, scope: Requirement[]): boolean {
  return scope.length === 0 || inScope(JSON.parse(text) as Snapshot, scope);
}
