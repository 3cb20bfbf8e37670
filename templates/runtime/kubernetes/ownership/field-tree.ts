import { isObject, type Json, type JsonObject } from '../../model/schema';
import { pointerBelow, stepsOf } from './field-path';

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
