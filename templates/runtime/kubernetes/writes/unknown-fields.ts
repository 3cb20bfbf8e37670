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
