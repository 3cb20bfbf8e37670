import { elementOf, find, memberOf, position } from '../../../../templates/runtime/model/fields/members';
import { resolved, type Shape } from '../../../../templates/runtime/model/fields/shape';
import { type Maybe, own, same, set } from '../../../../templates/runtime/model/fields/values';
import {
  isObject,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../../templates/runtime/model/schema';
import { memberText } from '../../data/diff';

/** A step into a value: a member's name, an index, or the element of a list with this value of its key. */
export type Step = string | number | { key: string; value: Json };

/** A value as it was, as this user has changed it, and as somebody else has. */
export interface Three {
  base: Maybe;
  mine: Maybe;
  theirs: Maybe;
}

/** A field that two users do not have the same, and who of them has changed it. */
export interface Difference extends Three {
  path: Step[];
  /** Undefined for an undeclared field. */
  shape: Shape | undefined;
  by: 'mine' | 'theirs' | 'both';
}

/** Returns the fields that differ between two users, as deep as they can be told apart. */
export function differences(three: Three, shape: Shape | undefined, path: Step[] = []): Difference[] {
  const { base, mine, theirs } = three;
  if (same(mine, theirs)) return [];
  const steps = stepsInto(three, shape && resolved(shape));
  if (steps !== undefined)
    return steps.flatMap((step) => {
      const [base, mine, theirs] = [three.base, three.mine, three.theirs].map((value) => at(value, step));
      return differences({ base, mine, theirs }, shape && below(shape, step), [...path, step]);
    });
  const by = same(base, theirs) ? 'mine' : same(base, mine) ? 'theirs' : 'both';
  return [{ ...three, path, shape, by }];
}

/** Returns the steps to the members that may be merged one by one; undefined where the value is one thing. */
function stepsInto({ base, mine, theirs }: Three, schema: Schema | undefined): Step[] | undefined {
  const all = base === undefined ? [mine, theirs] : [base, mine, theirs];
  if (all.every(isObject)) return [...new Set(all.flatMap((each) => Object.keys(each)))];
  if (!all.every((each) => Array.isArray(each))) return undefined;
  const lists = all as Json[][];
  const key = schema?.['x-list-key'];
  if (key !== undefined) return stepsByKey(lists, key);
  const [{ length }] = lists;
  return lists.every((list) => list.length === length) ? [...Array(length).keys()] : undefined;
}

/** A list that this user has put into another order is one thing: the order is a change, too. */
function stepsByKey(lists: Json[][], key: string): Step[] | undefined {
  const keys = lists.map((list) => list.map((each) => own(each, key)));
  const isUsable = keys.every((each) => each.every(isKey) && new Set(each).size === each.length);
  if (!isUsable) return undefined;
  const [before, mine] = [keys[0], keys[keys.length - 2]];
  const shared = (one: Maybe[], other: Maybe[]): Maybe[] => one.filter((each) => other.includes(each));
  if (!same(shared(before, mine) as Json[], shared(mine, before) as Json[])) return undefined;
  return [...new Set(keys.flat())].map((value) => ({ key, value: value as Json }));
}

function isKey(value: Maybe): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function at(value: Maybe, step: Step): Maybe {
  if (typeof step === 'string') return own(value, step);
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
  return find(value, step.key, step.value);
}

function below(shape: Shape, step: Step): Shape | undefined {
  return typeof step === 'string' ? memberOf(shape, step) : elementOf(shape);
}

/** A value that was chosen for a field; undefined removes the field. */
export interface Choice {
  path: Step[];
  value: Maybe;
}

/** Returns a copy of the other user's value with the chosen values. New elements of lists stand as in `mine`. */
export function merged(theirs: JsonObject, mine: JsonObject, choices: Choice[]): JsonObject {
  const copy = structuredClone(theirs);
  for (const { path, value } of choices) {
    const parents = path.slice(0, -1);
    const parent = parents.reduce<Maybe>(at, copy);
    place(parent, path[path.length - 1], value, parents.reduce<Maybe>(at, mine));
  }
  return copy;
}

function place(parent: Maybe, step: Step, value: Maybe, model: Maybe): void {
  if (typeof step === 'string') {
    if (isObject(parent)) set(parent, step, value);
    return;
  }
  if (!Array.isArray(parent)) return;
  const index = typeof step === 'number' ? step : position(parent, step.key, step.value);
  if (index >= 0) parent.splice(index, 1, ...(value === undefined ? [] : [value]));
  else if (value !== undefined) parent.splice(placeOfNew(parent, step as KeyStep, model), 0, value);
}

type KeyStep = Extract<Step, object>;

/** A new element comes after the one that it follows in the model. */
function placeOfNew(list: Json[], { key, value }: KeyStep, model: Maybe): number {
  const place = position(model, key, value);
  const before = place > 0 && Array.isArray(model) ? own(model[place - 1], key) : undefined;
  const found = before === undefined ? -1 : position(list, key, before);
  if (found >= 0) return found + 1;
  return place === 0 ? 0 : list.length;
}

/** Returns the key of a field, unlike that of any other: names may have dots. */
export function keyOfPath(path: Step[]): string {
  return JSON.stringify(path);
}

/** Returns the name of a field for people: `spec.conditions[Online].status`. */
export function nameOfPath(path: Step[]): string {
  const [first = '', ...rest] = path;
  return rest.reduce<string>(
    (name, step) =>
      typeof step === 'object'
        ? `${name}[${String(step.value)}]`
        : typeof step === 'number'
          ? `${name}[${step}]`
          : name + memberText(step),
    typeof first === 'object' ? String(first.value) : String(first),
  );
}
