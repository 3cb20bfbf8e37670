import { buildProject } from './build-model';
import { checkShape } from './check-shape';
import { type ImportedText, typeImports } from './imports';
import { Located } from './located';
import type { Project } from '../model';
import { parseYaml } from './parse-yaml';
import { type Problem, ProjectError } from '../problem';
import { PROJECT_FILE, readProjectFile } from './project-file';
import type { Path, Position } from './yaml-file';

/** A project, and where its parts stand. */
export interface LoadedProject {
  project: Project;
  /**
   * The position of a value of project.yaml, for a problem found later; of the nearest value that contains it where there is
   * none. Groups and kinds have the same indices in the file and in the project.
   */
  locate(path: Path): Position;
  /** What the groups import, in the order of the file. */
  imports: ImportedText[];
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
  const imports: ImportedText[] = [];
  const project = buildProject(Located.root(file, report), typeImports(folder, report, imports));
  if (problems.length > 0) throw new ProjectError(inOrder(problems));
  return { project, locate: (path) => file.value(path), imports };
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
