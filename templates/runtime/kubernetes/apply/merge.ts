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
 * else is replaced.
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
  const [places, wantedPlaces] = [placesIn(steps), placesIn(wantedSteps)];
  return mergedSteps(steps, wantedSteps).map((step) => {
    const [place, wantedPlace] = [places.get(step), wantedPlaces.get(step)];
    if (wantedPlace === undefined) return list[place!];
    const each = wanted[wantedPlace];
    return place === undefined ? each : merged(list[place], each, elementOf(shape));
  });
}

function placesIn(steps: readonly Step[]): Map<Step, number> {
  return new Map(steps.map((step, index) => [step, index]));
}

/**
 * Returns the elements of two lists in the order of a kube-apiserver. Wanted elements are in the wanted order. Each other element
 * stays behind the element that it was behind, as far as the order of these has not changed.
 */
function mergedSteps(steps: readonly Step[], wanted: readonly Step[]): Step[] {
  const [present, isWanted] = [new Set(steps), new Set(wanted)];
  const shared = wanted.filter((step) => present.has(step)).values();
  const result = new Set<Step>();
  let nextShared = shared.next().value;
  let place = 0;
  for (const step of wanted) {
    for (; place < steps.length && steps[place] !== step && steps[place] !== nextShared; place++)
      if (!isWanted.has(steps[place])) result.add(steps[place]);
    if (steps[place] === step) place++;
    if (step === nextShared) nextShared = shared.next().value;
    result.add(step);
  }
  for (const other of steps.slice(place)) result.add(other);
  return [...result];
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
