import { etagOf } from '../../model/etag';
import { fillDefaults } from '../../model/fields/normal-form';
import { partShape } from '../../model/kinds/kind';
import { type Preserved, preservedText } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import type { JsonObject } from '../../model/schema';
import { type Change, eventOfChange } from '../../service/feature';
import type { Service } from '../../service/service';
import type { NewState } from '../../store/store';
import type { WriteContext } from '../parts/data-part';

/** A write, and everything that it stores in addition to the resource. */
interface Recorded extends Pick<Change, 'cause' | 'before'> {
  /** The version in whose terms the resource is written. */
  version: string;
  preserved: Preserved;
  /** False for a write that leaves the spec alone, and is not one of the status. */
  hasSnapshot?: boolean;
}

/**
 * Returns the row of a resource after a write, with the event of the write and the snapshot that a spec write records.
 * `status.version` names that snapshot (specification, "Spec version history").
 */
export function newStateOf(
  service: Service,
  { kind, req }: WriteContext,
  resource: Resource,
  { cause, preserved, version, before, hasSnapshot = cause !== 'status' }: Recorded,
): NewState {
  const { storageVersion, history } = kind;
  const status: JsonObject = resource.status ?? {};
  fillDefaults(partShape(kind, storageVersion, 'status'), status);
  const records = history !== undefined && hasSnapshot;
  const snapshot = records ? service.history?.record(service, { kind, req }, resource, preserved) : undefined;
  if (snapshot !== undefined) status['version'] = snapshot.versionId;
  resource.status = Object.keys(status).length > 0 ? status : undefined;
  const written = { version, before: before?.state.hub };
  const index = kind.data && service.data?.indexOf({ kind, req }, { hub: resource, preserved }, written);
  const text = JSON.stringify(resource);
  const kept = preservedText(preserved);
  const event = eventOfChange(service, () => {
    const time = Date.parse(resource.metadata.updatedAt);
    return { cause, kind, resource, text, kept, time, request: req, before, index };
  });
  const { uid } = resource.metadata;
  const etag = etagOf(text);
  const keepSnapshots = snapshot && history?.keep;
  // Without a spread: members after one take more time than the rest of this function.
  return { uid, version: storageVersion, text, etag, kept, snapshot, keepSnapshots, event, index };
}
