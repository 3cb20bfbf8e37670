import { parse } from 'yaml';
import type { Json } from '../model';
import { refuse } from '../cli/refusal';
import type { YamlPath } from './yaml-insert';

/** The group of a project that names none (requirement, "Version model"). */
export const DEFAULT_GROUP = 'example.svc.dev';

/** A group as it stands in project.yaml, as far as an edit needs it. */
export interface GroupText {
  path: YamlPath;
  name: string;
  storageVersion: string;
  /** In the order of the file. */
  versions: string[];
  /** Which of the two the file has; the other one follows from it. */
  declares: { versions: boolean; storageVersion: boolean };
  kinds: KindText[];
}

/** A kind as it stands in project.yaml. */
export interface KindText {
  path: YamlPath;
  name: string;
  versions: string[];
  /** The conversion rules of its versions, by version. */
  rules: { [version: string]: Json[] };
}

interface RawGroup {
  name?: string;
  storageVersion?: string;
  versions?: (string | { name: string })[] | null;
  kinds?: { name?: string; versions?: Record<string, { conversion?: Json[] | null } | null> | null }[] | null;
}

/** Whether the list of groups is there and empty: no sound project yet, but one that a kind can be added to. */
export function lacksGroups(text: string): boolean {
  try {
    const { groups } = parse(text) as { groups?: unknown[] | null };
    return groups === null || groups?.length === 0;
  } catch {
    return false;
  }
}

/** The groups of a project.yaml that the loader accepts; none where it has none yet. */
export function readGroups(text: string): GroupText[] {
  const groups = (parse(text) as { groups?: RawGroup[] | null } | null)?.groups ?? [];
  return groups.map((group, index) => {
    const declared = (group.versions ?? []).map((item) => (typeof item === 'string' ? item : item.name));
    const versions = declared.length > 0 ? declared : [group.storageVersion ?? 'v1'];
    return {
      path: ['groups', index],
      name: group.name ?? DEFAULT_GROUP,
      storageVersion: group.storageVersion ?? versions[0]!,
      versions,
      declares: { versions: declared.length > 0, storageVersion: group.storageVersion !== undefined },
      kinds: (group.kinds ?? []).map((kind, kindIndex) => ({
        path: ['groups', index, 'kinds', kindIndex],
        name: String(kind.name),
        versions: Object.keys(kind.versions ?? {}),
        rules: Object.fromEntries(
          Object.entries(kind.versions ?? {}).map(([version, parts]) => [version, parts?.conversion ?? []]),
        ),
      })),
    };
  });
}

/** The group of that name, or the only one. Throws ProjectError if there is none, or several to choose from. */
export function chooseGroup(groups: GroupText[], name: string | undefined): GroupText {
  const available = groups.map((group) => group.name).join(', ');
  if (groups.length === 0) refuse('project.yaml has no group yet');
  if (name === undefined && groups.length > 1)
    refuse(`project.yaml has several groups; choose one with --group: ${available}`);
  const group = name === undefined ? groups[0] : groups.find((candidate) => candidate.name === name);
  return group ?? refuse(`group ${name} not found; available: ${available}`);
}

/** Throws ProjectError if the group does not declare the version (requirement, "Version model", Adding resources). */
export function requireVersion(group: GroupText, version: string): void {
  if (group.versions.includes(version)) return;
  refuse(`version ${version} not found in group ${group.name}; available: ${group.versions.join(', ')}`);
}
