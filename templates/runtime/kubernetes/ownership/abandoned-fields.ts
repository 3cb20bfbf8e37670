import type { KindDefinition } from '../../model/kinds/kind';
import type { JsonObject } from '../../model/schema';
import type { HubState, Part } from '../../model/kinds/versioning';
import { isSameOwner, ownersIn } from './field-owner';
import { keysAbove } from './field-path';
import { fieldsOf } from './fields';
import { Places } from './places';

/** An apply of a manager in a version. */
interface Application {
  version: string;
  part: Part;
  manager: string;
  wanted: JsonObject;
}

/**
 * Returns the pointers of the fields that a manager has applied before and does not apply again, and that nobody else owns. A
 * field of an element holds the element: with its key, all of it is abandoned.
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
  const theirs = pointersOf(others.flatMap(({ fields }) => [...fields]));
  const held = new Set([...theirs].flatMap(keysAbove));
  const stays = fieldsOf(kind, version, wanted, part);
  return [...pointersOf(mine.fields)]
    .filter((pointer) => !stays.has(pointer) && !theirs.has(pointer) && !held.has(pointer))
    .map((pointer) =>
      keysAbove(pointer).at(-1) === pointer ? pointer.slice(0, pointer.lastIndexOf('/')) : pointer,
    );
}
