import { digestOf } from '../files/digest';
import { type Lock, lockOf } from '../lock/lock-file';
import { reachable } from '../model/graph';
import type { Path } from '../model/problem';
import type { Group, Kind, Project } from '../model/project';
import { Conversions } from './conversions';
import { declaredOf, lockedData } from './kind-data';
import type { ConvertedKind, KindSubject, VersionSubject } from './subjects';

export type { ConvertedKind, KindSubject, SpokeSubject, VersionSubject, ViewSubject } from './subjects';

/** A kind as its files see it: its group holds no other kind. */
export interface PlannedKind extends ConvertedKind {
  /** The kinds that it refers to in the storage version, directly or through each other; itself, if it does. */
  targets: Kind[];
  /** A digest of the kind, its targets and its group: kinds with the same have the same files. */
  source: string;
  /** The kind's steps from the root of project.yaml. */
  path: Path;
}

/** A project with all that its files are made of. */
export interface PlannedProject {
  project: Project;
  /** In the order of project.yaml. */
  kinds: PlannedKind[];
  lock: Lock;
}

/** Plans a project without problems. The same project has the same plan. */
export function plannedProject(project: Project): PlannedProject {
  const kinds = project.groups.flatMap((whole, g) => {
    // A kind's files see the kind and its group: nothing else can matter to them.
    const shared = digestOf(JSON.stringify({ ...whole, kinds: [] }));
    const references = referencesIn(whole);
    const digests = new Map(whole.kinds.map((kind) => [kind, digestOf(JSON.stringify(kind))]));
    return whole.kinds.map((kind, k): PlannedKind => {
      const group = { ...whole, kinds: [kind] };
      const targets = [...reachable(references.get(kind)!, (each) => references.get(each)!)];
      const source = digestOf(shared, [kind, ...targets].map((each) => digests.get(each)).join());
      const path = ['groups', g, 'kinds', k];
      return { group, kind, targets, conversions: new Conversions(group, kind), source, path };
    });
  });
  const planned = new Map(kinds.map((kind) => [kind.kind, kind]));
  const lock = lockOf(project, (kind, version) => lockedData(planned.get(kind)!, version));
  return { project, kinds, lock };
}

/** Returns a kind in the version that its group stores. */
export function inStorageVersion({ group, kind }: KindSubject): VersionSubject {
  const version = kind.versions.find((each) => each.version === group.storageVersion)!;
  return { group, kind, version };
}

/** Returns the kinds that each kind of a group refers to in the storage version. */
function referencesIn(group: Group): Map<Kind, Kind[]> {
  const byName = new Map(group.kinds.toReversed().map((kind) => [kind.name, kind]));
  const targets = (kind: Kind): Kind[] =>
    declaredOf({ group, kind }).flatMap(({ ref }) => (ref && byName.get(ref.kind)) ?? []);
  return new Map(group.kinds.map((kind) => [kind, targets(kind)]));
}

/** Returns `<group>/<kind in lowercase>`: the place of a kind below a folder `kinds`. */
export function kindPath({ group, kind }: { group: { name: string }; kind: { name: string } }): string {
  return `${group.name}/${kind.name.toLowerCase()}`;
}
