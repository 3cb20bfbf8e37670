import { plainText } from '../../model/fields/values';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import type { StoredResource } from '../../store/store';
import type { Face, KubernetesCall } from '../face/face';
import { revisionOf } from '../objects/revision';
import { conflict, invalidObject, modified, otherName, withoutName } from '../status/problem';

/** Throws a problem 400 where an object has another name than its URL or none, and 409 where it is of another state than the stored one. */
export function checkSameObject(context: KubernetesCall, metadata: JsonObject, stored: StoredResource): void {
  const { name, uid, resourceVersion } = metadata;
  // A patch that removes the metadata would else remove the labels, and the finalizers that hold up a deletion.
  if (!isGiven(name)) throw withoutName(context.uid);
  if (name !== context.uid && context.uid !== stored.uid) throw otherName(name, context.uid);
  if (isGiven(uid) && uid !== stored.uid) throw otherUid(context, uid, stored);
  if (isGiven(resourceVersion) && resourceVersion !== revisionOf(stored))
    throw modified(context.kind, context.uid);
}

function isGiven(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== '';
}

function otherUid({ kind, uid }: KubernetesCall, asked: Json, stored: StoredResource): Error {
  return conflict(
    kind,
    uid,
    `Precondition failed: UID in precondition: ${plainText(asked)}, UID in object meta: ${stored.uid}`,
  );
}

/** Throws a problem 422 for an object that replaces another without naming its revision, where the service demands that. */
export function checkNamesRevision(
  { service }: Face,
  { kind, uid }: KubernetesCall,
  { resourceVersion }: JsonObject,
): void {
  if (!service.definition.requireIfMatch || isGiven(resourceVersion)) return;
  throw invalidObject(kind, uid, [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: must be specified for an update',
      field: 'metadata.resourceVersion',
    },
  ]);
}

/** Throws a problem 409 where the preconditions of a deletion do not hold. */
export function checkPreconditions(
  context: KubernetesCall,
  preconditions: Json,
  stored: StoredResource,
): void {
  if (!isObject(preconditions)) return;
  const { uid, resourceVersion } = preconditions;
  if (isGiven(uid) && uid !== stored.uid) throw otherUid(context, uid, stored);
  const revision = revisionOf(stored);
  if (isGiven(resourceVersion) && resourceVersion !== revision)
    throw conflict(
      context.kind,
      context.uid,
      `Precondition failed: ResourceVersion in precondition: ${plainText(resourceVersion)}, ResourceVersion in object meta: ${revision}`,
    );
}
