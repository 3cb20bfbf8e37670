import { converting } from '../conversion/lenses/unconverted';
import type { KindDefinition } from '../model/kinds/kind';
import { preservedText, type StoredText } from '../model/kinds/versioning';
import type { Snapshot } from '../model/resource';
import type { JsonObject } from '../model/schema';
import type { StoredSnapshot } from '../store/store';
import { hubBodyOf } from './hub-state';
import { type PreservedFields, preservedOfSpec, shownBy } from './preserved-fields';

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
  const { hub, preserved } = hubBodyOf(kind, stored, { spec, status: {} }, uid);
  return { spec: hub.spec, preserved: preservedOfSpec(preserved) };
}
