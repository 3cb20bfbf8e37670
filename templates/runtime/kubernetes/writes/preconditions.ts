import { plainText } from '../../model/fields/values';
import { type Json, type JsonObject } from '../../model/schema';
import type { StoredResource } from '../../store/store';
import type { KubernetesContext } from '../face/face';
import { revisionOf } from '../objects/revision';
import { conflict, invalidObject, modified, otherName, withoutName } from '../status/problem';

/** Throws a problem 400 where an object has another name than its URL or none, and 409 where it is of another state than the stored one. */
export function checkSameObject(
  context: KubernetesContext,
  metadata: JsonObject,
  stored: StoredResource,
): void {
  const { name, uid, resourceVersion } = metadata;
  // A patch that removes the metadata would else remove the labels, and the finalizers that hold up a deletion.
  if (!isGiven(name)) throw withoutName(context.uidOrName);
  if (name !== context.uidOrName && context.uidOrName !== stored.uid)
    throw otherName(name, context.uidOrName);
  if (isGiven(uid) && uid !== stored.uid) throw otherUid(context, uid, stored);
  if (isGiven(resourceVersion) && resourceVersion !== revisionOf(stored))
    throw modified(context.kind, context.uidOrName);
}

function isGiven(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== '';
}

function otherUid({ kind, uidOrName }: KubernetesContext, asked: Json, stored: StoredResource): Error {
  return conflict(
    kind,
    uidOrName,
    `Precondition failed: UID in precondition: ${plainText(asked)}, UID in object meta: ${stored.uid}`,
  );
}

/** Throws a problem 422 for an object that replaces another without naming its revision, where the service demands that. */
export function checkNamesRevision(
  { service, kind, uidOrName }: KubernetesContext,
  { resourceVersion }: JsonObject,
): void {
  if (!service.definition.requireIfMatch || isGiven(resourceVersion)) return;
  throw invalidObject(kind, uidOrName, [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: must be specified for an update',
      field: 'metadata.resourceVersion',
    },
  ]);
}

/** Throws a problem 409 where the preconditions of a deletion do not hold. */
export function checkPreconditions(
  context: KubernetesContext,
  { uid, resourceVersion }: JsonObject,
  stored: StoredResource,
): void {
  if (isGiven(uid) && uid !== stored.uid) throw otherUid(context, uid, stored);
  const revision = revisionOf(stored);
  if (isGiven(resourceVersion) && resourceVersion !== revision)
    throw conflict(
      context.kind,
      context.uidOrName,
      `Precondition failed: ResourceVersion in precondition: ${plainText(resourceVersion)}, ResourceVersion in object meta: ${revision}`,
    );
}
