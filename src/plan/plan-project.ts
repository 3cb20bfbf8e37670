import type { LoadedProject, ReadProject } from '../load/load-project';
import { PROJECT_FILE } from '../load/project-file';
import { type Problem, ProjectError } from '../model/problem';
import { checkDeclared } from './check-declared';
import { type PlannedKind, type PlannedProject, plannedProject } from './planned-project';

/** Fields that only one version of a kind has, with the likeliest rename, by the source of the kind. */
export interface Notices {
  [source: string]: string[];
}

/** A planned project, and what to tell the user about it. */
export interface CheckedProject extends PlannedProject, Pick<LoadedProject, 'locate' | 'imports'> {
  notices: Notices;
}

/**
 * Plans a project. The conversions of kinds whose notices are `known` are not checked again. Throws ProjectError with every
 * problem of the project and of the conversion rules of all sound kinds.
 */
export function planProject({ loaded, problems }: ReadProject, known: Notices = {}): CheckedProject {
  if (loaded === undefined) throw new ProjectError(problems);
  const planned = plannedProject(loaded.project);
  const all = [...problems];
  const notices: Notices = {};
  for (const kind of planned.kinds) {
    if (isBroken(kind, problems)) continue;
    notices[kind.source] = known[kind.source] ?? checkConversions(kind, loaded, all);
  }
  if (all.length > 0) throw new ProjectError(all);
  return { ...planned, locate: loaded.locate, imports: loaded.imports, notices };
}

/** Adds the problems of a kind's conversion rules to a list. Returns notices. */
function checkConversions(
  planned: PlannedKind,
  { locate, locateKey }: LoadedProject,
  problems: Problem[],
): string[] {
  const { kind, path, conversions } = planned;
  return conversions.spokes.flatMap((spoke) => {
    const conversion = conversions.of(spoke.version);
    const { version: name } = spoke;
    const declared = checkDeclared(planned, spoke).map((problem) => ({ version: name, ...problem }));
    for (const { version, path: below, isKey, message, hint } of [...conversion.problems, ...declared]) {
      const place = (isKey ? locateKey : locate)([...path, 'versions', version, ...below]);
      problems.push({ message: `${kind.name}: ${message}`, hint, ...place });
    }
    return conversion.notices.map((notice) => `${kind.name}: ${notice}`);
  });
}

/** Members of a kind that its conversions do not depend on. */
const UNCONVERTED = ['plural', 'description', 'names', 'columns'];

/** Returns true for a kind that cannot be planned, since something is wrong with it or its group. */
function isBroken({ group, path }: PlannedKind, problems: Problem[]): boolean {
  if (group.storageVersion === '') return true;
  return problems.some(({ file, path: at }) => {
    if (file !== PROJECT_FILE || at === undefined) return true;
    const [, g, part, k, member] = at;
    if (at[0] !== 'groups' || (g !== undefined && String(g) !== String(path[1]))) return false;
    if (part !== 'kinds' || k === undefined) return true;
    return String(k) === String(path[3]) && !UNCONVERTED.includes(String(member));
  });
}
