import { ApiError } from '../client/errors';
import { help, readCommandLine } from './command-line';
import { COMMAND_ACTIONS, type CommandActions } from './commands';
import { type CtlDefinition, type Io, UsageError } from './definition';
import { explain } from './explain';
import { environmentPrefix, keyVariables, Session } from './session';

/**
 * Runs one command of a service's command line: one of every service, or of its features, `more`. Returns the exit
 * status: 0 done, 1 the service refused or did not respond, 2 wrong arguments; `diff` has its own. Throws defects of
 * the program.
 */
export async function run(
  definition: CtlDefinition,
  io: Io,
  more: Partial<CommandActions> = {},
): Promise<number> {
  const actions: Partial<CommandActions> = { ...COMMAND_ACTIONS, ...more };
  const name = `${definition.service}ctl`;
  const report = (error: unknown): void =>
    void io.stderr.write(`${name}: ${explain(error)}${credentialsHint(error, definition)}`);
  // The reader of the output may stop early, as head does.
  io.stdout.on('error', () => process.exit(0));
  try {
    const line = readCommandLine(io.argv.slice(2), definition);
    if (line === undefined) {
      io.stdout.write(help(definition, name, environmentPrefix(definition), keyVariables(definition)));
      return 0;
    }
    return await actions[line.command]!(new Session(definition, line, io), report);
  } catch (error) {
    report(error);
    if (!(error instanceof UsageError)) return 1;
    io.stderr.write(`${name} --help has the details\n`);
    return 2;
  }
}

/** Returns a hint about credentials, where the service has refused a request without them; else an empty string. */
function credentialsHint(error: unknown, definition: CtlDefinition): string {
  if (!(error instanceof ApiError) || error.status !== 401) return '';
  const keys = keyVariables(definition).map(
    ([variable, header]) => `, or the header ${header} by ${variable}`,
  );
  return `give a token by ${environmentPrefix(definition)}_TOKEN or --token${keys.join('')}\n`;
}
