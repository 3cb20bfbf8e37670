import { ApiError } from '../client/errors';
import { type CommandName, goesOn, help, readCommandLine } from './command-line';
import { COMMAND_ACTIONS, type CommandActions } from './commands';
import { type CtlDefinition, type Io, UsageError } from './definition';
import { explain } from './explain';
import { Session } from './session';
import { environmentPrefix, keyVariables } from './variables';

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
  const output = new Output(io, name);
  try {
    const line = readCommandLine(io.argv.slice(2), definition);
    if (line === undefined) {
      io.stdout.write(help(definition, name, environmentPrefix(definition), keyVariables(definition)));
      return 0;
    }
    output.command = line.command;
    return output.statusOf(await actions[line.command]!(new Session(definition, line, io), report));
  } catch (error) {
    report(error);
    if (!(error instanceof UsageError)) return 1;
    io.stderr.write(`${name} --help has the details\n`);
    return 2;
  }
}

/** The output of a command. Its reader may have enough of it, as head does, or the disk may be full. */
class Output {
  /** Undefined until it is known, and for the help. */
  command: CommandName | undefined;
  #isLost = false;

  constructor({ stdout, stderr }: Io, name: string) {
    // Without a listener, an error that nobody reads would end the command in the middle of its writes.
    stderr.on('error', () => undefined);
    stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      const isLost = code !== 'EPIPE';
      if (isLost && !this.#isLost) stderr.write(`${name}: the output cannot be written: ${message}\n`);
      this.#isLost ||= isLost;
      if (this.command === undefined || !goesOn(this.command)) process.exit(this.statusOf(0));
      // The error may come after the end of the command.
      process.exitCode = this.statusOf(Number(process.exitCode ?? 0));
    });
  }

  /** Returns the exit status of a command that ends with `code`. */
  statusOf(code: number): number {
    if (!this.#isLost) return code;
    return this.command === 'diff' ? 2 : Math.max(code, 1);
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
