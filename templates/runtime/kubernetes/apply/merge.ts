import { elementOf, type Shape } from '../../model/fields/shape';
import { isEmpty, type Maybe, own, set } from '../../model/fields/values';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import { placeOf, type Step, stepsOf } from '../ownership/field-path';
import { belowIn, elementSteps, isWhole } from '../ownership/fields';

/** Returns a value without the members that are null, which count as absent. */
export function withoutNulls(value: Json): Json {
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(members.map(([name, each]) => [name, withoutNulls(each)]));
}

/**
 * Returns a value with the fields of another: objects are merged, and lists whose elements have owners of their own; everything
 * else is replaced. Elements stay in their order; new ones come last.
 */
export function merged(value: Maybe, wanted: Json, shape: Shape): Json {
  if (Array.isArray(value) && Array.isArray(wanted)) return mergedList(value, wanted, shape);
  if (!isObject(value) || !isObject(wanted) || isWhole(shape)) return wanted;
  const result = { ...value };
  for (const [name, each] of Object.entries(wanted))
    set(result, name, merged(own(value, name), each, belowIn(shape, `f:${name}`)));
  return result;
}

function mergedList(list: Json[], wanted: Json[], shape: Shape): Json[] {
  const [steps, wantedSteps] = [elementSteps(list, shape), elementSteps(wanted, shape)];
  if (steps === undefined || wantedSteps === undefined) return wanted;
  const places = new Map(steps.map((step, index) => [step, index]));
  const result = [...list];
  for (const [index, step] of wantedSteps.entries()) {
    const place = places.get(step);
    if (place === undefined) result.push(wanted[index]);
    else result[place] = merged(list[place], wanted[index], elementOf(shape));
  }
  return result;
}

/** Removes fields from an object, and objects and lists that become empty by it, unless `wanted` has them. */
export function removeFields(object: JsonObject, pointers: Iterable<string>, wanted: JsonObject): void {
  for (const pointer of pointers) removeAt(object, stepsOf(pointer), wanted);
}

type Container = JsonObject | Json[];

/** Returns whether nothing is left of the container. */
function removeAt(container: Container, [step, ...rest]: Step[], wanted: Maybe): boolean {
  const [value, stays] = [valueAt(container, step), valueAt(wanted, step)];
  if (value === undefined || (rest.length === 0 && stays !== undefined)) return false;
  if (rest.length === 0 || (isContainer(value) && removeAt(value, rest, stays) && stays === undefined))
    remove(container, placeOf(container, step)!);
  return Array.isArray(container) ? container.length === 0 : isEmpty(container);
}

function valueAt(container: Maybe, step: Step): Maybe {
  const place = placeOf(container, step);
  if (typeof place === 'number') return (container as Json[])[place];
  return place === undefined ? undefined : own(container, place);
}

function isContainer(value: Json): value is Container {
  return isObject(value) || Array.isArray(value);
}

function remove(container: Container, place: string | number): void {
  if (Array.isArray(container)) container.splice(place as number, 1);
  else set(container, place as string, undefined);
}
