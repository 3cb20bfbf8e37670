import { collectionOf } from '../../model/kinds/kind';
import { hubStateOf, preservedText } from '../../model/kinds/versioning';
import { eventOfChange } from '../../service/feature';
import type { Service } from '../../service/service';
import type { NewEvent, StoredResource, WriteResult } from '../../store/store';
import type { Deletion } from '../parts/data-part';
import { represent } from '../reads/representation';
import type { RequestContext } from '../request/request-context';
import { writeOrJudge } from './dry-run';

/**
 * Deletes a stored resource with its snapshots, and with what its referrers declare. The result is `conflict` where others have
 * written it meanwhile. Throws HttpProblem 409 where a referrer forbids it.
 */
export function deleteStored(
  service: Service,
  context: RequestContext,
  { version, stored, since, more }: Deletion,
): Promise<WriteResult> {
  const { kind } = context;
  const { id, uid, revision } = stored;
  const event = deletionEvent(service, context, stored);
  const write = { action: 'delete', kind: collectionOf(kind), id, uid, revision, event } as const;
  if (kind.data === undefined || service.data === undefined)
    return writeOrJudge(service, context, write, since);
  return service.data.remove(context, { version, stored, write: { ...write, isIndexed: true }, since, more });
}

/** Returns the event of a deletion; undefined for a service that publishes none. */
export function deletionEvent(
  service: Service,
  { kind, req }: Pick<RequestContext, 'kind' | 'req'>,
  stored: StoredResource,
): NewEvent | undefined {
  return eventOfChange(service, () => {
    const { hub: resource, preserved } = hubStateOf(kind, stored);
    const { text } = represent(kind, stored, kind.storageVersion);
    const kept = stored.version === kind.storageVersion ? stored.kept : preservedText(preserved);
    const time = Math.max(service.now(), Date.parse(resource.metadata.updatedAt));
    return { cause: 'deleted', kind, resource, text, kept, time, request: req };
  });
}
