import { resolved, type Shape } from '../../model/fields/shape';
import { isObject, type Json } from '../../model/schema';
import { elementStep, pathOf, pointerBelow, type Step } from '../ownership/field-path';
import { belowIn, hasElements } from '../ownership/fields';
import { badRequest } from '../status/problem';

/**
 * Throws a problem 400 for a list whose elements have owners of their own, and which has an element twice or without its key:
 * nobody could say whose it is.
 */
export function checkElements(value: Json, shape: Shape, pointer = ''): void {
  if (Array.isArray(value)) {
    if (!hasElements(shape)) return;
    for (const [step, element] of distinct(value, shape, pointer))
      checkElements(element, belowIn(shape, step), pointerBelow(pointer, step));
  } else if (isObject(value))
    for (const [name, each] of Object.entries(value))
      checkElements(each, belowIn(shape, `f:${name}`), pointerBelow(pointer, `f:${name}`));
}

function distinct(list: Json[], shape: Shape, pointer: string): Map<Step, Json> {
  const key = resolved(shape)['x-list-key'];
  const found = new Map<Step, Json>();
  for (const [index, element] of list.entries()) {
    const step = elementStep(element, key);
    if (step === undefined)
      throw badRequest(`${pathOf(pointer)}: element ${index}: ${key === undefined ? NO_STRING : noKey(key)}`);
    if (found.has(step))
      throw badRequest(`${pathOf(pointer)}: duplicate entries for key ${pathOf(pointerBelow('', step))}`);
    found.set(step, element);
  }
  return found;
}

const NO_STRING = 'must be a string';

function noKey(key: string): string {
  return `associative list with keys has an element that omits key field ${JSON.stringify(key)}`;
}
