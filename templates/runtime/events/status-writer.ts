import { isDeepStrictEqual } from 'node:util';
import { admit, judge } from '../admission';
import { stateOf } from '../change';
import { hubStateOf, keptAfter } from '../hub-state';
import { collectionOf, type KindDefinition } from '../kind';
import { nextMetadata } from '../metadata';
import { hubOf } from '../representation';
import type { Resource } from '../resource';
import type { JsonObject } from '../schema';
import type { Service } from '../service';
import { StoreUnavailable } from '../store/store';

/** How often a write is tried again when other processes write the same resource in between. */
const MAX_ATTEMPTS = 100;

/**
 * Writes the status of a resource from within the process, with all that a write through the status endpoint
 * does: field rules, times, event. `draft` makes the new status of the current resource; a status that is the
 * same is not written. False when there is no such resource. Throws HttpProblem 400 for fields that break a rule,
 * and StoreUnavailable.
 */
export function writeStatus(
  service: Service,
  kind: KindDefinition,
  uid: string,
  draft: (current: Resource) => JsonObject,
): Promise<boolean> {
  return service.turns.take(uid, async () => {
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
  // What a program makes may hold more than JSON does, such as dates.
  const status = JSON.parse(JSON.stringify(draft(hubOf(kind, stored)))) as JsonObject;
  if (kind.history !== undefined) delete status['version'];
  const { storageVersion } = kind;
  judge(service.definition, admit(kind, storageVersion, 'status', status, undefined), []);
  const version = current.status?.['version'];
  if (kind.history !== undefined && version !== undefined) status['version'] = version;
  if (isDeepStrictEqual(status, current.status ?? {})) return 'done';
  const metadata = nextMetadata(current, current.metadata, false, service.now());
  const next = { ...current, metadata, status };
  const kept = keptAfter(kind, before, next, { version: storageVersion, part: 'status', aside: undefined });
  const state = stateOf(service, { kind }, next, 'status', kept);
  const { id, revision } = stored;
  return service.store.write({ action: 'update', kind: collection, id, revision, ...state });
}
