import { failure, type Outcome, type Session } from '../commands/session';
import type { Io } from '../terminal/io';
import { execute } from './command-line';

/**
 * Runs svcgen with the arguments after its name and writes the outcome. Returns the exit code: 0 done, 1 `--check`
 * found differences or `doctor` a problem, 2 the input is wrong, 70 a defect of svcgen.
 */
export async function run(argv: string[], io: Io): Promise<number> {
  const { json, words } = takeJson(argv);
  const session: Session = { io, json, report: (outcome) => report(outcome, json, io) };
  const outcome = await execute(words, session).catch((error: unknown) => failure(error, io));
  if (outcome.isReported !== true) await session.report(outcome);
  return outcome.exit;
}

/** Takes `--json` out of the arguments, wherever it is, so that problems of the others are reported as JSON too. */
function takeJson(argv: string[]): { json: boolean; words: string[] } {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const words = argv.filter((word, index) => word !== '--json' || index > end);
  return { json: words.length < argv.length, words };
}

/** Writes the outcome: one JSON object on stdout, or text on stdout and the rest on stderr. */
async function report(outcome: Outcome, json: boolean, io: Io): Promise<void> {
  const { exit, text, notes = [], problems = [] } = outcome;
  if (json) {
    io.stdout.write(`${JSON.stringify(asJson(outcome))}\n`);
    return;
  }
  if (text) io.stdout.write(text);
  if (notes.length > 0) io.stderr.write(`${notes.join('\n')}\n`);
  if (problems.length > 0) {
    const { problemText } = await import('../terminal/problem-text');
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
