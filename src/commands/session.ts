import { isFileError } from '../files/file-errors';
import { type Problem, ProjectError } from '../model/problem';
import type { Io } from '../terminal/io';
import type { Action } from '../write/tree-plan';

/** The outcome of a command. */
export interface Outcome {
  /** 0: done. 1: `--check` found differences, `doctor` a problem. 2: the user's input is wrong. 70: a defect of svcgen. */
  exit: 0 | 1 | 2 | 70;
  files?: { path: string; action: Action; diff?: string }[];
  /** Problems; with exit code 0, warnings. */
  problems?: Problem[];
  /** The output for scripts, without `--json`. */
  text?: string;
  /** Messages to people. */
  notes?: string[];
  /** True where all of it has been reported. */
  isReported?: true;
  /** Further members of the JSON object. */
  more?: { [name: string]: string | object };
}

/** The context of a command. */
export interface Session {
  io: Io;
  json: boolean;
  /** Writes an outcome before the end, for a command that goes on. */
  report(outcome: Outcome): Promise<void>;
}

/** The outcome of a command that threw: the user's problems, or a defect with its stack on stderr. */
export function failure(error: unknown, io: Io): Outcome {
  if (error instanceof ProjectError) return { exit: 2, problems: error.problems };
  if (isFileError(error) && error.syscall === 'uv_cwd')
    return {
      exit: 2,
      problems: [{ message: 'the current folder was removed', hint: 'change to another one' }],
    };
  const { message, stack } =
    error instanceof Error ? error : { message: String(error), stack: String(error) };
  io.stderr.write(`${stack}\n`);
  return {
    exit: 70,
    problems: [{ message: `a defect in svcgen: ${message}`, hint: 'please report it, with the lines above' }],
  };
}
