import { formats } from '../../templates/runtime/model/rules/formats';
import {
  compareVersions,
  DEFAULT_GROUP,
  DEFAULT_VERSION,
  publicName,
  VERSION_NAME,
  versionList,
} from '../model/names';
import type { Deprecation, Group, Kind, SharedType } from '../model/project';
import { quoted } from '../model/quoted';
import { buildKind, type GroupContext } from './build-kind';
import { buildFields, type FieldContext } from './fields/build-fields';
import { checkDeclarations, checkFirstResources } from './fields/check-declarations';
import { checkDefaults } from './fields/check-default';
import { checkDepth, checkListKeys, checkRecursion } from './fields/check-types';
import { declaredFields } from './fields/declared-fields';
import type { TypeImports } from './imports';
import { checkCaseTwins, firstPlaces, type Located } from './yaml/located';

/** The name of a group. */
export function groupName(group: Located): string {
  return group.get('name').text ?? DEFAULT_GROUP;
}

/** Returns a group with its types and kinds; `taken` are the names that the project has used so far. */
export function buildGroup(
  place: Located,
  imports: TypeImports,
  taken: Pick<GroupContext, 'plurals' | 'kindNames' | 'kubernetes'> & {
    typeNames: Set<string>;
    /** The group of each kind of the project. */
    groups: ReadonlyMap<string, string>;
  },
): Group {
  const versions = buildVersions(place.get('versions'));
  const storageVersion = buildStorageVersion(place, versions);
  const { declared, complete } = typePlaces(place, imports);
  const fields: FieldContext = {
    typeNames: new Set(declared.keys()),
    complete,
    places: new Map(),
    declarations: new Map(),
  };
  const types = [...declared].map(([name, type]): SharedType => ({
    name,
    publicName: publicName(name, groupName(place), taken.typeNames),
    fields: buildFields(type, fields),
  }));
  const group: GroupContext = {
    name: groupName(place),
    versions,
    storageVersion,
    fields,
    types,
    declaredIn: declaredFields(types, fields),
    ...taken,
  };
  const kinds = place.get('kinds').items();
  checkKindNames(kinds, declared);
  const builtKinds = kinds.map((kind) => buildKind(kind, group));
  const built = {
    name: group.name,
    storageVersion: storageVersion ?? '',
    versions,
    deprecations: buildDeprecations(place.get('versions'), storageVersion),
    types,
    kinds: withTargets(builtKinds, storageVersion),
  };
  checkDepth(types, place.get('types'));
  checkRecursion(types, fields.places);
  checkListKeys(types, fields.places);
  checkDefaults(types, fields.places);
  const names = new Map(built.kinds.map(({ name, uniqueNames }) => [name, uniqueNames]));
  checkDeclarations(fields, { group: group.name, kinds: names, groups: taken.groups });
  if (storageVersion !== undefined) checkFirstResources(built, kinds);
  return built;
}

/** Marks the kinds that others refer to in the storage version. */
function withTargets(kinds: Kind[], storageVersion: string | undefined): Kind[] {
  const hubs = kinds.flatMap(({ versions }) => versions.filter(({ version }) => version === storageVersion));
  const targets = new Set(hubs.flatMap(({ declared }) => declared.map(({ ref }) => ref?.kind)));
  return kinds.map((kind) => (targets.has(kind.name) ? { ...kind, isReferable: true } : kind));
}

/** The most stable and newest first; names that are no versions among them, which the JSON Schema reports. */
function buildVersions(place: Located): string[] {
  if (place.absent) return [DEFAULT_VERSION];
  // It is reported that this is no list; what refers to these versions is right nevertheless.
  if (place.text !== undefined) return versionList(place.text).sort(compareVersions);
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
    const newest = versions.find((version) => VERSION_NAME.test(version)) ?? versions[0];
    const hint = `write "storageVersion: ${newest}", the most stable and newest`;
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
  const declared = firstPlaces(all, 'type', 'key');
  checkCaseTwins(declared);
  return { declared, complete };
}

/** Kinds, their specs and statuses, and shared types become interfaces, whose names must differ. */
function checkKindNames(kinds: Located[], types: ReadonlyMap<string, Located>): void {
  const named = kinds.map((kind) => kind.get('name')).filter(({ text }) => text !== undefined);
  const places = named.map((place) => [place.text!, place] as const);
  const declared = firstPlaces(places, 'kind', 'value');
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

/** A note goes into a header of every response. */
const LONGEST_NOTE = 300;

/** Where the name of a version stands: an item of `versions` is the name, or a mapping with it. */
function versionName(item: Located): Located {
  return item.isMapping ? item.get('name') : item;
}

/** The versions of a group that are marked `deprecated`, by name. */
function buildDeprecations(
  versions: Located,
  storageVersion: string | undefined,
): { [version: string]: Deprecation } {
  const marked: { [version: string]: Deprecation } = {};
  for (const item of versions.items()) {
    const { text: name } = versionName(item);
    const place = item.get('deprecated');
    if (name === undefined || !place.isMapping) continue;
    marked[name] = buildDeprecation(place);
    if (name !== storageVersion) continue;
    const hint =
      'a deprecated version refers clients to the storage version: remove "deprecated", or move the storage to another version first';
    place.keyProblem(`${name} is the storage version and cannot be deprecated`, hint);
  }
  return marked;
}

function buildDeprecation(place: Located): Deprecation {
  const [since, sunset] = ['since', 'sunset'].map((name) => checkDate(place.get(name)));
  if (since !== undefined && sunset !== undefined && Date.parse(sunset) < Date.parse(since)) {
    const hint = 'a version is deprecated first and removed later';
    place.get('sunset').problem(`the sunset ${sunset} is before the deprecation, ${since}`, hint);
  }
  const note = place.get('note').text?.trim().replace(/\s+/g, ' ');
  if (note !== undefined && note.length > LONGEST_NOTE) {
    const hint = 'link to the details; the note is sent with every response';
    place.get('note').problem(`a note has at most ${LONGEST_NOTE} characters, not ${note.length}`, hint);
  }
  return { since: since ?? '', ...(sunset !== undefined && { sunset }), ...(note && { note }) };
}

/** The date, or date-time, as it is written; undefined for what is reported here or by the JSON Schema. */
function checkDate(place: Located): string | undefined {
  const { text } = place;
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
  if (formats['date-time'](time) && !Number.isNaN(Date.parse(time))) return text;
  place.problem(
    `${quoted(text)} is not a date`,
    'use a date such as 2026-01-31, or a date-time such as 2026-01-31T12:00:00Z',
  );
  return undefined;
}
