import { own, plainText } from '../../model/fields/values';
import type { Resource } from '../../model/resource';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import type { KubernetesContext } from '../face/face';
import { isQualifiedName, QUALIFIED_NAME } from '../lifecycle/qualified-name';
import { LONGEST } from '../status/cause';
import { type Cause, invalidObject } from '../status/problem';

/** The members of metadata that the plain API has too, and that clients set. */
const PLAIN = ['name', 'generateName', 'labels', 'annotations', 'finalizers', 'ownerReferences'];

const MAPS = ['labels', 'annotations'] as const;

/** Returns the metadata that a client sent as the plain API reads it. */
export function plainMetadata(metadata: JsonObject): JsonObject {
  const members = PLAIN.filter((name) => Object.hasOwn(metadata, name));
  const plain: JsonObject = Object.fromEntries(members.map((name) => [name, metadata[name]]));
  // Go clients send the empty string for an absent one.
  for (const name of ['name', 'generateName']) if (plain[name] === '') delete plain[name];
  for (const name of MAPS) if (isObject(plain[name])) plain[name] = withoutNull(plain[name]);
  return plain;
}

/** Returns strings by name, with the empty string for null: YAML has null after a key without a value. */
function withoutNull(texts: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, value ?? '']));
}

/**
 * Throws a problem 422 for labels and annotations that Kubernetes does not allow, except those that the object has had: the plain
 * API takes any strings.
 */
export function checkLabels(
  { kind, uidOrName }: KubernetesContext,
  metadata: JsonObject,
  before: Resource['metadata'] | undefined,
): void {
  const causes = MAPS.flatMap((member) => causesOf(member, metadata[member], before?.[member]));
  if (causes.length === 0) return;
  const name = uidOrName || plainText(metadata['name'] ?? metadata['generateName'] ?? '');
  throw invalidObject(kind, name, causes.slice(0, MOST));
}

/** Maximum number of causes that are reported. */
const MOST = 100;

/** The rule of the values of labels. */
const VALUE = /^(?:(?=.{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;

function causesOf(
  member: (typeof MAPS)[number],
  texts: Json | undefined,
  before: { [key: string]: string } = {},
): Cause[] {
  const isLabels = member === 'labels';
  return Object.entries(isObject(texts) ? texts : {}).flatMap(([key, value]) => {
    // Other values than strings are reported with the other members of metadata.
    if (typeof value !== 'string' || own(before, key) === value) return [];
    // As in a kube-apiserver, the prefix of an annotation may have capital letters.
    const wrongKey = isQualifiedName(isLabels ? key : key.toLowerCase()) ? [] : [[key, QUALIFIED_NAME]];
    const wrongValue = isLabels && !VALUE.test(value) ? [[value, VALUE_OF_LABEL]] : [];
    return [...wrongKey, ...wrongValue].map(([text, rule]) => invalidText(member, text, rule));
  });
}

const VALUE_OF_LABEL =
  'must be empty or at most 63 letters, digits, -, _ and ., with a letter or digit at both ends';

function invalidText(member: string, text: string, rule: string): Cause {
  const shown = JSON.stringify(text.slice(0, LONGEST));
  return {
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${shown}: ${rule}`,
    field: `metadata.${member}`,
  };
}
