import { converting } from '../conversion/lenses/unconverted';
import type { KindDefinition } from '../model/kinds/kind';
import { preservedText, type StoredText } from '../model/kinds/versioning';
import type { Snapshot } from '../model/resource';
import type { JsonObject } from '../model/schema';
import { checkStoredVersion } from '../model/versions/single-version';
import type { StoredSnapshot } from '../store/store';
import { type PreservedFields, preservedOf, preservedOfSpec, shownBy } from './preserved-fields';
import { rePreserved } from './re-preserve';
import { migratedState } from './storage-migration';

/** Returns the JSON text of a stored snapshot as `version` shows it. */
export function snapshotIn(kind: KindDefinition, stored: StoredText, version: string): string {
  const snapshot = JSON.parse(stored.text) as Snapshot;
  const { spec, preserved } = hubSpecOf(kind, stored, snapshot);
  if (version === kind.storageVersion) return JSON.stringify({ ...snapshot, spec });
  const shown = converting({ kind: kind.kind, version, uid: snapshot.uid }, () =>
    shownBy(kind, version, { spec, status: {} }, preserved),
  );
  return JSON.stringify({ ...snapshot, spec: shown.spec });
}

/** Returns a stored snapshot of an earlier hub as the present one stores it. */
export function rewrittenSnapshot(kind: KindDefinition, stored: StoredSnapshot): StoredSnapshot {
  const snapshot = JSON.parse(stored.text) as Snapshot;
  const { spec, preserved } = hubSpecOf(kind, stored, snapshot);
  const { versionId } = stored;
  const text = JSON.stringify({ ...snapshot, spec });
  return { versionId, version: kind.storageVersion, text, kept: preservedText(preserved) };
}

/** Returns the spec of a stored snapshot in the hub version, and its preserved fields. */
function hubSpecOf(
  kind: KindDefinition,
  stored: StoredText,
  { uid, spec }: Snapshot,
): { spec: JsonObject; preserved: PreservedFields } {
  checkStoredVersion(kind, stored);
  const subject = { kind: kind.kind, version: stored.version, uid };
  const preserved = preservedOf(stored);
  if (stored.version === kind.storageVersion)
    return {
      spec,
      preserved: preservedOfSpec(
        converting(subject, () => rePreserved(kind, { spec, status: {} }, preserved)),
      ),
    };
  const moved = converting(subject, () =>
    migratedState(kind, stored.version, { spec, status: {} }, preserved),
  );
  return { spec: moved.hub.spec, preserved: preservedOfSpec(moved.preserved) };
}
