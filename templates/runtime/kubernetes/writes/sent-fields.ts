import { resolved, type Shape } from '../../model/fields/shape';
import { below } from '../../model/fragment';
import { isObject, type Json, type JsonObject, type Schema } from '../../model/schema';
import { OWNER_MEMBERS } from '../lifecycle/owner-references';
import { fieldOf } from '../status/cause';

/** The members of an object, and of its metadata. */
const MEMBERS = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
const METADATA = [
  ...['annotations', 'creationTimestamp', 'deletionGracePeriodSeconds', 'deletionTimestamp', 'finalizers'],
  ...['generateName', 'generation', 'labels', 'managedFields', 'name', 'namespace', 'ownerReferences'],
  ...['resourceVersion', 'selfLink', 'uid'],
];

/** Returns the paths of the members that an object, and its metadata, do not have. */
export function unknownMembers(object: JsonObject): string[] {
  const { metadata } = object;
  return [
    ...Object.keys(object).filter((name) => !MEMBERS.includes(name)),
    ...(isObject(metadata) ? Object.keys(metadata) : [])
      .filter((name) => !METADATA.includes(name))
      .map((name) => `metadata.${name}`),
  ];
}

/** Removes the members that owner references do not have from the metadata of an object, in place. Returns their paths. */
export function withoutUnknownOfOwners(metadata: JsonObject): string[] {
  const { ownerReferences } = metadata;
  if (!Array.isArray(ownerReferences)) return [];
  return ownerReferences.flatMap((owner, index) => {
    const unknown = isObject(owner) ? Object.keys(owner).filter((name) => !OWNER_MEMBERS.includes(name)) : [];
    for (const name of unknown) delete (owner as JsonObject)[name];
    return unknown.map((name) => fieldOf(['metadata', 'ownerReferences', index, name]));
  });
}

/** A field that a schema does not have. */
interface UnknownField {
  parent: JsonObject;
  name: string;
  pointer: string;
}

/** Returns the fields of a value that a schema does not have. `pointer` is that of the value. */
export function unknownFields(value: Json, shape: Shape, pointer: string): UnknownField[] {
  const { properties = {}, additionalProperties, items } = resolved(shape);
  const inside = (each: Json, schema: Schema, step: string | number): UnknownField[] =>
    unknownFields(each, { ...shape, schema }, below(pointer, step));
  if (Array.isArray(value))
    return items === undefined ? [] : value.flatMap((each, index) => inside(each, items, index));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    if (Object.hasOwn(properties, name)) return inside(each, properties[name], name);
    if (additionalProperties === undefined) return [];
    if (additionalProperties !== false) return inside(each, additionalProperties, name);
    return { parent: value, name, pointer: below(pointer, name) };
  });
}

/**
 * Removes the null members of maps from a value, in place, as a kube-apiserver does: YAML has null after a key without a value.
 * Values of any type may be null. Null fields of objects count as absent on every API.
 */
export function removeNullValues(value: Json, shape: Shape): void {
  const { properties = {}, additionalProperties, items } = resolved(shape);
  const inside = (each: Json, schema: Schema): void => removeNullValues(each, { ...shape, schema });
  if (Array.isArray(value)) {
    if (items !== undefined) for (const each of value) inside(each, items);
    return;
  }
  if (!isObject(value)) return;
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const isTyped = values !== undefined && resolved({ ...shape, schema: values }).type !== undefined;
  for (const [name, each] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : values;
    if (each === null && schema === values && isTyped) delete value[name];
    else if (schema !== undefined) inside(each, schema);
  }
}
