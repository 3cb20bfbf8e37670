import type { Io } from './cli/io';
import { execute } from './cli/command-line';
import { type Outcome, report } from './cli/outcome';
import { ProjectError } from './problem';

/** What a command works with beside its options. */
export interface Session {
  io: Io;
  json: boolean;
  /** Writes an outcome before the end, for a command that goes on. */
  report(outcome: Outcome): Promise<void>;
}

/**
 * Runs svcgen with the arguments after its name and writes what came of it. Returns the exit code: 0 done,
 * 1 `--check` found differences or `doctor` a problem, 2 the input is wrong, 70 a defect of svcgen.
 */
export async function run(argv: string[], io: Io): Promise<number> {
  const { json, words } = takeJson(argv);
  const session: Session = { io, json, report: (outcome) => report(outcome, json, io) };
  const outcome = await execute(words, session).catch((error: unknown) => failure(error, io));
  await session.report(outcome);
  return outcome.exit;
}

/** Takes `--json` out of the arguments, wherever it stands: wrong ones are answered in JSON too. */
function takeJson(argv: string[]): { json: boolean; words: string[] } {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const words = argv.filter((word, index) => word !== '--json' || index > end);
  return { json: words.length < argv.length, words };
}

/** The outcome of a command that threw: the user's problems, or a defect with its stack on stderr. */
export function failure(error: unknown, io: Io): Outcome {
  if (error instanceof ProjectError) return { exit: 2, problems: error.problems };
  const { message, stack } =
    error instanceof Error ? error : { message: String(error), stack: String(error) };
  io.stderr.write(`${stack}\n`);
  return {
    exit: 70,
    problems: [{ message: `a defect of svcgen: ${message}`, hint: 'please report it, with the lines above' }],
  };
}
