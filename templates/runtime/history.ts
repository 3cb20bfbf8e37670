import type { Resource, Snapshot } from './resource';
import type { StoredSnapshot } from './store/store';

let last = 0n;

/**
 * The id of the next snapshot: `YYYYMMDDHHMMSS-<nanoseconds since 1970>` (requirement, "Version snapshot").
 * It sorts after every id that this process made and after `previous`, the resource's last one, even when
 * the clock has stepped back.
 */
export function nextVersionId(now: number, previous: string | undefined): string {
  const clock = BigInt(now) * 1_000_000n;
  // A resource from before its kind had history may have a text of its own in this place.
  const before =
    previous !== undefined && isVersionId(previous) ? BigInt(previous.slice(previous.indexOf('-') + 1)) : 0n;
  const least = (before > last ? before : last) + 1n;
  last = clock > least ? clock : least;
  const time = new Date(Number(last / 1_000_000n)).toISOString();
  return `${time.slice(0, 19).replace(/\D/g, '')}-${last}`;
}

/** Whether a text has the shape of a snapshot's id; what has not is never looked up. */
export function isVersionId(text: string): boolean {
  return /^\d{14}-\d{1,20}$/.test(text);
}

/** The snapshot of a resource's spec as a write leaves it. */
export function snapshotOf(
  { metadata, spec }: Resource,
  versionId: string,
  version: string,
  kept: string | null,
): StoredSnapshot {
  const { uid, name, labels, annotations, updatedAt } = metadata;
  const snapshot: Snapshot = { versionId, createdAt: updatedAt, uid, name, labels, annotations, spec };
  return { versionId, version, text: JSON.stringify(snapshot), kept };
}
