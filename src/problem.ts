/** One thing that is wrong with the user's input, at a place in a file where there is one. */
export interface Problem {
  /** The file, relative to the project folder; undefined for a problem of the command line. */
  file?: string;
  /** Both count from 1. */
  line?: number;
  column?: number;
  message: string;
  /** How to mend it. */
  hint?: string;
  /** The text of the line, shown with a caret below it. */
  source?: string;
}

/** Thrown when the user's input is wrong: exit code 2, nothing is written. */
export class ProjectError extends Error {
  constructor(readonly problems: Problem[]) {
    super(problems.map((problem) => problem.message).join('\n'));
  }
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
