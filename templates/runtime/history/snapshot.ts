import type { HistoryPart } from '../api/parts/history-part';
import { actorOf } from '../http/security/actor';
import { preservedText, versioningOf } from '../model/kinds/versioning';
import type { Snapshot } from '../model/resource';
import { isVersionId } from '../model/versions/version-id';

let last = 0n;

/** The greatest number that an id follows, of the year 2262: after greater ones, all ids of the process would be too long. */
const LATEST = 2n ** 63n - 1n;

/**
 * Returns the id of the next snapshot: `YYYYMMDDHHMMSS-<nanoseconds since 1970>` (specification, "Version snapshot").
 * It sorts after `previous`, the resource's last one, and after those that this process made by its own clock, even when that
 * has stepped back.
 */
export function nextVersionId(now: number, previous: string | undefined): string {
  const clock = BigInt(now) * 1_000_000n;
  // A resource from before its kind had history may have any string here.
  const given =
    previous !== undefined && isVersionId(previous) ? BigInt(previous.slice(previous.indexOf('-') + 1)) : 0n;
  const before = given > LATEST ? 0n : given;
  last = clock > last ? clock : last + 1n;
  // Not the last of the process: a wrong clock of another machine would date the ids of all resources.
  const next = last > before ? last : before + 1n;
  const time = new Date(Number(next / 1_000_000n)).toISOString();
  return `${time.slice(0, 19).replace(/\D/g, '')}-${next}`;
}

export const record: HistoryPart['record'] = (service, { kind, req }, resource, preserved) => {
  const previous = resource.status?.['version'];
  const versionId = nextVersionId(service.now(), typeof previous === 'string' ? previous : undefined);
  const { metadata, spec } = resource;
  const { uid, name, labels, annotations, updatedAt } = metadata;
  const actor = req && actorOf(req);
  const snapshot: Snapshot = { versionId, createdAt: updatedAt, uid, name, labels, annotations, actor, spec };
  const kept = preservedText(versioningOf(kind).preservedOfSpec(preserved));
  return { versionId, version: kind.storageVersion, text: JSON.stringify(snapshot), kept };
};
