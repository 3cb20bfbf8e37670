import type { ReferenceField } from '../../templates/runtime/model/kinds/kind-data';
import { fieldsAlong } from '../model/fields';
import { versionSchemas } from '../model/json-schema';
import type { Group, JsonObject, Kind, KindVersion } from '../model/project';
import { dataOf, referencesIn } from '../plan/kind-data';
import type { SpokeSubject, VersionSubject } from '../plan/planned-project';
import { exampleOf } from './example';

/** Returns the uid of a resource in examples. */
export function exampleUid({ uidPrefix }: Kind): string {
  return `${uidPrefix}-0123456789abcdef`;
}

/** Returns the name of a resource in examples of requests. */
export function exampleName({ name }: Kind): string {
  return `my-${name.toLowerCase()}`;
}

/** Returns a spec that keeps the field rules; undefined where none is found. */
export function exampleSpec({ group, kind, version }: VersionSubject): JsonObject | undefined {
  const { spec, types } = versionSchemas(group, kind, version);
  return structuredClone(exampleOf(spec, types)) as JsonObject | undefined;
}

/**
 * Returns a spec as examples of a version show it, without optional references: their targets would have to exist. Undefined
 * where the rules leave none to be found.
 */
export function specExample(subject: SpokeSubject): JsonObject | undefined {
  const { group, version } = subject;
  const spec = exampleSpec(subject);
  if (spec === undefined) return undefined;
  for (const { path } of referencesOf(subject)) removeOptional(spec, path, group, version);
  return spec;
}

/** Returns the references of a kind that requests in a version can name, with their paths in it. */
export function referencesOf(subject: SpokeSubject): ReferenceField[] {
  const { group, kind, version } = subject;
  if (!hasReferences(kind)) return [];
  return referencesIn(dataOf(subject) ?? {}, group.storageVersion, version.version);
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
  const along = fieldsAlong(path, version.spec, group.types)!;
  const optional = along.findLastIndex((field) => !field.required && field.default === undefined);
  if (optional === -1) return false;
  remove(spec, path.slice(0, optional + 1));
  return true;
}

function remove(object: JsonObject, path: string[]): void {
  const holder = path
    .slice(0, -1)
    .reduce<JsonObject | undefined>((at, name) => at?.[name] as JsonObject | undefined, object);
  if (holder !== undefined) delete holder[path.at(-1)!];
}
