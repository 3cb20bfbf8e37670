import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** What of a project.yaml is completed; any of it may be missing while the file is being written. */
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
 * The names in the project.yaml of a folder, of one group or kind alone where they are named. A file that svcgen would
 * refuse gives what can be read of it.
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
  return {
    groups: distinct(all.map(({ name }) => name)),
    kinds: distinct(kinds.map(({ name }) => name)),
    versions: distinct(versions),
  };
}

function outline(folder: string): Outline {
  try {
    return Object(
      parse(readFileSync(join(folder, 'project.yaml'), 'utf8'), { logLevel: 'silent' }),
    ) as Outline;
  } catch {
    return {};
  }
}

function distinct(names: unknown[]): string[] {
  return [...new Set(names.filter((name) => typeof name === 'string'))];
}
