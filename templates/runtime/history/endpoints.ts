import { withAllowed } from '../api/reads/reading';
import { untaggedHeaders } from '../api/request/caching';
import { scopeOf } from '../api/request/label-scope';
import { negotiate } from '../api/request/negotiate';
import type { RequestContext } from '../api/request/request-context';
import { respondDeleted } from '../api/writes/delete-resource';
import { LARGE, turnOfLarge } from '../concurrency/large-work';
import { send } from '../http/responses/respond';
import { collectionOf } from '../model/kinds/kind';
import { HttpProblem } from '../model/problem';
import { isVersionId } from '../model/versions/version-id';
import type { Service } from '../service/service';
import type { SnapshotKey } from '../store/history/snapshots';
import type { StoredSnapshot } from '../store/store';
import { lengthOf } from '../store/stored-resource';
import { sendSnapshots, snapshotQuery } from './listing';
import { isSnapshotInScope, representSnapshot } from './shown-snapshot';

/** GET of `/versions` (endpoint 9): the snapshots of a resource, all or a page of them, oldest first unless asked otherwise. */
export async function listVersions(service: Service, context: RequestContext): Promise<void> {
  const query = snapshotQuery(context.query, service.settings.MAX_PAGE_SIZE);
  const version = negotiate(context, undefined);
  const uid = await withAllowed(service, context, 'canGet', (stored) => stored.uid);
  await sendSnapshots({ service, context, uid, version }, query, untaggedHeaders(service, context));
}

/** GET of one snapshot (endpoint 10). */
export async function getVersion(service: Service, context: RequestContext): Promise<void> {
  const version = negotiate(context, undefined);
  const uid = await withAllowed(service, context, 'canGet', (stored) => stored.uid);
  await service.memory.spend('response', context.res, {
    read: () => findSnapshot(service, context, uid),
    cost: (snapshot) => 2 * lengthOf(snapshot),
    action: async (snapshot) => {
      if (lengthOf(snapshot) >= LARGE) await turnOfLarge();
      const text = representSnapshot(context.kind, snapshot, version);
      send(context.req, context.res, 200, untaggedHeaders(service, context), text);
    },
  });
}

/** DELETE of one snapshot (endpoint 11); `status.version` stays as it is. */
export async function deleteVersion(service: Service, context: RequestContext): Promise<void> {
  negotiate(context, undefined);
  const uid = await withAllowed(service, context, 'canUpdate', (stored) => stored.uid);
  await findSnapshot(service, context, uid);
  if (context.dryRun !== true && !(await service.store.snapshots!.delete(snapshotKey(context, uid))))
    throw noSnapshot(context);
  respondDeleted(context, 'Version deleted successfully');
}

/** Throws HttpProblem 404 for a snapshot that does not exist, or was taken outside the request's scope. */
async function findSnapshot(
  { store }: Service,
  context: RequestContext,
  uid: string,
): Promise<StoredSnapshot> {
  const found = isVersionId(context.versionId)
    ? await store.snapshots!.find(snapshotKey(context, uid))
    : undefined;
  if (found === undefined || !isSnapshotInScope(found, scopeOf(context.req))) throw noSnapshot(context);
  return found;
}

function snapshotKey({ kind, versionId }: RequestContext, uid: string): SnapshotKey {
  return { kind: collectionOf(kind), uid, versionId };
}

function noSnapshot({ kind, versionId }: RequestContext): HttpProblem {
  return new HttpProblem(404, `${kind.kind} has no version ${JSON.stringify(versionId.slice(0, 64))}.`);
}
