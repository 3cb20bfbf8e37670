import { Command, CommanderError } from 'commander';
import type { Outcome, Session } from '../commands/session';
import { ProjectError, refuse } from '../model/problem';
import { type Action, describeCommands } from './describe';

/**
 * Runs the command that the arguments name. Throws ProjectError for wrong arguments, and the errors of the command.
 */
export async function execute(argv: string[], session: Session): Promise<Outcome> {
  let outcome: Outcome | undefined;
  let printed = '';
  const program = new Command('svcgen')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => (printed += text),
      writeErr: (text) => (printed += text),
      outputError: () => {},
      getOutHelpWidth: () => session.io.stdout.columns || 100,
      getErrHelpWidth: () => session.io.stderr.columns || 100,
    })
    .enablePositionalOptions();
  const action: Action =
    (load) =>
    async (...parameters) => {
      const command = parameters.at(-1) as Command;
      requireTexts(command);
      outcome = await (await load()).run(session, command.optsWithGlobals(), command.args);
    };
  describeCommands(program, action);
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(action(() => import('./complete')));
  try {
    await program.parseAsync(argv[0] === '--version' ? ['version', ...argv.slice(1)] : argv, {
      from: 'user',
    });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    outcome = refusal(error, printed, argv);
  }
  return outcome ?? { exit: 0 };
}

/** Refuses empty arguments and options: a script passes them when one of its variables is not set. */
function requireTexts(command: Command): void {
  command.registeredArguments.forEach((argument, i) => {
    if (!argument.variadic && command.args[i] === '') refuse(`the argument ${argument.name()} is empty`);
  });
  for (const option of command.options)
    if (command.getOptionValue(option.attributeName()) === '') refuse(`the option ${option.long} is empty`);
}

/** Returns the help that was asked for. Throws ProjectError for wrong arguments. */
function refusal({ exitCode, code, message }: CommanderError, help: string, argv: string[]): Outcome {
  if (exitCode === 0) return { exit: 0, text: help, more: { help } };
  if (code === 'commander.help') {
    const wanted = argv.includes('help') ? argv[argv.indexOf('help') + 1] : undefined;
    const missing = wanted === undefined ? 'a command is missing' : `unknown command '${wanted}'`;
    return { exit: 2, notes: [help], problems: [{ message: missing }] };
  }
  const [text, suggestion] = message.replace(/^error: /, '').split('\n');
  throw new ProjectError([
    { message: text, hint: suggestion?.replace(/^\(Did you mean (.*)\)$/, 'did you mean $1') },
  ]);
}
