import { isDeepStrictEqual } from 'node:util';
import type { LoadedProject } from '../load/load-project';
import { DEFAULT_GROUP, DEFAULT_VERSION } from '../model/names';
import { refuse } from '../model/problem';
import type { Json, ValidationMode } from '../model/project';
import { moveStorage } from './move-storage';
import { chooseGroup, type GroupText, readGroups, requireVersion } from './project-text';
import { addPair, appendItem, copyPairs } from './yaml-edit';
import { renderFlow } from './yaml-render';

/** The input of `svcgen init`. */
export interface NewProject {
  name: string;
  group: string;
  versions: string[];
  storageVersion: string;
  validation: ValidationMode;
  events: boolean;
}

/** The input of `svcgen add kind`. */
export interface NewKind {
  name: string;
  /** The only group, where undefined. */
  group?: string;
  /** The group's storage version, where undefined. */
  version?: string;
  plural?: string;
  specVersioning?: boolean;
}

/** The input of `svcgen add version`. */
export interface NewVersion {
  name: string;
  /** The only group, where undefined. */
  group?: string;
  /** The version whose fields are copied; the storage version, where undefined. */
  from?: string;
  /** True to make it the storage version. */
  storage?: boolean;
}

/** The fields that a new kind starts with (specification, "Kind-specific spec and status"). */
const SCAFFOLD = {
  spec: { description: { type: 'string', rules: ['max=200'] } },
  status: { phase: 'string', message: 'string', ready: { type: 'boolean', default: false } },
};

/** The text of a new project.yaml. */
export function newProjectText(project: NewProject): string {
  return [
    '# yaml-language-server: $schema=.svcgen/project.schema.json',
    `name: ${renderFlow(project.name)}`,
    withComment(`validation: ${renderFlow(project.validation)}`, 'strict | warn | disabled'),
    withComment(`events: ${project.events}`, 'true: publish CloudEvents'),
    'groups:',
    `  - name: ${renderFlow(project.group)}`,
    `    storageVersion: ${renderFlow(project.storageVersion)}`,
    `    versions: ${renderFlow(project.versions)}`,
    withComment('    kinds: []', 'svcgen add kind <Kind>'),
    '',
  ].join('\n');
}

function withComment(line: string, comment: string): string {
  return `${line.padEnd(31)} # ${comment}`;
}

/**
 * project.yaml with the kind added in one version, and in the storage version if that lacks it.
 * Throws ProjectError for a group or version that is not declared and for a kind that the version has.
 */
export function addKind(text: string, kind: NewKind): string {
  const groups = readGroups(text);
  if (groups.length === 0) return appendItem(text, ['groups'], newGroup(kind));
  const group = chooseGroup(groups, kind.group);
  const version = kind.version ?? group.storageVersion;
  requireVersion(group, version);
  const present = group.kinds.find(({ name }) => name === kind.name);
  if (present?.versions.includes(version)) {
    refuse(`kind ${kind.name} already exists in version ${version} of group ${group.name}`);
  }
  const versions = [...new Set([group.storageVersion, version])];
  if (!present) return appendItem(text, [...group.path, 'kinds'], newKind(kind, versions));
  if (kind.plural !== undefined || kind.specVersioning) {
    refuse(`kind ${kind.name} already exists; --plural and --spec-versioning only apply to a new kind`);
  }
  return versions
    .filter((missing) => !present.versions.includes(missing))
    .reduce((edited, missing) => addPair(edited, [...present.path, 'versions'], missing, SCAFFOLD), text);
}

function newGroup(kind: NewKind): Json {
  const version = kind.version ?? DEFAULT_VERSION;
  const name = kind.group ?? DEFAULT_GROUP;
  return { name, storageVersion: version, versions: [version], kinds: [newKind(kind, [version])] };
}

function newKind({ name, plural, specVersioning }: NewKind, versions: string[]): Json {
  return {
    name,
    ...(plural !== undefined && { plural }),
    ...(specVersioning && { specVersioning }),
    versions: Object.fromEntries(versions.map((version) => [version, SCAFFOLD])),
  };
}

/**
 * Returns project.yaml with the version declared and the fields of every kind copied into it, conversion rules included.
 * With `storage`, the version becomes the storage version, declared now or before, and the rules are inverted; `load` loads
 * a project from the text. Throws ProjectError for a version that is declared already, a source that is not, and rules that
 * cannot be inverted.
 */
export function addVersion(text: string, version: NewVersion, load: (text: string) => LoadedProject): string {
  const group = chooseGroup(readGroups(text), version.group);
  const source = version.from ?? group.storageVersion;
  requireVersion(group, source);
  const isDeclared = group.versions.includes(version.name);
  if (isDeclared) checkMove(group, version);
  const declared = isDeclared ? text : declareVersion(text, group, version.name);
  const sources = [source, ...(version.storage ? [group.storageVersion] : [])];
  const copies = group.kinds.flatMap(({ path, versions }) => {
    const from = versions.includes(version.name) ? undefined : sources.find((v) => versions.includes(v));
    return from === undefined ? [] : [{ path: [...path, 'versions'], from, to: version.name }];
  });
  const edited = copyPairs(declared, copies);
  checkOthers(text, edited, group);
  return version.storage ? moveStorage(edited, group, version.name, { text, source, load }) : edited;
}

/** Throws ProjectError where a kind of another group repeats, by an alias, versions that were edited. */
function checkOthers(text: string, edited: string, group: GroupText): void {
  const others = (all: GroupText[]): GroupText[] => all.filter(({ name }) => name !== group.name);
  const [before, after] = [others(readGroups(text)), others(readGroups(edited))];
  const changed = before.find((other, index) => !isDeepStrictEqual(other, after[index]));
  if (changed === undefined) return;
  refuse(
    `group ${changed.name} shares versions of its kinds with group ${group.name} by an alias`,
    'write the versions out instead of the alias',
  );
}

/** A version that is there may become the storage version; nothing else can be asked of it. */
function checkMove(group: GroupText, { name, from, storage }: NewVersion): void {
  const isStored = name === group.storageVersion;
  const declared = `version ${name} is already declared in group ${group.name}`;
  if (!storage)
    refuse(declared, isStored ? 'it is the storage version' : '--storage makes it the storage version');
  if (isStored) refuse(`version ${name} is already the storage version of group ${group.name}`);
  if (from !== undefined) refuse(`${declared}; --from only applies to a new version`);
}

function declareVersion(text: string, group: GroupText, version: string): string {
  let edited = text;
  if (!group.declares.versions) edited = addPair(edited, group.path, 'versions', group.versions, 'name');
  edited = appendItem(edited, [...group.path, 'versions'], version);
  if (group.declares.storageVersion) return edited;
  return addPair(edited, group.path, 'storageVersion', group.storageVersion, 'name');
}
