import { ApiError, ConnectionError, TimeoutError } from '../client/errors';
import { help, readCommandLine } from './command-line';
import { COMMAND_ACTIONS } from './commands';
import { UsageError, type CtlDefinition, type Io } from './definition';
import { printable } from './output';
import { environmentPrefix, Session } from './session';

/**
 * Runs one command of a service's command line. Gives the exit status: 0 done, 1 the service refused or did not
 * answer, 2 wrong arguments. Throws what is a defect of the program.
 */
export async function run(definition: CtlDefinition, io: Io): Promise<number> {
  const name = `${definition.service}ctl`;
  const report = (error: unknown): void => void io.stderr.write(`${name}: ${explain(error)}`);
  // What reads the output may have enough, as head has.
  io.stdout.on('error', () => process.exit(0));
  try {
    const line = readCommandLine(io.argv.slice(2), definition);
    if (line === undefined) {
      io.stdout.write(help(definition, name, environmentPrefix(definition)));
      return 0;
    }
    const failures = await COMMAND_ACTIONS[line.command](new Session(definition, line, io), report);
    return failures === 0 ? 0 : 1;
  } catch (error) {
    report(error);
    if (!(error instanceof UsageError)) return 1;
    io.stderr.write(`${name} --help tells more\n`);
    return 2;
  }
}

/** What a user is told of an error. Throws what is none of the service, the network or the user. */
function explain(error: unknown): string {
  if (error instanceof ApiError) {
    const fields = (error.problem.errors ?? []).map(
      ({ pointer, rule, detail }) => `  ${pointer}: ${detail} (${rule})`,
    );
    return [error.message, ...fields].map((line) => `${printable(line)}\n`).join('');
  }
  if (error instanceof ConnectionError || error instanceof TimeoutError || error instanceof UsageError)
    return `${error.message}\n`;
  throw error;
}
