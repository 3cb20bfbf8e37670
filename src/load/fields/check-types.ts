import { fieldsOf, partsOf } from '../../model/fields';
import { components, cycles } from '../../model/graph';
import { refsIn } from '../../model/json-schema';
import type { Element, Field, FieldType, Shape, SharedType } from '../../model/project';
import { didYouMean, listed, quoted } from '../../model/quoted';
import type { Located } from '../yaml/located';
import { UNKNOWN } from './build-fields';

/**
 * Reports shared types that no finite value can have: an object that needs another of its own type, which needs
 * another, without end. Optional fields, and lists and maps that may be empty, end such a chain.
 */
export function checkRecursion(types: SharedType[], places: ReadonlyMap<Field | Element, Located>): void {
  const needed = new Map(types.map(({ name, fields }) => [name, neededBy(fields)]));
  for (const cycle of cycles(new Map([...needed].map(([name, fields]) => [name, [...fields.keys()]])))) {
    const fields = cycle.map((name, index) => needed.get(name)!.get(cycle[(index + 1) % cycle.length])!);
    const chain = cycle.map((name, index) => `${name}.${fields[index].name}`);
    const [name] = cycle;
    const shown =
      chain.length === 1 ? `${chain[0]} needs another` : `${listed(chain, ' needs ')} needs another`;
    const hint = 'make one of the fields optional, or a list that may be empty';
    places.get(fields[0])!.keyProblem(`no ${name} can ever be complete: ${shown} ${name}`, hint);
  }
}

/** The shared types without which an object with these fields is incomplete, and the field of it that needs each. */
function neededBy(fields: Field[]): Map<string, Field> {
  const needed = new Map<string, Field>();
  for (const field of fields) {
    if (field.required) for (const name of within(field)) if (!needed.has(name)) needed.set(name, field);
  }
  return needed;
}

function within({ type, rules }: Shape): Iterable<string> {
  if (type.kind === 'ref') return [type.name];
  if (type.kind === 'object') return neededBy(type.fields).keys();
  if ((rules.min ?? 0) < 1) return [];
  if (type.kind === 'list') return within(type.items);
  return type.kind === 'map' ? within(type.values) : [];
}

/** The number of levels that types may nest in each other: code that walks through them takes stack for each. */
const MAX_LEVELS = 400;

/** Reports shared types that nest too deep in each other; those of a cycle count as nested in each other once. */
export function checkDepth(types: SharedType[], place: Located): void {
  const levels = new Map(types.map(({ name, fields }) => [name, levelsIn(fields)]));
  const graph = new Map(types.map(({ name, fields }) => [name, [...refsIn(fields)]]));
  const depths = new Map<string, number>();
  for (const component of components(graph)) {
    const below = component.flatMap((name) => graph.get(name)!).map((name) => depths.get(name) ?? 0);
    const own = component.reduce((sum, name) => sum + levels.get(name)!, 0);
    const depth = below.reduce((most, each) => Math.max(most, each), 0) + own;
    for (const name of component) depths.set(name, depth);
  }
  if ([...depths.values()].every((depth) => depth <= MAX_LEVELS)) return;
  const message = 'the shared types of this group refer to each other in too long a chain';
  const hint = `at most ${MAX_LEVELS} levels may nest in each other: nest fewer, or use the type any in between`;
  place.problem(message, hint);
}

/** Returns the number of levels in an object, list or map with these parts, without those in the shared types that it refers to. */
function levelsIn(parts: readonly (Field | Element)[]): number {
  const levels = (type: FieldType): number =>
    ['object', 'list', 'map'].includes(type.kind) ? levelsIn(partsOf(type)) : 0;
  return parts.reduce((most, { type }) => Math.max(most, 1 + levels(type)), 1);
}

/** Reports lists whose `key` cannot identify an element: it must be a string or integer field of objects. */
export function checkListKeys(types: SharedType[], places: ReadonlyMap<Field | Element, Located>): void {
  for (const [{ type }, place] of places) {
    if (type.kind !== 'list' || type.key === undefined || type.items.type === UNKNOWN) continue;
    checkKey(type.key, fieldsOf(type.items.type, types), place.get('key'));
  }
}

function checkKey(key: string, fields: Field[] | undefined, place: Located): void {
  if (fields === undefined) {
    place.problem('only a list of objects can have a key', 'remove it, or give the elements fields');
    return;
  }
  const field = fields.find(({ name }) => name === key);
  if (field === undefined) {
    const names = fields.map(({ name }) => name);
    const hint = didYouMean(key, names, `their fields are ${listed(names)}`);
    place.problem(`the elements have no field ${quoted(key)}`, hint);
  } else if (field.type.kind !== 'string' && field.type.kind !== 'integer') {
    place.problem(`the key ${quoted(key)} must be a string or an integer`);
  }
}
