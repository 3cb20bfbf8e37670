import { buildDeprecations, versionName } from './build-deprecation';
import { buildFields, type FieldContext } from './build-fields';
import { buildKind, type GroupContext } from './build-kind';
import { checkCaseTwins } from './case-twins';
import { checkDefaults } from './check-default';
import { checkListKeys } from './check-list-keys';
import { checkRecursion } from './check-recursion';
import type { TypeImports } from './imports';
import type { Located } from './located';
import type { Group, SharedType } from '../model';
import { compareVersions } from '../names';
import { quoted } from '../quoted';

/** The requirement, "Version model". */
const DEFAULT_NAME = 'example.svc.dev';
const DEFAULT_VERSION = 'v1';

/** The name of a group. */
export function groupName(group: Located): string {
  return group.get('name').text ?? DEFAULT_NAME;
}

/** A group with its types and kinds; `plurals` are those of the project so far. */
export function buildGroup(place: Located, imports: TypeImports, plurals: Map<string, Located>): Group {
  const versions = buildVersions(place.get('versions'));
  const storageVersion = buildStorageVersion(place, versions);
  const { declared, complete } = typePlaces(place, imports);
  const fields: FieldContext = { typeNames: new Set(declared.keys()), complete, places: new Map() };
  const types = [...declared].map(([name, type]): SharedType => ({
    name,
    fields: buildFields(type, fields),
  }));
  const group: GroupContext = { name: groupName(place), versions, storageVersion, fields, plurals };
  const kinds = place.get('kinds').items();
  checkKindNames(kinds, declared);
  const built = {
    name: group.name,
    storageVersion: storageVersion ?? '',
    versions,
    deprecations: buildDeprecations(place.get('versions'), storageVersion),
    types,
    kinds: kinds.map((kind) => buildKind(kind, group)),
  };
  checkRecursion(types, fields.places);
  checkListKeys(types, fields.places);
  checkDefaults(types, fields.places);
  return built;
}

/** The most stable and newest first; names that are no versions among them, which the JSON Schema reports. */
function buildVersions(place: Located): string[] {
  if (place.absent) return [DEFAULT_VERSION];
  const versions = new Set<string>();
  for (const item of place.items()) {
    const name = versionName(item);
    if (name.text === undefined) continue;
    if (versions.has(name.text)) name.problem(`version ${name.text} is declared twice`, 'remove one of them');
    versions.add(name.text);
  }
  return [...versions].sort(compareVersions);
}

/** Undefined when it has to be reported, or cannot be known. */
function buildStorageVersion(group: Located, versions: string[]): string | undefined {
  const place = group.get('storageVersion');
  const complete = group.get('versions').items().length <= versions.length;
  if (place.absent) {
    if (versions.length === 1 && complete) return versions[0];
    const hint = `write "storageVersion: ${versions[0]}", the most stable and newest`;
    const several = versions.length > 1;
    if (several) group.get('versions').keyProblem('several versions need a "storageVersion"', hint);
    return undefined;
  }
  const version = place.text;
  if (version === undefined || versions.includes(version)) return version;
  const hint = `"versions" has ${versions.join(', ')}`;
  place.problem(`storageVersion ${quoted(version)} is not one of the group's versions`, hint);
  return undefined;
}

/** Where the shared types of the group are declared, those of imports first. */
function typePlaces(
  group: Located,
  imports: TypeImports,
): { declared: Map<string, Located>; complete: boolean } {
  const { files, complete } = imports(group.get('imports'));
  const all = [...files, group].flatMap((holder) => holder.get('types').entries());
  const declared = new Map<string, Located>();
  for (const [name, place] of all) {
    const first = declared.get(name);
    if (first === undefined) declared.set(name, place);
    else place.keyProblem(`the type ${quoted(name)} is declared twice`, `the first is at ${first.place}`);
  }
  checkCaseTwins(declared);
  return { declared, complete };
}

/** Kinds, their specs and statuses, and shared types become interfaces, whose names must differ. */
function checkKindNames(kinds: Located[], types: ReadonlyMap<string, Located>): void {
  const named = kinds.map((kind) => kind.get('name')).filter(({ text }) => text !== undefined);
  const declared = new Map<string, Located>();
  for (const place of named) {
    const first = declared.get(place.text!);
    if (first === undefined) declared.set(place.text!, place);
    else place.problem(`the kind ${quoted(place.text!)} is declared twice`, `the first is at ${first.place}`);
  }
  checkCaseTwins(declared, 'value');
  const parts = new Map(
    [...declared.keys()].flatMap((kind) => [`${kind}Spec`, `${kind}Status`].map((part) => [part, kind])),
  );
  const hint = (kind: string): string =>
    `the kind ${kind} has interfaces ${kind}, ${kind}Spec and ${kind}Status; choose another`;
  for (const [name, place] of declared) {
    const owner = parts.get(name);
    if (owner === undefined) continue;
    place.problem(`the kind ${quoted(name)} has the name of a part of ${owner}`, hint(owner));
  }
  for (const [name, place] of types) {
    const owner = declared.has(name) ? name : parts.get(name);
    if (owner === undefined) continue;
    place.keyProblem(`the type ${quoted(name)} has a name that the kind ${owner} uses`, hint(owner));
  }
}
