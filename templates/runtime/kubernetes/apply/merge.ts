import { elementOf } from '../../model/fields/members';
import type { Shape } from '../../model/fields/shape';
import { list, type Maybe, own, set } from '../../model/fields/values';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import { placesOf, type Step, stepsOf } from '../ownership/field-path';
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

/** Fields to remove, by the steps that lead to them. */
interface Removal {
  isMeant: boolean;
  below: Map<Step, Removal>;
}

/** Removes fields from an object, unless `wanted` has them. */
export function removeFields(object: JsonObject, pointers: Iterable<string>, wanted: JsonObject): void {
  const all: Removal = { isMeant: false, below: new Map() };
  for (const pointer of pointers) {
    let at = all;
    for (const step of stepsOf(pointer)) {
      const next = at.below.get(step) ?? { isMeant: false, below: new Map() };
      at.below.set(step, next);
      at = next;
    }
    at.isMeant = true;
  }
  removeIn(object, all, wanted);
}

function removeIn(container: Maybe, { below }: Removal, wanted: Maybe): void {
  const [places, stay] = [container, wanted].map((value) => placesOf(value, below.keys()));
  const gone = new Set<string | number>();
  for (const [step, removal] of below) {
    const [value, stays] = [memberAt(container, places.get(step)), memberAt(wanted, stay.get(step))];
    removeIn(value, removal, stays);
    if (removal.isMeant && value !== undefined && stays === undefined) gone.add(places.get(step)!);
  }
  if (isObject(container)) for (const name of gone) set(container, String(name), undefined);
  else if (Array.isArray(container) && gone.size > 0) {
    const left = container.filter((_, index) => !gone.has(index));
    container.length = 0;
    for (const element of left) container.push(element);
  }
}

function memberAt(container: Maybe, place: string | number | undefined): Maybe {
  if (typeof place === 'number') return list(container)[place];
  return place === undefined ? undefined : own(container, place);
}
