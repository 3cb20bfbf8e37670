import { versionSchemas, type Schema, type VersionSchemas } from './json-schema';
import type { LoadedProject } from './load/load-project';
import type { Group, Kind, Project } from './model';
import { stability } from './names';
import { GENERATED_HEADER } from './write/ownership';
import { ProjectError, type Problem } from './problem';
import { schemaChanges, type SchemaChange } from './schema-changes';

/** The file that records what was generated; it is committed with the project. */
export const LOCK_FILE = 'svcgen.lock';
const FORMAT = 1;

/** What svcgen.lock holds: the recorded fields of every version of every kind. */
interface Lock {
  groups: { [group: string]: { [kind: string]: LockedKind } };
}

interface LockedKind {
  plural: string;
  versions: { [version: string]: VersionSchemas };
}

/** A change of what a recorded version promises. */
interface VersionChange extends SchemaChange {
  group: string;
  kind: string;
  version: string;
}

/** The text of svcgen.lock for a project. */
export function lockText(project: Project): string {
  const lock = { $comment: GENERATED_HEADER, format: FORMAT, ...lockOf(project) };
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** The locks of projects, which are compared first and written then. */
const locks = new WeakMap<Project, Lock>();

function lockOf(project: Project): Lock {
  let lock = locks.get(project);
  if (lock === undefined) {
    const groups = project.groups.map((group) => [group.name, lockedKinds(group)] as const);
    lock = { groups: Object.fromEntries(groups) };
    locks.set(project, lock);
  }
  return lock;
}

function lockedKinds(group: Group): { [kind: string]: LockedKind } {
  return Object.fromEntries(group.kinds.map((kind) => [kind.name, lockedKind(group, kind)]));
}

function lockedKind(group: Group, kind: Kind): LockedKind {
  const versions = kind.versions.map((version) => {
    const { spec, status, types } = versionSchemas(group, kind, version);
    return [
      version.version,
      { spec: bare(spec), status: bare(status), types: mapValues(types, bare) },
    ] as const;
  });
  return { plural: kind.plural, versions: Object.fromEntries(versions) };
}

/** A schema without its descriptions: they promise nothing. */
function bare({ description: _, properties, items, additionalProperties, ...rest }: Schema): Schema {
  return {
    ...rest,
    ...(properties && { properties: mapValues(properties, bare) }),
    ...(items && { items: bare(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: additionalProperties && bare(additionalProperties),
    }),
  };
}

function mapValues<T>(object: { [name: string]: T }, change: (value: T) => T): { [name: string]: T } {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

/**
 * Compares a project with the svcgen.lock of its last generate, undefined before the first. Alpha versions change
 * freely, changes of beta versions are returned as warnings, changes of stable versions throw ProjectError unless
 * `force` acknowledges them (requirement, "Version model"); then they are warnings too.
 */
export function checkStability(
  { project, locate }: LoadedProject,
  lock: string | undefined,
  force: boolean,
): Problem[] {
  if (lock === undefined) return [];
  const asProblem = (change: VersionChange): Problem => ({
    ...described(change),
    ...locate(placeOf(project, change)),
  });
  const changes = changesSince(readLock(lock), project).filter(
    ({ version }) => stability(version) !== 'alpha',
  );
  const refused = force ? [] : changes.filter(({ version }) => stability(version) === 'stable');
  if (refused.length > 0)
    throw new ProjectError(refused.map((change) => ({ ...asProblem(change), hint: refusalHint(change) })));
  return changes.map(asProblem);
}

function readLock(text: string): Lock {
  try {
    const lock = JSON.parse(text) as Lock & { format: number };
    if (lock.format === FORMAT && typeof lock.groups === 'object' && lock.groups !== null) return lock;
  } catch {
    // The same is wrong as with another format, and the same mends it.
  }
  const hint =
    'restore it from version control; without it svcgen cannot tell what changed in stable versions';
  throw new ProjectError([{ file: LOCK_FILE, message: 'svcgen cannot read this file', hint }]);
}

function changesSince({ groups }: Lock, project: Project): VersionChange[] {
  const now = lockOf(project).groups;
  return Object.entries(groups).flatMap(([groupName, kinds]) =>
    Object.entries(kinds).flatMap(([kindName, locked]) => {
      // Most kinds did not change, and to see that takes a fraction of comparing their schemas.
      if (JSON.stringify(locked) === JSON.stringify(now[groupName]?.[kindName])) return [];
      const group = project.groups.find(({ name }) => name === groupName);
      const kind = group?.kinds.find(({ name }) => name === kindName);
      return Object.entries(locked.versions).flatMap(([version, schemas]) =>
        versionChanges(group, kind, version, locked.plural, schemas).map((change) => ({
          ...change,
          group: groupName,
          kind: kindName,
          version,
        })),
      );
    }),
  );
}

function versionChanges(
  group: Group | undefined,
  kind: Kind | undefined,
  version: string,
  plural: string,
  before: VersionSchemas,
): SchemaChange[] {
  const current = kind?.versions.find((candidate) => candidate.version === version);
  if (group === undefined || kind === undefined || current === undefined) {
    return [
      {
        path: '',
        what: `the ${kind === undefined ? 'kind' : 'version'} was removed`,
        breaks: 'its addresses are gone',
      },
    ];
  }
  const after = versionSchemas(group, kind, current);
  const changes = (['spec', 'status'] as const).flatMap((part) =>
    schemaChanges(
      { schema: before[part], types: before.types },
      { schema: after[part], types: after.types },
      part,
    ),
  );
  if (kind.plural === plural) return changes;
  const what = `the plural changed from ${plural} to ${kind.plural}`;
  return [{ path: '', what, breaks: 'its addresses are others now' }, ...changes];
}

function described({ group, kind, version, path, what, breaks }: VersionChange): Problem {
  const where = `${kind} in ${group}/${version}${path === '' ? '' : `: ${path}`}`;
  return { message: `${where}: ${what} (${breaks === undefined ? 'compatible' : `breaking: ${breaks}`})` };
}

/** Where in project.yaml a change is seen: the field, or the nearest that is still there. */
function placeOf({ groups }: Project, { group, kind, version, path }: VersionChange): (string | number)[] {
  const g = groups.findIndex(({ name }) => name === group);
  if (g < 0) return ['groups'];
  const k = groups[g].kinds.findIndex(({ name }) => name === kind);
  if (k < 0) return ['groups', g, 'kinds'];
  const [part, field] = path.split(/[.[{]/);
  return ['groups', g, 'kinds', k, 'versions', version, ...[part, field].filter(Boolean)];
}

function refusalHint({ version, path }: VersionChange): string {
  const way = path === '' ? 'take it back' : 'add a version for the change';
  return `${version} is stable: ${way}, or acknowledge it with svcgen generate --force`;
}
