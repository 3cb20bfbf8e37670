import type { ReferenceField } from '../../templates/runtime/model/kinds/kind-data';
import { fieldsOf } from '../model/column-fields';
import { versionSchemas } from '../model/json-schema';
import type { Group, JsonObject, Kind, KindVersion } from '../model/project';
import { declaredData, referencesIn } from '../plan/declared-data';
import { exampleOf } from './example';

/**
 * Returns a spec as examples of a version show it, without optional references: their targets would have to exist. Undefined
 * where the rules leave none to be found.
 */
export function specExample(group: Group, kind: Kind, version: KindVersion): JsonObject | undefined {
  const { spec, types } = versionSchemas(group, kind, version);
  const example = exampleOf(spec, '', { types, depth: 0 });
  if (example === undefined) return undefined;
  const made = structuredClone(example) as JsonObject;
  for (const { path } of referencesOf(group, kind, version)) removeOptional(made, path, group, version);
  return made;
}

/** Returns the references of a kind that requests in a version can name, with their paths in it. */
export function referencesOf(group: Group, kind: Kind, { version }: KindVersion): ReferenceField[] {
  if (!hasReferences(kind)) return [];
  return referencesIn(declaredData(group, kind) ?? {}, group.storageVersion, version);
}

/** Returns whether a kind declares references. */
export function hasReferences({ versions }: Kind): boolean {
  return versions.some(({ declared }) => declared.some(({ ref }) => ref !== undefined));
}

/**
 * Removes a field of a version from a spec, with the objects around it that could not be without it. Returns false where the
 * spec needs it.
 */
export function removeOptional(
  spec: JsonObject,
  [, ...path]: readonly string[],
  group: Group,
  version: KindVersion,
): boolean {
  const optional = deepestOptional(group, version, path);
  if (optional === undefined) return false;
  remove(spec, path.slice(0, optional + 1));
  return true;
}

/** Returns the index of the last step that is an optional field without a default; undefined where all are needed. */
function deepestOptional({ types }: Group, version: KindVersion, path: string[]): number | undefined {
  let fields = version.spec;
  let found: number | undefined;
  for (const [index, name] of path.entries()) {
    const field = fields.find((one) => one.name === name)!;
    if (!field.required && field.default === undefined) found = index;
    fields = fieldsOf(field.type, types) ?? [];
  }
  return found;
}

function remove(object: JsonObject, path: string[]): void {
  const holder = path
    .slice(0, -1)
    .reduce<JsonObject | undefined>((at, name) => at?.[name] as JsonObject | undefined, object);
  if (holder !== undefined) delete holder[path.at(-1)!];
}
