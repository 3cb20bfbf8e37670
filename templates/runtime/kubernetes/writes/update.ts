import { mediaType, withBody, withPatch } from '../../api/request/body';
import { change, type Draft } from '../../api/writes/change';
import type { Current } from '../../api/writes/judge-sent';
import { readStatus } from '../../api/writes/status-endpoints';
import { readResource } from '../../api/writes/writing';
import { same } from '../../model/fields/values';
import { type HubState, type Part, preservedText } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import type { Json } from '../../model/schema';
import type { Patch } from '../../patch/apply-patch';
import type { StoredResource } from '../../store/store';
import type { KubernetesContext, KubernetesHandler } from '../face/face';
import { objectOf } from '../objects/object';
import { KubernetesProblem } from '../status/problem';
import { APPLY_TYPE, objectBody, PATCH_TYPES } from './object-body';
import { readDryRun, updatingManager } from './options';
import { checkNamesRevision, checkSameObject } from './preconditions';
import { sendWrittenObject } from './respond';
import { readObject } from './sent-object';

/** PUT of an object or of its status. */
export function replacing(part: Part): KubernetesHandler {
  return (context) => {
    readDryRun(context);
    return withBody(context.service, context, objectBody(context), (body) =>
      writeObject(context, part, () => ({ body, isWhole: true })),
    );
  };
}

/** PATCH of an object or of its status, by a JSON patch or a merge patch. */
export function patching(part: Part): KubernetesHandler {
  return (context) => {
    readDryRun(context);
    if (!PATCH_TYPES.includes(mediaType(context.req) ?? '')) throw unknownPatch();
    const write = (_body: Json, patch: Patch): Promise<void> =>
      writeObject(context, part, (stored) => ({
        body: patch(objectOf(context.kind, stored, context.urlVersion)),
        isWhole: false,
      }));
    return withPatch(context.service, context, write, { dialect: 'kubernetes' });
  };
}

function unknownPatch(): KubernetesProblem {
  const accepted = [...PATCH_TYPES, APPLY_TYPE].join(', ');
  return new KubernetesProblem(
    415,
    `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
  );
}

/** The object that a client wants to have, and whether it sent all of it. */
interface Wanted {
  body: Json;
  isWhole: boolean;
}

/** Writes one part of an object as a client wants it, and responds. */
export async function writeObject(
  context: KubernetesContext,
  part: Part,
  wanted: (stored: StoredResource) => Wanted,
): Promise<void> {
  const target = { version: context.urlVersion, part, byRevision: isUnchanged };
  const written = await change(context.service, context, target, (shown, stored) => {
    const { body, isWhole } = wanted(stored);
    const { metadata, plain, status } = readObject(context, body, part, shown);
    checkSameObject(context, metadata, stored);
    if (context.manager?.applied === undefined) context.manager = updatingManager(context, metadata);
    if (isWhole) checkNamesRevision(context, metadata);
    if (part === 'spec') return drafted(context, plain, { shown, stored });
    const sent = { version: context.urlVersion, shown, stored, status };
    return { fields: readStatus(context.service, context, sent) };
  });
  await sendWrittenObject(context, written);
}

/** Returns whether a write changes nothing that a client may set. */
function isUnchanged(before: HubState, after: HubState): boolean {
  const [current, next] = [before.hub, after.hub];
  const { updatedAt } = current.metadata;
  const metadata = (each: Resource): Json => ({ ...each.metadata, updatedAt }) as unknown as Json;
  return (
    same(metadata(current), metadata(next)) &&
    same(current.spec, next.spec) &&
    same(current.status ?? {}, next.status ?? {}) &&
    preservedText(before.preserved) === preservedText(after.preserved)
  );
}

/** Returns the spec, and the members of metadata that clients set: those that the client does not name are removed. */
function drafted(context: KubernetesContext, plain: Json, current: Current): Draft {
  const { client, spec } = readResource(context.service, context, context.urlVersion, plain, current);
  const none = { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] };
  return { client: { ...none, ...client }, fields: spec };
}
