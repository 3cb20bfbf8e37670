import pc from 'picocolors';
import { hasColors, type Io } from './io';
import { formatProblems, type Problem } from './problem';
import type { Action } from './tree-plan';

/** What a command did. */
export interface Outcome {
  /** 0: done. 1: `--check` found differences. 2: the user's input is wrong. 70: a defect of svcgen. */
  exit: 0 | 1 | 2 | 70;
  files?: { path: string; action: Action; diff?: string }[];
  /** What is wrong; with exit 0, warnings. */
  problems?: Problem[];
  /** What a script would read, when it does not ask for JSON. */
  text?: string;
  /** What a person is told. */
  notes?: string[];
  /** Further members of the JSON object. */
  more?: { [name: string]: string };
}

/** Writes the outcome: one JSON object on stdout, or text on stdout and the rest on stderr. */
export function report(outcome: Outcome, json: boolean, io: Io): void {
  if (json) io.stdout.write(`${JSON.stringify(asJson(outcome))}\n`);
  else if (outcome.text) io.stdout.write(outcome.text);
  const told = json ? [] : [...(outcome.notes ?? []), ...problemText(outcome, io)];
  if (told.length > 0) io.stderr.write(`${told.join('\n')}\n`);
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

function problemText({ problems = [], exit }: Outcome, io: Io): string[] {
  if (problems.length === 0) return [];
  const { bold, red, yellow, cyan } = pc.createColors(hasColors(io.stderr, io.env));
  const mark = exit === 0 ? yellow : red;
  const text = formatProblems(
    problems.map((problem) =>
      problem.file ? problem : { ...problem, message: `svcgen: ${problem.message}` },
    ),
  );
  const colored = text
    .replace(/^(svcgen:|\S.*?:\d+:\d+:)/gm, (place) => bold(place))
    .replace(/^ +\^$/gm, (caret) => mark(caret))
    .replace(/^ {2}hint:/gm, (hint) => cyan(hint));
  return [colored];
}
