import { addWarnings } from '../../http/responses/respond';
import { plainText } from '../../model/fields/values';
import { pointerKeys } from '../../model/fragment';
import { partShape } from '../../model/kinds/kind';
import type { Part } from '../../model/kinds/versioning';
import type { Resource } from '../../model/resource';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import { unchangedIn } from '../../validation/ratcheting';
import { apiVersionOf, type KubernetesContext } from '../face/face';
import { fieldOf } from '../status/cause';
import { anObject, badRequest } from '../status/problem';
import { directiveOf } from './options';
import { removeNullValues, unknownFields, unknownMembers, withoutUnknownOfOwners } from './sent-fields';
import { checkLabels, plainMetadata } from './sent-metadata';

/** An object that a client sent, and the same as the plain API would read it. */
export interface SentObject {
  metadata: JsonObject;
  /** Without the members of metadata that only Kubernetes has. */
  plain: JsonObject & { spec: Json };
  status: Json;
}

/**
 * Reads an object that a client sent, of which it wants to write one part. Fields that the version does not have are left
 * out, and reported as the request's `fieldValidation` says, unless the object has had them: `shown` is the object before, as the
 * version shows it. Throws a problem 400, and 422 for labels and annotations that Kubernetes does not allow.
 */
export function readObject(context: KubernetesContext, body: Json, part: Part, shown?: Resource): SentObject {
  const object = anObject('the body', body);
  const [spec, status] = [object['spec'] ?? {}, object['status'] ?? {}];
  checkType(context, object['apiVersion'], object['kind']);
  const metadata = anObject('metadata', object['metadata'] ?? {});
  context.subject.sent = { ...object, spec, status };
  reportUnknown(context, [
    ...unknownMembers(object),
    ...withoutUnknownOfOwners(metadata),
    ...withoutUnknown(context, part, [part === 'spec' ? spec : status, shown?.[part]]),
  ]);
  removeNullValues(part === 'spec' ? spec : status, partShape(context.kind, context.urlVersion, part));
  const plain = plainMetadata(metadata);
  if (part === 'spec') checkLabels(context, plain, shown?.metadata);
  return { metadata, plain: { metadata: plain, spec }, status };
}

function checkType(context: KubernetesContext, apiVersion: Json | undefined, name: Json | undefined): void {
  const { kind } = context.kind;
  const expected = apiVersionOf(context);
  const sentVersion = apiVersion ?? expected;
  if (sentVersion !== expected)
    throw badRequest(
      `the API version in the data (${plainText(sentVersion)}) does not match the expected API version (${expected})`,
    );
  const sentKind = name ?? kind;
  if (sentKind !== kind)
    throw badRequest(
      `the kind in the data (${plainText(sentKind)}) does not match the expected kind (${kind})`,
    );
}

/**
 * Removes the unknown fields from a part, in place, and returns their paths. Those that are as before stay: they are of a time when
 * the version had them. So do all where the service stores unknown fields, unless the request refuses them.
 */
function withoutUnknown(
  context: KubernetesContext,
  part: Part,
  [fields, before]: [fields: Json, before: JsonObject | undefined],
): string[] {
  const { service, kind, urlVersion } = context;
  if (service.definition.validation !== 'strict' && directiveOf(context) !== 'Strict') return [];
  if (part === 'status' && kind.history !== undefined && isObject(fields)) delete fields['version'];
  const shape = partShape(kind, urlVersion, part);
  const isAsBefore = before === undefined ? () => false : unchangedIn(fields, before, shape);
  const unknown = unknownFields(fields, shape, `/${part}`).filter((field) => !isAsBefore(field));
  for (const { parent, name } of unknown) delete parent[name];
  return unknown.map(({ pointer }) => fieldOf(pointerKeys(pointer)));
}

/** Maximum number of unknown fields that are reported. */
const MOST = 20;

function reportUnknown(context: KubernetesContext, unknown: string[]): void {
  const directive = directiveOf(context);
  const texts = unknown.slice(0, MOST).map((path) => `unknown field ${JSON.stringify(path.slice(0, 200))}`);
  if (directive === 'Warn') addWarnings(context.warnings, texts);
  if (directive === 'Strict' && texts.length > 0)
    throw badRequest(`strict decoding error: ${texts.join(', ')}`);
}
