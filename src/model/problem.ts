/** Steps to a value of a file: keys of mappings and indices of lists, from the root or from a part of it. */
export type Path = readonly (string | number)[];

/** Something that is wrong, wherever it is. */
export interface Mistake {
  message: string;
  /** The repair. */
  hint?: string;
}

/** One thing that is wrong with the user's input, at a place in a file where there is one. */
export interface Problem extends Mistake {
  /** The file, relative to the project folder; undefined for a problem of the command line. */
  file?: string;
  /** Both count from 1. */
  line?: number;
  column?: number;
  /** The text of the line, shown with a caret below it. */
  source?: string;
  /** The value that it is about: keys and indices from the root of the file. */
  path?: Path;
}

/** Thrown when the user's input is wrong: exit code 2, nothing is written. Its problems are in the order of the file. */
export class ProjectError extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    const ordered = inOrder(problems);
    super(ordered.map((problem) => problem.message).join('\n'));
    this.problems = ordered;
  }
}

/** Throws a ProjectError with one problem that has no place in a file: wrong arguments, a missing folder. */
export function refuse(message: string, hint?: string): never {
  throw new ProjectError([{ message, hint }]);
}

/** The file that describes a project. */
export const PROJECT_FILE = 'project.yaml';

/**
 * Returns problems by their position: those of no file, those of project.yaml, then those of other files by name. What an
 * alias shows twice is reported once.
 */
export function inOrder(problems: Problem[]): Problem[] {
  return distinct(problems).sort(
    (a, b) =>
      Number(a.file !== undefined) - Number(b.file !== undefined) ||
      Number(a.file !== PROJECT_FILE) - Number(b.file !== PROJECT_FILE) ||
      compare(a.file ?? '', b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Returns problems without those that say the same of the same place. */
function distinct(problems: Problem[]): Problem[] {
  const keyed = problems.map(
    (problem) => [JSON.stringify({ ...problem, path: undefined }), problem] as const,
  );
  return [...new Map(keyed).values()];
}

/** The problems as a compiler would print them: `file:line:column: message`, the line, a caret, a hint. */
export function formatProblems(problems: Problem[]): string {
  return problems.map(formatProblem).join('\n\n');
}

function formatProblem({ file, line, column, message, hint, source }: Problem): string {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}:${column}: `;
  const lines = [`${place}${message}`];
  if (source !== undefined && column !== undefined) {
    const before = source.slice(0, column - 1).replace(/[^\t]/g, ' ');
    lines.push(`  ${source}`, `  ${before}^`);
  }
  if (hint) lines.push(`  hint: ${hint}`);
  return lines.join('\n');
}

/** Thrown when the user cancels a question: the command ends, and nothing is written. */
export class Cancelled extends ProjectError {
  constructor() {
    super([{ message: 'cancelled; nothing was written' }]);
  }
}
