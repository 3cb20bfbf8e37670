import { elementOf, memberOf } from '../../model/fields/members';
import { resolved, type Shape } from '../../model/fields/shape';
import { same } from '../../model/fields/values';
import { below } from '../../model/fragment';
import type { KindDefinition } from '../../model/kinds/kind';
import type { Part } from '../../model/kinds/versioning';
import { HttpProblem } from '../../model/problem';
import type { Resource } from '../../model/resource';
import { isObject, type Json, type Schema } from '../../model/schema';
import { elementStep, pointerBelow, type Step } from './field-path';

/** A value in a resource. */
interface Placed {
  value: Json;
  /** JSON Pointer to the value. */
  place: string;
}

/** A field that has owners. */
interface Field extends Placed {
  /** True where the value is the default of the field, which nobody needs to have sent. */
  isDefault: boolean;
}

/**
 * Fields that have owners, by pointer. An object is as many fields as it has, and a list with a key as many as its elements
 * have. An empty one is one field, as is any other list.
 */
export type Fields = ReadonlyMap<string, Field>;

/** A list of distinct strings, and a value that is one field whatever it has. */
const SET: Schema = { type: 'array', items: { type: 'string' } };
const WHOLE: Schema = { type: 'object' };

/** The members of metadata that clients set, and that have owners. */
const METADATA: { [member: string]: Schema } = {
  labels: {},
  annotations: {},
  finalizers: SET,
  ownerReferences: { type: 'array', 'x-list-key': 'uid', items: WHOLE },
};

/** A resource, or the part of one that a client sent. */
type Owned = Partial<Pick<Resource, 'spec' | 'status'>> & { metadata?: object };

/** The fields that have been found, and the length of their pointers and places. */
interface Found {
  fields: Map<string, Field>;
  length: number;
}

/** Maximum of that length, in characters: each pointer repeats the names of everything that its field is in. */
const LONGEST = 16 * 1024 * 1024;

/**
 * Returns the fields of a part of a resource in a version. Labels and the like belong to the spec. Throws HttpProblem 413 for
 * more than can be noted.
 */
export function fieldsOf(kind: KindDefinition, version: string, resource: Owned, part: Part): Fields {
  const found: Found = { fields: new Map(), length: 0 };
  const { fields } = found;
  const shape = shapeOf(kind, version);
  const add = (pointer: string, value: Json | undefined, shapeOfValue: Shape): void =>
    addInside(found, pointer, { value: value ?? null, place: pointer }, shapeOfValue);
  add(`/${part}`, resource[part], memberOf(shape, part)!);
  if (part === 'status') {
    if (kind.history !== undefined) fields.delete('/status/version');
    return fields;
  }
  const metadata = (resource.metadata ?? {}) as { [member: string]: Json };
  for (const [member, schema] of Object.entries(METADATA))
    add(`/metadata/${member}`, metadata[member], { ...shape, schema });
  return fields;
}

/** Returns the field rules of a whole resource in a version. */
export function shapeOf({ versions }: KindDefinition, version: string): Shape {
  const { spec, status, types } = versions[version];
  return { schema: { properties: { metadata: { properties: METADATA }, spec, status } }, types };
}

/** Adds the fields inside a value. The value itself is no field, even where it is empty. */
function addInside(found: Found, pointer: string, { value, place }: Placed, shape: Shape): void {
  for (const [step, inside, below] of partsOf(value, shape) ?? [])
    add(found, pointerBelow(pointer, step), { value: inside.value, place: place + inside.place }, below);
}

function add(found: Found, pointer: string, { value, place }: Placed, shape: Shape): void {
  if ((partsOf(value, shape) ?? []).length > 0) return addInside(found, pointer, { value, place }, shape);
  found.length += pointer.length + place.length;
  if (found.length > LONGEST)
    throw new HttpProblem(
      413,
      `The paths to the fields of a resource may have ${LONGEST} characters in all.`,
    );
  const { default: preset } = resolved(shape);
  found.fields.set(pointer, { value, place, isDefault: preset !== undefined && same(preset, value) });
}

/** Returns the members or elements of a value, each with its place in it; undefined for a value that is one field. */
function partsOf(value: Json, shape: Shape): [Step, Placed, Shape][] | undefined {
  if (Array.isArray(value)) {
    const steps = elementSteps(value, shape);
    const each = elementOf(shape);
    return steps?.map((step, index) => [step, { value: value[index], place: `/${index}` }, each]);
  }
  if (!isObject(value) || shape.schema === WHOLE) return undefined;
  return Object.entries(value).map(([name, member]) => [
    `f:${name}`,
    { value: member, place: below('', name) },
    belowIn(shape, `f:${name}`),
  ]);
}

/**
 * Returns the steps to the elements of a list, or undefined for a list that is one field. A list with elements that cannot be
 * distinguished is one field as well.
 */
export function elementSteps(list: Json[], shape: Shape): Step[] | undefined {
  if (!hasElements(shape)) return undefined;
  const key = resolved(shape)['x-list-key'];
  const steps = list.map((element) => elementStep(element, key));
  const isClear = new Set(steps).size === steps.length && !steps.includes(undefined);
  return isClear ? (steps as Step[]) : undefined;
}

/** Returns whether the elements of a list have owners of their own. */
export function hasElements(shape: Shape): boolean {
  return shape.schema === SET || resolved(shape)['x-list-key'] !== undefined;
}

/** Returns the field rules of what a step leads to. */
export function belowIn(shape: Shape, step: Step): Shape {
  if (!step.startsWith('f:')) return elementOf(shape);
  return memberOf(shape, step.slice('f:'.length)) ?? { ...shape, schema: {} };
}

/** Returns whether a value is replaced as a whole. */
export function isWhole({ schema }: Shape): boolean {
  return schema === WHOLE;
}

/** Returns whether a field is absent from both, or has the same value in both. */
export function isSameIn(one: Fields, other: Fields, pointer: string): boolean {
  const [field, against] = [one.get(pointer), other.get(pointer)];
  if (field === undefined || against === undefined) return field === against;
  return same(field.value, against.value);
}
