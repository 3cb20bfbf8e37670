import { below, escapedStep, unescapedStep } from '../../model/fragment';
import { isObject, type Json, type JsonObject } from '../../model/schema';

/**
 * A step to a field in the form of Kubernetes' FieldsV1: `f:spec` leads to a member of an object, `k:{"name":"http"}` to the
 * element of a list with a key, and `v:"example.dev/cleanup"` to an element of a set.
 */
export type Step = string;

/** The beginning of a step to an element within a pointer: no escaped name of a member begins like it. */
const ELEMENT = '~';

/**
 * Returns the pointer of a field below another: a JSON Pointer that has the key or the value of an element where a JSON
 * Pointer would have its index.
 */
export function pointerBelow(pointer: string, step: Step): string {
  if (step.startsWith('f:')) return below(pointer, step.slice('f:'.length));
  return `${pointer}/${ELEMENT}${escapedStep(step)}`;
}

/** Returns the pointer to what a field is in. */
export function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** Returns the steps of the pointer of a field. */
export function stepsOf(pointer: string): Step[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) =>
      /^~[kv]:/.test(step) ? unescapedStep(step.slice(ELEMENT.length)) : `f:${unescapedStep(step)}`,
    );
}

/** Returns the step to an element of a list with a key, or of a set; undefined where it has no usable key. */
export function elementStep(element: Json, key: string | undefined): Step | undefined {
  const value = key === undefined ? element : isObject(element) ? element[key] : undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return key === undefined ? `v:${JSON.stringify(value)}` : `k:${JSON.stringify({ [key]: value })}`;
}

/** Returns the members, or the indices, that steps lead to; elements that a list does not have are left out. */
export function placesOf(value: Json | undefined, steps: Iterable<Step>): Map<Step, string | number> {
  const places = new Map<Step, string | number>();
  const indices = new Map<string | undefined, Map<Step | undefined, number>>();
  for (const step of steps) {
    if (step.startsWith('f:')) places.set(step, step.slice('f:'.length));
    if (step.startsWith('f:') || !Array.isArray(value)) continue;
    const [key] = keyOf(step);
    const found = indices.get(key) ?? indicesOf(value, key);
    indices.set(key, found);
    const index = found.get(step);
    if (index !== undefined) places.set(step, index);
  }
  return places;
}

/** Returns the index of the first element that each step leads to. */
function indicesOf(list: Json[], key: string | undefined): Map<Step | undefined, number> {
  return new Map(list.map((element, index) => [elementStep(element, key), index] as const).reverse());
}

/** Returns the key of the element that a step leads to, and its value. A set has no key. */
function keyOf(step: Step): [key: string | undefined, value: Json] {
  const json = JSON.parse(step.slice('k:'.length)) as Json;
  return step.startsWith('k:') ? Object.entries(json as JsonObject)[0] : [undefined, json];
}

/** Returns the pointers of the keys of the elements that a pointer leads through. */
export function keysAbove(pointer: string): string[] {
  const keys: string[] = [];
  stepsOf(pointer).reduce((above, step) => {
    const at = pointerBelow(above, step);
    if (step.startsWith('k:')) keys.push(below(at, keyOf(step)[0]!));
    return at;
  }, '');
  return keys;
}

/** Returns whether a field is the key of the element that it is in. */
export function isKey(pointer: string): boolean {
  return keysAbove(pointer).at(-1) === pointer;
}

/** Returns the pointers of the lists that a pointer leads through. It may begin with the name of a version. */
export function listsAbove(pointer: string): string[] {
  const lists: string[] = [];
  stepsOf(pointer).reduce(
    (above, step) => {
      if (!step.startsWith('f:')) lists.push(above);
      return pointerBelow(above, step);
    },
    pointer.slice(0, pointer.indexOf('/')),
  );
  return lists;
}

/** Returns a pointer in the form of Kubernetes, such as `.spec.ports[name="http"].number`. */
export function pathOf(pointer: string): string {
  return stepsOf(pointer)
    .map((step) => {
      if (step.startsWith('f:')) return `.${step.slice('f:'.length)}`;
      const [key = '', value] = keyOf(step);
      return `[${key}=${JSON.stringify(value)}]`;
    })
    .join('');
}

/** Fields in the form of Kubernetes' FieldsV1, such as `{"f:spec":{"f:location":{}}}`. */
export type FieldTree = JsonObject;

/** Returns fields as a tree. */
export function treeOf(pointers: Iterable<string>): FieldTree {
  const tree: FieldTree = {};
  for (const pointer of pointers) {
    let at = tree;
    for (const step of stepsOf(pointer)) at = (at[step] ??= {}) as FieldTree;
  }
  return tree;
}

/** The steps that lead on in a tree. An index of a list stands for the whole list. */
const STEP = /^(?:f:|v:|k:\{)/;

/** Returns the pointers of a tree. A map with members stands for its members. */
export function pointersIn(tree: Json, above = ''): string[] {
  if (!isObject(tree)) return [];
  const steps = Object.keys(tree).filter((key) => key !== '.');
  const isField = above !== '' && (steps.length === 0 || !steps.every((step) => STEP.test(step)));
  if (isField) return [above];
  return steps.flatMap((step) => pointersIn(tree[step], pointerBelow(above, step)));
}
