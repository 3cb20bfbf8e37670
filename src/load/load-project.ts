import { inOrder, type Path, type Problem, PROJECT_FILE, ProjectError } from '../model/problem';
import type { Project } from '../model/project';
import { buildProject } from './build-project';
import { checkShape } from './check-shape';
import { type ImportedText, typeImports } from './imports';
import { readProjectFile } from './project-file';
import { Located } from './yaml/located';
import { parseYaml } from './yaml/parse-yaml';
import type { Position, Report, YamlFile } from './yaml/yaml-file';

/** A project, and where its parts stand. */
export interface LoadedProject {
  project: Project;
  /**
   * The position of a value of project.yaml, for a problem found later; of the nearest value that contains it where there is
   * none. Groups and kinds have the same indices in the file and in the project.
   */
  locate(path: Path): Position;
  /** The same for a key of project.yaml. */
  locateKey(path: Path): Position;
  /** The imports of the groups, in the order of the file. */
  imports: ImportedText[];
}

/** A project as far as it can be read, and everything that is wrong with it. */
export interface ReadProject {
  /** Undefined where the syntax of project.yaml is wrong. Kinds without problems are complete. */
  loaded: LoadedProject | undefined;
  /** In order; a project without problems is complete. */
  problems: Problem[];
}

/** Reads project.yaml and the files that it imports. `text` stands for a project.yaml that is not written yet. */
export function readProject(folder: string, text = readProjectFile(folder)): ReadProject {
  const problems: Problem[] = [];
  const report = (problem: Problem): void => void problems.push(problem);
  const file = parseYaml(PROJECT_FILE, text, report);
  const loaded = file && build(folder, file, report);
  return { loaded, problems: inOrder(problems) };
}

/** Reads a project like `readProject`, but throws ProjectError where anything is wrong with it. */
export function loadProject(folder: string, text?: string): LoadedProject {
  const { loaded, problems } = readProject(folder, text);
  if (loaded === undefined || problems.length > 0) throw new ProjectError(problems);
  return loaded;
}

function build(folder: string, file: YamlFile, report: Report): LoadedProject {
  checkShape(file, 'project', report);
  const imports: ImportedText[] = [];
  const project = buildProject(Located.root(file, report), typeImports(folder, report, imports));
  return { project, locate: (path) => file.value(path), locateKey: (path) => file.key(path), imports };
}
