import type { LoadedProject, ReadProject } from '../load/load-project';
import { type Problem, ProjectError } from '../model/problem';
import { checkDeclared } from './check-declared';
import { type PlannedKind, type PlannedProject, plannedProject } from './planned-project';
import { soundPart } from './sound-part';

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
 * problem of the project, and of the conversion rules that concern no field with a problem.
 */
export function planProject({ loaded, problems }: ReadProject, known: Notices = {}): CheckedProject {
  if (loaded === undefined) throw new ProjectError(problems);
  const planned = plannedProject(loaded.project);
  const all = [...problems];
  const notices: Notices = {};
  for (const kind of planned.kinds) {
    const part = soundPart(kind, problems);
    if (part === undefined) continue;
    notices[kind.source] = known[kind.source] ?? checkConversions(part, loaded, all);
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
    const all = [...conversion.problems, ...checkDeclared(planned, spoke)];
    for (const { version, path: below, isKey, message, hint } of all) {
      const place = (isKey ? locateKey : locate)([...path, 'versions', version, ...below]);
      problems.push({ message: `${kind.name}: ${message}`, hint, ...place });
    }
    return conversion.notices.map((notice) => `${kind.name}: ${notice}`);
  });
}
