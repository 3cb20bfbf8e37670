import type { Io } from './io';
import type { Problem } from '../problem';
import type { Action } from '../write/tree-plan';

/** What a command did. */
export interface Outcome {
  /** 0: done. 1: `--check` found differences, `doctor` a problem. 2: the user's input is wrong. 70: a defect of svcgen. */
  exit: 0 | 1 | 2 | 70;
  files?: { path: string; action: Action; diff?: string }[];
  /** What is wrong; with exit 0, warnings. */
  problems?: Problem[];
  /** What a script would read, when it does not ask for JSON. */
  text?: string;
  /** What a person is told. */
  notes?: string[];
  /** Further members of the JSON object. */
  more?: { [name: string]: string | object };
}

/** Writes the outcome: one JSON object on stdout, or text on stdout and the rest on stderr. */
export async function report(outcome: Outcome, json: boolean, io: Io): Promise<void> {
  const { exit, text, notes = [], problems = [] } = outcome;
  if (json) {
    io.stdout.write(`${JSON.stringify(asJson(outcome))}\n`);
    return;
  }
  if (text) io.stdout.write(text);
  if (notes.length > 0) io.stderr.write(`${notes.join('\n')}\n`);
  if (problems.length > 0) {
    const { problemText } = await import('./problem-text');
    io.stderr.write(`${problemText(problems, exit === 0, io)}\n`);
  }
}

function asJson({ exit, files = [], problems = [], more }: Outcome): object {
  return {
    ok: exit === 0,
    files,
    problems: problems.map(({ file, line, column, message, hint }) => ({
      file,
      line,
      column,
      message,
      hint,
    })),
    ...more,
  };
}
