import { buildProject } from './build-model';
import { checkShape } from './check-shape';
import { type ImportedText, typeImports } from './imports';
import { abridge, type KnownKind, knownKinds, restore } from './known-kinds';
import { Located } from './located';
import type { Project } from '../model';
import { parseYaml } from './parse-yaml';
import { type Problem, ProjectError } from '../problem';
import { PROJECT_FILE, readProjectFile } from './project-file';
import type { Path, Position, Report, YamlFile } from './yaml-file';

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
  /** The kinds that need not be parsed again where they stand in a later project.yaml. */
  kinds(): KnownKind[];
}

/**
 * Reads project.yaml and what it imports. Throws a ProjectError with everything that is wrong with them.
 * `text` stands for a project.yaml that is not written yet; `known` saves time and changes nothing.
 */
export function loadProject(
  folder: string,
  text = readProjectFile(folder),
  known: KnownKind[] = [],
): LoadedProject {
  const abridged = loadAbridged(folder, text, known);
  if (abridged !== undefined) return abridged;
  const problems: Problem[] = [];
  const report = (problem: Problem): void => void problems.push(problem);
  const file = parseYaml(PROJECT_FILE, text, report);
  const loaded = file && build(folder, file, report);
  if (loaded === undefined || problems.length > 0) throw new ProjectError(inOrder(problems));
  return loaded;
}

function build(folder: string, file: YamlFile, report: Report): LoadedProject {
  checkShape(file, 'project', report);
  const imports: ImportedText[] = [];
  const project = buildProject(Located.root(file, report), typeImports(folder, report, imports));
  return { project, locate: (path) => file.value(path), imports, kinds: () => knownKinds(file) };
}

/** The project, if kinds of it are known and nothing is wrong with it: what is said of a problem takes the whole file. */
function loadAbridged(folder: string, text: string, known: KnownKind[]): LoadedProject | undefined {
  const { text: abridged, left } = abridge(text, known);
  if (left.size === 0) return undefined;
  let isSound = true;
  const report = (): void => void (isSound = false);
  const file = parseYaml(PROJECT_FILE, text, report, abridged);
  if (file === undefined || !restore(file, left)) return undefined;
  const loaded = build(folder, file, report);
  if (!isSound) return undefined;
  let whole: YamlFile | undefined;
  const locate = (path: Path): Position => {
    if (!left.has(file.start(path))) return file.value(path);
    whole ??= parseYaml(PROJECT_FILE, text, report)!;
    return whole.value(path);
  };
  return { ...loaded, locate };
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
