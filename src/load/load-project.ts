import { join } from 'node:path';
import { buildProject } from './build-model';
import { checkShape } from './check-shape';
import { typeImports } from './imports';
import { Located } from './located';
import type { Project } from '../model';
import { parseYaml } from './parse-yaml';
import { type Problem, ProjectError } from '../problem';
import { readTextFile, UnreadableFile } from './text-file';
import type { Path, Position } from './yaml-file';

/** The file that describes a project. */
export const PROJECT_FILE = 'project.yaml';

/** A project, and where its parts stand. */
export interface LoadedProject {
  project: Project;
  /**
   * The position of a value of project.yaml, for a problem found later; of the nearest value that contains it where there is
   * none. Groups and kinds have the same indices in the file and in the project.
   */
  locate(path: Path): Position;
}

/**
 * Reads project.yaml and what it imports. Throws a ProjectError with everything that is wrong with them.
 * `text` stands for a project.yaml that is not written yet.
 */
export function loadProject(folder: string, text = readProjectFile(folder)): LoadedProject {
  const problems: Problem[] = [];
  const report = (problem: Problem): void => void problems.push(problem);
  const file = parseYaml(PROJECT_FILE, text, report);
  if (file === undefined) throw new ProjectError(inOrder(problems));
  checkShape(file, 'project', report);
  const project = buildProject(Located.root(file, report), typeImports(folder, report));
  if (problems.length > 0) throw new ProjectError(inOrder(problems));
  return { project, locate: (path) => file.value(path) };
}

function readProjectFile(folder: string): string {
  try {
    return readTextFile(join(folder, PROJECT_FILE));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const hint = 'svcgen init makes a new project; --project names the folder of another';
    throw new ProjectError([
      { file: PROJECT_FILE, message: error.message, hint: error.missing ? hint : undefined },
    ]);
  }
}

/** By place, project.yaml first; what an alias shows twice is said once. */
function inOrder(problems: Problem[]): Problem[] {
  const distinct = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...distinct.values()].sort(
    (a, b) =>
      Number(a.file !== PROJECT_FILE) - Number(b.file !== PROJECT_FILE) ||
      (a.file! < b.file! ? -1 : Number(a.file! > b.file!)) ||
      a.line! - b.line! ||
      a.column! - b.column!,
  );
}
