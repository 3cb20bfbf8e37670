import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_FILE_SIZE } from '../../templates/runtime/files/regular-file';
import { tryOr } from '../files/try-or';
import { type LoadedProject, loadProject } from '../load/load-project';
import { readProjectFile } from '../load/project-file';
import { DEFAULT_GROUP, DEFAULT_VERSION } from '../model/names';
import { type Path, PROJECT_FILE, ProjectError, refuse } from '../model/problem';
import type { Json } from '../model/project';
import { rewriteProject } from '../write/write';
import { yamlValue } from './yaml-source';

/** A group as it stands in project.yaml, as far as an edit needs it. */
export interface GroupText {
  path: Path;
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
  path: Path;
  name: string;
  versions: string[];
  /** The conversion rules of its versions, by version; a version without the key `conversion` is not in it. */
  rules: { [version: string]: Json[] };
  /** The fields that `columns` names, and where it names them below the kind. */
  columns: { path: string; steps: Path }[];
}

interface RawGroup {
  name?: string;
  storageVersion?: string;
  versions?: (string | { name: string })[] | null;
  kinds?: RawKind[] | null;
}

interface RawKind {
  name?: string;
  columns?: (string | { path: string })[] | null;
  versions?: Record<string, { conversion?: Json[] | null } | null> | null;
}

/** Returns true for an empty list of groups: a project that is not complete, but to which a kind can be added. */
function lacksGroups(text: string): boolean {
  const project = tryOr(() => yamlValue(text), undefined) as { groups?: unknown[] | null } | null | undefined;
  return project?.groups === null || project?.groups?.length === 0;
}

/** The groups of a project.yaml that the loader accepts; none where it has none yet. */
export function readGroups(text: string): GroupText[] {
  const groups = (yamlValue(text) as { groups?: RawGroup[] | null } | null)?.groups ?? [];
  return groups.map((group, index) => {
    const declared = (group.versions ?? []).map((item) => (typeof item === 'string' ? item : item.name));
    const versions = declared.length > 0 ? declared : [group.storageVersion ?? DEFAULT_VERSION];
    return {
      path: ['groups', index],
      name: group.name ?? DEFAULT_GROUP,
      storageVersion: group.storageVersion ?? versions[0],
      versions,
      declares: { versions: declared.length > 0, storageVersion: group.storageVersion !== undefined },
      kinds: (group.kinds ?? []).map((kind, kindIndex) => ({
        path: ['groups', index, 'kinds', kindIndex],
        name: String(kind.name),
        versions: Object.keys(kind.versions ?? {}),
        rules: Object.fromEntries(
          Object.entries(kind.versions ?? {}).flatMap(([version, parts]) =>
            parts?.conversion ? [[version, parts.conversion]] : [],
          ),
        ),
        columns: (kind.columns ?? []).map((column, place) =>
          typeof column === 'string'
            ? { path: column, steps: ['columns', place] }
            : { path: column.path, steps: ['columns', place, 'path'] },
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

/** Throws ProjectError if the group does not declare the version (specification, "Version model", Adding resources). */
export function requireVersion(group: GroupText, version: string): void {
  if (group.versions.includes(version)) return;
  refuse(`version ${version} not found in group ${group.name}; available: ${group.versions.join(', ')}`);
}

/**
 * Edits project.yaml in place; `edit` turns its text into the new one. Throws ProjectError, with nothing changed, when
 * the file has problems, when `edit` throws one, and when the new text would have problems or be too large to be read.
 */
export async function editProject(folder: string, edit: (text: string) => string): Promise<void> {
  await rewriteProject(folder, () => {
    const path = join(folder, PROJECT_FILE);
    if (lstatSync(path).isSymbolicLink()) refuse(`${path} is a symbolic link; edit its target instead`);
    const text = readProjectFile(folder, true);
    if (!lacksGroups(text)) loadProject(folder);
    const edited = edit(text);
    loadText(folder, edited);
    if (Buffer.byteLength(edited) > MAX_FILE_SIZE) {
      refuse(
        `${PROJECT_FILE} would be larger than ${MAX_FILE_SIZE / 1024} KiB, the most that svcgen reads`,
        'declare shapes that several fields have as types in a file that the group imports, or split the project into several services',
      );
    }
    return edited;
  });
}

/**
 * Loads the project that project.yaml would be with this text. Throws ProjectError without places, which nobody could look
 * up.
 */
export function loadText(folder: string, text: string): LoadedProject {
  try {
    return loadProject(folder, text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    const problems = error.problems.map((problem) => {
      const { file, message, hint } = problem;
      return file === PROJECT_FILE ? { message, hint } : problem;
    });
    throw new ProjectError(problems);
  }
}
