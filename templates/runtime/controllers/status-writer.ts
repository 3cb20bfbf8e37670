import { isDeepStrictEqual } from 'node:util';
import { hubOf } from '../api/reads/representation';
import { nextMetadata } from '../api/request/metadata';
import { MAX_ATTEMPTS, turnOf } from '../api/writes/change';
import { ownState } from '../api/writes/own-write';
import { collectionOf, type KindDefinition } from '../model/kinds/kind';
import { hubStateOf } from '../model/kinds/versioning';
import type { Resource } from '../model/resource';
import type { JsonObject } from '../model/schema';
import type { Service } from '../service/service';
import { StoreUnavailable } from '../store/store';
import { admit, isFirstStatus, judge } from '../validation/admission';

/** The manager of the fields that controllers write. */
const MANAGER = { name: 'controller' };

/**
 * Writes the status of a resource from within the process, like a write through the status endpoint: field rules,
 * times, event. `validate` is not called: it judges requests. `draft` makes the new status of the current resource; an unchanged status is not written. Returns false
 * when there is no such resource. Throws HttpProblem 400 for fields that break a rule, and StoreUnavailable.
 */
export function writeStatus(
  service: Service,
  kind: KindDefinition,
  uid: string,
  draft: (current: Resource) => JsonObject,
): Promise<boolean> {
  return service.turns.run(turnOf({ kind, uidOrName: uid }), async () => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const result = await tryStatus(service, kind, uid, draft);
      if (result !== 'conflict') return result === 'done';
    }
    throw new StoreUnavailable('too many writes of this resource at once');
  });
}

async function tryStatus(
  service: Service,
  kind: KindDefinition,
  uid: string,
  draft: (current: Resource) => JsonObject,
): Promise<'done' | 'conflict' | 'absent'> {
  const collection = collectionOf(kind);
  const stored = await service.store.get(collection, uid);
  if (stored === undefined) return 'absent';
  const before = hubStateOf(kind, stored);
  const current = before.hub;
  // A program's object may hold more than JSON does, such as dates.
  const status = JSON.parse(JSON.stringify(draft(hubOf(kind, stored)))) as JsonObject;
  if (kind.history !== undefined) delete status['version'];
  const failures = admit(
    service,
    kind,
    { version: kind.storageVersion, part: 'status', fields: status },
    current.status,
    () => isFirstStatus(kind, current),
  );
  judge(service.definition, failures, []);
  const version = current.status?.['version'];
  if (kind.history !== undefined && version !== undefined) status['version'] = version;
  if (isDeepStrictEqual(status, current.status ?? {})) return 'done';
  const metadata = nextMetadata(current, current.metadata, false, service.now());
  const next = { ...current, metadata, status };
  const state = ownState(service, { kind, manager: MANAGER }, 'status', next, { state: before, row: stored });
  const { id, revision } = stored;
  const result = await service.store.write({ action: 'update', kind: collection, id, revision, ...state });
  return result === 'done' ? 'done' : 'conflict';
}
