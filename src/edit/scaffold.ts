import type { Json, ValidationMode } from '../model';
import { chooseGroup, type GroupText, readGroups, requireVersion } from './project-text';
import { refuse } from '../cli/refusal';
import { addPair, appendItem, copyPair, replaceScalar } from './yaml-edit';
import { renderFlow } from './yaml-render';

/** The group of a project that names none (requirement, "Version model"). */
export const DEFAULT_GROUP = 'example.svc.dev';

/** What `svcgen init` asks for. */
export interface NewProject {
  name: string;
  group: string;
  versions: string[];
  storageVersion: string;
  validation: ValidationMode;
  events: boolean;
}

/** What `svcgen add kind` asks for. */
export interface NewKind {
  name: string;
  /** The only group, where undefined. */
  group?: string;
  /** The group's storage version, where undefined. */
  version?: string;
  plural?: string;
  specVersioning?: boolean;
}

/** What `svcgen add version` asks for. */
export interface NewVersion {
  name: string;
  /** The only group, where undefined. */
  group?: string;
  /** The version whose fields are copied; the storage version, where undefined. */
  from?: string;
  /** Whether it becomes the storage version. */
  storage?: boolean;
}

/** The fields that a new kind starts with (requirement, "Kind-specific spec and status"). */
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
    refuse(`kind ${kind.name} is in version ${version} of group ${group.name} already`);
  }
  const versions = [...new Set([group.storageVersion, version])];
  if (!present) return appendItem(text, [...group.path, 'kinds'], newKind(kind, versions));
  if (kind.plural !== undefined || kind.specVersioning) {
    refuse(`kind ${kind.name} is there already; --plural and --spec-versioning are for a new kind`);
  }
  return versions
    .filter((missing) => !present.versions.includes(missing))
    .reduce((edited, missing) => addPair(edited, [...present.path, 'versions'], missing, SCAFFOLD), text);
}

function newGroup(kind: NewKind): Json {
  const version = kind.version ?? 'v1';
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
 * project.yaml with the version declared and the fields of every kind copied into it, conversion rules included.
 * Throws ProjectError for a version that is declared already, or a source that is not.
 */
export function addVersion(text: string, version: NewVersion): string {
  const group = chooseGroup(readGroups(text), version.group);
  const from = version.from ?? group.storageVersion;
  requireVersion(group, from);
  if (group.versions.includes(version.name)) {
    refuse(`version ${version.name} is declared in group ${group.name} already`);
  }
  let edited = declareVersion(text, group, version.name);
  for (const kind of group.kinds) {
    const source = [from, ...(version.storage ? [group.storageVersion] : [])].find((v) =>
      kind.versions.includes(v),
    );
    if (source) edited = copyPair(edited, [...kind.path, 'versions'], source, version.name);
  }
  return version.storage ? moveStorage(edited, group, version.name) : edited;
}

function declareVersion(text: string, group: GroupText, version: string): string {
  let edited = text;
  if (!group.declares.versions) edited = addPair(edited, group.path, 'versions', group.versions, 'name');
  edited = appendItem(edited, [...group.path, 'versions'], version);
  if (group.declares.storageVersion) return edited;
  return addPair(edited, group.path, 'storageVersion', group.storageVersion, 'name');
}

/** Where the conversion rules are to be inverted and composed; until then only a group without rules can move. */
function moveStorage(text: string, group: GroupText, version: string): string {
  const ruled = group.kinds.filter(({ hasRules }) => hasRules).map(({ name }) => name);
  if (ruled.length > 0) {
    refuse(
      `the storage version of group ${group.name} cannot move to ${version} yet: there are conversion rules in ${ruled.join(', ')}`,
      'add the version without --storage, then rewrite the rules by hand and set storageVersion',
    );
  }
  return replaceScalar(text, [...group.path, 'storageVersion'], version);
}
