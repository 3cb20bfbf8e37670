import { tryOr } from '../files/try-or';
import { readProjectFile } from '../load/project-file';
import { parseYaml } from '../load/yaml/parse-yaml';
import { GROUP_NAME, KIND_NAME, VERSION_NAME } from '../model/names';
import { PROJECT_FILE } from '../model/problem';

/** The parts of a project.yaml that are completed; any may be missing while the file is being written. */
interface Outline {
  groups?: {
    name?: string;
    /** A deprecated one is an object. */
    versions?: (string | { name?: string } | null)[];
    kinds?: { name?: string; versions?: object }[];
  }[];
}

/** The names in a project. */
export interface ProjectNames {
  groups: string[];
  kinds: string[];
  versions: string[];
}

/**
 * Returns the names in the project.yaml of a folder, or only those of one group or kind. Reads as much as possible of
 * a file with mistakes.
 */
export function projectNames(folder: string, group?: string, kind?: string): ProjectNames {
  const all = outline(folder).groups ?? [];
  const groups = all.filter(({ name }) => group === undefined || name === group);
  const kinds = groups.flatMap((each) => each.kinds ?? []);
  const chosen = kinds.find(({ name }) => name !== undefined && name === kind);
  const declared = groups.flatMap((each) => each.versions ?? []);
  const versions =
    chosen === undefined
      ? declared.map((each) => (typeof each === 'string' ? each : each?.name))
      : Object.keys(chosen.versions ?? {});
  const [groupNames, kindNames] = [all, kinds].map((each) => each.map(({ name }) => name));
  return {
    groups: valid(GROUP_NAME, groupNames),
    kinds: valid(KIND_NAME, kindNames),
    versions: valid(VERSION_NAME, versions),
  };
}

function outline(folder: string): Outline {
  const file = tryOr(() => parseYaml(PROJECT_FILE, readProjectFile(folder), () => undefined), undefined);
  return Object(file?.data) as Outline;
}

/** Returns the valid names, each once. Others are not offered, since a shell would type them. */
function valid(pattern: RegExp, names: unknown[]): string[] {
  return [...new Set(names.filter((name) => typeof name === 'string' && pattern.test(name)))] as string[];
}
