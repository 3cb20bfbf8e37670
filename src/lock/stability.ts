import { stabilityOf } from '../../templates/runtime/site/discovery';
import type { LoadedProject } from '../load/load-project';
import { keysTo } from '../model/field-steps';
import { PARTS } from '../model/fields';
import { inOrder, type Path, type Problem } from '../model/problem';
import type { Project } from '../model/project';
import { visible } from '../model/quoted';
import { type Acknowledgement, UnacknowledgedChanges, type VersionChange } from './acknowledgement';
import { dataChanges } from './data-changes';
import { type Lock, type LockedKind, readLock } from './lock-file';
import { type SchemaChange, schemaChanges, SENDERS } from './schema-changes';

/** The longest path of a field that a message shows whole. */
const LONGEST_PATH = 200;

/** A project with the lock that it would have. */
export interface LockedProject extends Pick<LoadedProject, 'project' | 'locate'> {
  lock: Lock;
}

/**
 * Compares a project with the svcgen.lock of its last generate, undefined before the first. Alpha versions change
 * freely, changes of beta versions are returned as warnings, changes of stable versions throw UnacknowledgedChanges
 * until they are acknowledged (specification, "Version model"); then they are warnings too.
 */
export function checkStability(
  { project, lock, locate }: LockedProject,
  before: string | undefined,
  isAcknowledged: Acknowledgement,
): Problem[] {
  if (before === undefined) return [];
  const changes = changesSince(readLock(before), lock)
    .filter(({ version }) => stabilityOf(version) !== 'alpha')
    .map((change) => {
      const problem: Problem = { message: described(change), ...locate(placeOf(project, change)) };
      return { change, problem };
    });
  const refused = changes.filter(
    ({ change, problem }) =>
      stabilityOf(change.version) === 'stable' && !isAcknowledged(change, problem.message),
  );
  if (refused.length === 0) return inOrder(changes.map(({ problem }) => problem));
  const breaking = refused.filter(({ change }) => change.breaks !== undefined).length;
  const command = `svcgen generate --force${breaking === 0 ? '=compatible' : ''}`;
  throw new UnacknowledgedChanges(
    refused.map(({ change, problem }) => ({ ...problem, hint: refusalHint(project, change, command) })),
    breaking,
  );
}

function changesSince(before: Lock, now: Lock): VersionChange[] {
  return Object.entries(before.groups).flatMap(([group, kinds]) =>
    Object.entries(kinds).flatMap(([kind, locked]) => {
      const current = now.groups[group]?.[kind] as LockedKind | undefined;
      // Most kinds did not change, and to see that takes a fraction of comparing their schemas.
      if (JSON.stringify(locked) === JSON.stringify(current)) return [];
      return Object.keys(locked.versions).flatMap((version) =>
        versionChanges(locked, current, version).map((change) => ({ ...change, group, kind, version })),
      );
    }),
  );
}

function versionChanges(before: LockedKind, now: LockedKind | undefined, version: string): SchemaChange[] {
  const [from, to] = [before.versions[version], now?.versions[version]];
  if (now === undefined || to === undefined) {
    const what = `the ${now === undefined ? 'kind' : 'version'} was removed`;
    return [{ path: '', what, breaks: 'its URLs no longer exist' }];
  }
  const changes = PARTS.flatMap((part) =>
    schemaChanges({ schema: from[part], types: from.types }, { schema: to[part], types: to.types }, part),
  );
  return [...kindChanges(before, now), ...changes, ...dataChanges(from, to)];
}

/** Returns the changes of a kind in all of its versions. */
function kindChanges(before: LockedKind, now: LockedKind): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const note = (key: string, what: string, breaks?: string): unknown =>
    changes.push({ path: '', key, what, breaks });
  if (now.plural !== before.plural)
    note('plural', `the plural changed from ${before.plural} to ${now.plural}`, 'its URLs have changed');
  if (now.names !== before.names) {
    const isAdded = now.names !== undefined;
    const breaks = isAdded ? SENDERS : 'URLs with a name no longer exist';
    note('names', `names: unique was ${isAdded ? 'added' : 'removed'}`, breaks);
  }
  const [had, has] = [before, now].map(({ specVersioning }) => specVersioning);
  const unversioned = 'URLs with a version of the spec no longer exist';
  if (had === true && has === false) note('specVersioning', 'specVersioning was removed', unversioned);
  if (had === false && has === true) note('specVersioning', 'specVersioning was added');
  return changes;
}

function described({ group, kind, version, path, what, breaks }: VersionChange): string {
  const where = `${kind} in ${group}/${version}${path === '' ? '' : `: ${shortened(path)}`}`;
  return visible(`${where}: ${what} (${breaks === undefined ? 'compatible' : `breaking: ${breaks}`})`);
}

/** A path whose middle is left out when nobody would read it. */
function shortened(path: string): string {
  return path.length <= LONGEST_PATH
    ? path
    : `${path.slice(0, LONGEST_PATH / 2)}…${path.slice(-LONGEST_PATH / 2)}`;
}

/** Where in project.yaml a change is seen: the field or key, or the nearest that is still there. */
function placeOf({ groups }: Project, { group, kind, version, path, key }: VersionChange): Path {
  const g = groups.findIndex(({ name }) => name === group);
  if (g < 0) return ['groups'];
  const k = groups[g].kinds.findIndex(({ name }) => name === kind);
  if (k < 0) return ['groups', g, 'kinds'];
  const place = ['groups', g, 'kinds', k];
  return key === undefined ? [...place, 'versions', version, ...declarationOf(path)] : [...place, key];
}

/** Returns the place of a field's declaration below its version. */
function declarationOf(path: string): Path {
  const [root, ...names] = path.match(/\[\]|\{\}|[^.[{]+/g) ?? [];
  return root === undefined ? [] : [root, ...keysTo(names)];
}

function refusalHint({ groups }: Project, { group, version, path }: VersionChange, command: string): string {
  const acknowledge = `acknowledge with "${command}"`;
  if (path === '') return `${version} is stable: revert the change, or ${acknowledge}`;
  const { versions } = groups.find(({ name }) => name === group)!;
  const next = `svcgen add version ${nextVersion(versions)}${groups.length > 1 ? ` --group ${group}` : ''}`;
  return `${version} is stable: ${acknowledge}, or revert the change and make it in a new version: "${next}"`;
}

/** The stable version that comes after all of a group's. */
function nextVersion(versions: string[]): string {
  const numbers = versions.map((name) => BigInt(/\d+/.exec(name)![0]));
  return `v${numbers.reduce((last, number) => (number > last ? number : last), 0n) + 1n}`;
}
