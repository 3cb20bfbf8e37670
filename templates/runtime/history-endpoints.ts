import type { OutgoingHttpHeaders } from 'node:http';
import { authorise, isAsked } from './access';
import type { Call } from './call';
import { isVersionId } from './history';
import { sendArray } from './json-array';
import { collectionOf } from './kind';
import { snapshotTexts } from './list-texts';
import { negotiate } from './negotiate';
import { HttpProblem } from './problem';
import { find } from './reading';
import { hubOf, representSnapshot } from './representation';
import { send } from './respond';
import type { Service } from './service';
import type { StoredResource } from './store/store';
import { respondDeleted } from './writing';

/** GET of `/versions` (endpoint 9): the snapshots of a resource, oldest first. */
export async function listVersions(service: Service, call: Call): Promise<void> {
  const version = negotiate(call, undefined);
  const { uid } = await readable(service, call);
  await sendArray(call, snapshotTexts(service.store, call.kind, uid, version), headersOf(service, call));
}

/** GET of one snapshot (endpoint 10). */
export async function getVersion(service: Service, call: Call): Promise<void> {
  const version = negotiate(call, undefined);
  await readable(service, call);
  const snapshot = isVersionId(call.versionId)
    ? await service.store.getSnapshot(snapshotKey(call))
    : undefined;
  if (snapshot === undefined) throw noSnapshot(call);
  send(call.req, call.res, 200, headersOf(service, call), representSnapshot(call.kind, snapshot, version));
}

/** DELETE of one snapshot (endpoint 11); `status.version` stays as it is. */
export async function deleteVersion(service: Service, call: Call): Promise<void> {
  negotiate(call, undefined);
  const stored = await find(service, call);
  await authorise(call, 'canUpdate', hubOf(call.kind, stored));
  const deleted = isVersionId(call.versionId) && (await service.store.deleteSnapshot(snapshotKey(call)));
  if (!deleted) throw noSnapshot(call);
  respondDeleted(call, 'Version deleted successfully');
}

async function readable(service: Service, call: Call): Promise<StoredResource> {
  const stored = await find(service, call);
  if (isAsked(call, 'canGet')) await authorise(call, 'canGet', hubOf(call.kind, stored));
  return stored;
}

function snapshotKey(call: Call): { kind: string; uid: string; versionId: string } {
  return { kind: collectionOf(call.kind), uid: call.uid, versionId: call.versionId };
}

function noSnapshot({ kind, versionId }: Call): HttpProblem {
  return new HttpProblem(404, `${kind.kind} has no version ${JSON.stringify(versionId.slice(0, 64))}.`);
}

function headersOf({ definition }: Service, { warnings }: Call): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'Content-Type': 'application/json', Vary: 'Accept' };
  if (definition.cacheControl !== '') headers['Cache-Control'] = definition.cacheControl;
  if (warnings.length > 0) headers['Warning'] = warnings;
  return headers;
}
