import type { Deletion } from '../../api/parts/data-part';
import { nextMetadata } from '../../api/request/metadata';
import type { RequestContext } from '../../api/request/request-context';
import { deleteStored } from '../../api/writes/deletion';
import { writeOrJudge } from '../../api/writes/dry-run';
import { newStateOf } from '../../api/writes/new-state';
import { unwrittenResponse, type Written, writtenResponse } from '../../api/writes/written';
import { collectionOf } from '../../model/kinds/kind';
import type { HubState } from '../../model/kinds/versioning';
import type { Metadata, Resource } from '../../model/resource';
import type { Service } from '../../service/service';
import { timeOf } from '../ownership/field-owner';

/**
 * Marks a resource for deletion once its finalizers are removed, and returns the response. Returns undefined if others
 * have written meanwhile. Throws HttpProblem 409 if it could not be deleted now.
 */
export async function postponeDeletion(
  service: Service,
  context: RequestContext,
  deletion: Deletion,
  before: HubState,
): Promise<Written | undefined> {
  const { kind } = context;
  const { version, stored, since } = deletion;
  const { hub } = before;
  if (hub.metadata.deletionTimestamp !== undefined) return unwrittenResponse(context, stored, version);
  if ((await deleteStored(service, { ...context, dryRun: true }, deletion)) !== 'done') return undefined;
  const next = { ...hub, metadata: waitingMetadata(hub, service.now()), status: { ...hub.status } };
  const row = newStateOf(service, context, next, {
    ...{ cause: 'updated', hasSnapshot: false, preserved: before.preserved },
    ...{ version: kind.storageVersion, before: { state: before, row: stored } },
  });
  const response = writtenResponse(context, 200, row, version);
  const { id, revision } = stored;
  const write = { action: 'update', kind: collectionOf(kind), id, revision, ...row } as const;
  const result = await writeOrJudge(service, context, write, since);
  return result === 'done' ? { before: stored, ...response } : undefined;
}

/** Returns the metadata of a resource whose deletion waits. Its generation grows, as in Kubernetes. */
function waitingMetadata(current: Resource, now: number): Metadata {
  const metadata = { ...current.metadata, deletionTimestamp: timeOf(now) };
  return nextMetadata({ ...current, metadata }, current.metadata, true, now);
}
