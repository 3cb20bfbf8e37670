import { elementOf } from '../../model/fields/members';
import type { Shape } from '../../model/fields/shape';
import { type Maybe, own, set } from '../../model/fields/values';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import { placeOf, type Step, stepsOf } from '../ownership/field-path';
import { belowIn, elementSteps, isWhole } from '../ownership/fields';

/** Returns a value without the members that are null, which count as absent. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
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

/** Removes fields from an object, unless `wanted` has them. */
export function removeFields(object: JsonObject, pointers: Iterable<string>, wanted: JsonObject): void {
  for (const pointer of pointers) removeAt(object, stepsOf(pointer), wanted);
}

function removeAt(container: Maybe, [step, ...rest]: Step[], wanted: Maybe): void {
  const [place, stays] = [placeOf(container, step), valueAt(wanted, step)];
  if (rest.length > 0) removeAt(valueAt(container, step), rest, stays);
  else if (place !== undefined && stays === undefined) remove(container, place);
}

function valueAt(container: Maybe, step: Step): Maybe {
  const place = placeOf(container, step);
  if (typeof place === 'number') return (container as Json[])[place];
  return place === undefined ? undefined : own(container, place);
}

function remove(container: Maybe, place: string | number): void {
  if (Array.isArray(container)) container.splice(place as number, 1);
  else if (isObject(container)) set(container, place as string, undefined);
}
