import type { KindDefinition } from '../../model/kinds/kind';
import type { HubState, Part } from '../../model/kinds/versioning';
import type { JsonObject } from '../../model/schema';
import { isSameOwner, ownersIn } from './field-owner';
import { isKey, keysAbove, parentOf } from './field-path';
import { type Fields, fieldsOf } from './fields';
import { Places, withWholes } from './places';

/** An apply of a manager in a version. */
interface Application {
  version: string;
  part: Part;
  manager: string;
  wanted: JsonObject;
}

/**
 * Returns the pointers of the fields that a manager has applied before and does not apply again, and that nobody else owns. A
 * field of an element holds the element: with its key, all of it is abandoned. So is an object with nothing else but defaults.
 */
export function abandonedFields(
  kind: KindDefinition,
  state: HubState,
  { version, part, manager, wanted }: Application,
): string[] {
  const owners = ownersIn(state) ?? [];
  const mine = owners.find((owner) => isSameOwner(owner, { manager, operation: 'Apply', part }));
  if (mine === undefined) return [];
  const places = new Places(kind, state, version, part);
  const others = owners.filter((owner) => owner !== mine && owner.part === part);
  const pointersOf = (ids: Iterable<string>): Set<string> => places.pointersOf(places.currentIds(ids));
  const theirs = pointersOf(others.flatMap(({ fields }) => withWholes(kind, version, fields)));
  const held = new Set([...theirs].flatMap(keysAbove));
  const stays = fieldsOf(kind, version, wanted, part);
  const abandoned = [...pointersOf(mine.fields)]
    .filter((pointer) => !stays.has(pointer) && !theirs.has(pointer) && !held.has(pointer))
    .map((pointer) => (isKey(pointer) ? parentOf(pointer) : pointer));
  return withParents(new Set(abandoned), places.fields, [...stays.keys(), ...theirs]);
}

/** Returns pointers, each replaced by its highest parent with nothing else in it but defaults and keys that nobody owns. */
function withParents(abandoned: ReadonlySet<string>, fields: Fields, owned: readonly string[]): string[] {
  const isAbandoned = (pointer: string): boolean =>
    [pointer, ...parentsOf(pointer)].some((each) => abandoned.has(each));
  const left = [...fields].flatMap(([pointer, { isDefault }]) =>
    isDefault || isAbandoned(pointer) || isKey(pointer) ? [] : pointer,
  );
  const needed = new Set([...owned, ...left].flatMap((pointer) => [pointer, ...parentsOf(pointer)]));
  return [...abandoned].map((pointer) => parentsOf(pointer).findLast((each) => !needed.has(each)) ?? pointer);
}

/**
 * Returns the pointers to the objects and lists around a field, the nearest first, without `/spec` or `/status`. Labels
 * and the like have no defaults, so that nothing remains of them.
 */
function parentsOf(pointer: string): string[] {
  const parent = parentOf(pointer);
  const isPart = parent.lastIndexOf('/') <= 0 || parent.startsWith('/metadata/');
  return isPart ? [] : [parent, ...parentsOf(parent)];
}
