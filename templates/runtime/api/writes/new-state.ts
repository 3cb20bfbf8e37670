import { etagOf } from '../../model/etag';
import { fillDefaults } from '../../model/fields/normal-form';
import type { KindDefinition } from '../../model/kinds/kind';
import { type HubState, type Preserved, preservedText } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import type { JsonObject } from '../../model/schema';
import { type Change, eventOfChange, publishes, type StoredState } from '../../service/feature';
import type { Service } from '../../service/service';
import type { ResourceIndex } from '../../store/indexes';
import type { NewState } from '../../store/store';
import type { WriteContext, WrittenIn } from '../parts/data-part';

/** A write and everything it stores besides the resource. */
interface Recorded extends Pick<Change, 'cause' | 'labelsBefore'>, WrittenIn {
  preserved: Preserved;
  /** The whole state before the write; absent on create. */
  stateBefore?: HubState;
  /** The row before the write; absent on create. */
  stored?: StoredState;
  /** False for a write that leaves the spec alone, and is not one of the status. */
  hasSnapshot?: false;
}

/**
 * Returns the row of a resource after a write, with the event of the write and the snapshot that a spec write records.
 * `status.version` names that snapshot (requirement, "Spec version history").
 */
export function newStateOf(
  service: Service,
  { kind, req }: WriteContext,
  resource: Resource,
  written: Recorded,
): NewState {
  const {
    cause,
    preserved,
    labelsBefore,
    version,
    before,
    stored,
    hasSnapshot = cause !== 'status',
  } = written;
  const { storageVersion, history } = kind;
  const hub = kind.versions[storageVersion];
  const status: JsonObject = resource.status ?? {};
  fillDefaults(hub.status, hub.types, status);
  const records = history !== undefined && hasSnapshot;
  const snapshot = records ? service.history?.record(service, { kind, req }, resource, preserved) : undefined;
  if (snapshot !== undefined) status['version'] = snapshot.versionId;
  resource.status = Object.keys(status).length > 0 ? status : undefined;
  const state = { hub: resource, preserved };
  const index = kind.data && service.data?.indexOf({ kind, req }, state, { version, before });
  const text = JSON.stringify(resource);
  const time = Date.parse(resource.metadata.updatedAt);
  const entriesBefore = entriesBeforeOf(service, kind, written, index);
  const kept = preservedText(preserved);
  const change = {
    cause,
    resource,
    text,
    kept,
    time,
    request: req,
    labelsBefore,
    entriesBefore,
    before: stored,
  };
  const event = eventOfChange(service, change);
  const { uid } = resource.metadata;
  const keepSnapshots = snapshot && history?.keep;
  // Without a spread: members after one take more time than the rest of this function.
  return {
    uid,
    version: storageVersion,
    text,
    etag: etagOf(text),
    kept,
    snapshot,
    keepSnapshots,
    event,
    index,
  };
}

/** Returns the entries that an update changes, as they were before, for its event; undefined where nobody would read them. */
function entriesBeforeOf(
  service: Service,
  kind: KindDefinition,
  { stateBefore }: Recorded,
  index: ResourceIndex | undefined,
): Change['entriesBefore'] {
  if (index === undefined || stateBefore === undefined || !publishes(service)) return undefined;
  return service.data?.reading.entriesBefore(kind, stateBefore, index);
}
