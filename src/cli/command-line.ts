import { Argument, Command, CommanderError, Option, type OptionValues } from 'commander';
import type { Session } from '../cli';
import type { Outcome } from './outcome';
import { ProjectError } from '../problem';
import { refuse } from './refusal';

/** A file of `commands/`. It is loaded when its command is called, so that `--help` starts quickly. */
interface CommandModule {
  run(session: Session, options: OptionValues, args: string[]): Promise<Outcome>;
}

/**
 * Runs the command that the arguments name. Throws ProjectError for arguments that are wrong, and what the command
 * throws.
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
  describeCommands(program, (load) => async (...parameters) => {
    const command = parameters.at(-1) as Command;
    requireTexts(command);
    outcome = await (await load()).run(session, command.optsWithGlobals(), command.args);
  });
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

/** Refuses empty texts: what a script passes on when its variable is not set would mean something else. */
function requireTexts(command: Command): void {
  command.registeredArguments.forEach((argument, i) => {
    if (!argument.variadic && command.args[i] === '') refuse(`the argument ${argument.name()} is empty`);
  });
  for (const option of command.options)
    if (command.getOptionValue(option.attributeName()) === '') refuse(`the option ${option.long} is empty`);
}

/** What commander has to say: the help that was asked for, or what is wrong with the arguments. */
function refusal({ exitCode, code, message }: CommanderError, help: string, argv: string[]): Outcome {
  if (exitCode === 0) return { exit: 0, text: help, more: { help } };
  if (code === 'commander.help') {
    const wanted = argv.includes('help') ? argv[argv.indexOf('help') + 1] : undefined;
    const missing = wanted === undefined ? 'a command is missing' : `unknown command '${wanted}'`;
    return { exit: 2, notes: [help], problems: [{ message: missing }] };
  }
  const [text, suggestion] = message.replace(/^error: /, '').split('\n');
  throw new ProjectError([
    { message: text!, hint: suggestion?.replace(/^\(Did you mean (.*)\)$/, 'did you mean $1') },
  ]);
}

type Action = (load: () => Promise<CommandModule>) => (...parameters: unknown[]) => Promise<void>;

/** Adds every command with its arguments and options; `action` makes what is called of a file of `commands/`. */
export function describeCommands(program: Command, action: Action): void {
  common(program).description('Generates resource-oriented JSON APIs in TypeScript from a project.yaml.');

  common(program.command('init'))
    .description('start a new service project')
    .argument('[folder]', 'where, by default in the current folder')
    .option('--name <name>', "the service's name (default: the folder's name)")
    .option('--group <group>', 'API group (default: example.svc.dev)')
    .option('--versions <versions>', 'API versions, with commas between them (default: v1)')
    .option('--storage-version <version>', 'default: the most stable, newest one')
    .addOption(new Option('--validation <mode>', 'default: strict').choices(['strict', 'warn', 'disabled']))
    .option('--events', 'publish CloudEvents')
    .option('--yes', 'never ask')
    .action(action(() => import('../commands/init')));

  const add = common(program.command('add')).description('add to project.yaml');
  common(add.command('kind'))
    .description('a kind with the first fields, in one version')
    .argument('<Kind>', 'its name, such as Device')
    .option('--version <version>', "default: the group's storage version")
    .option('--group <group>', 'needed when project.yaml has several')
    .option('--plural <plural>', 'what its collection is called in URLs')
    .option('--spec-versioning', 'keep spec version history')
    .action(action(() => import('../commands/add-kind')));
  common(add.command('version'))
    .description("declare a version and copy every kind's fields into it")
    .argument('<version>', 'its name: v2, v2beta1 or v2alpha1')
    .option('--from <version>', 'copy from this one (default: the storage version)')
    .option('--group <group>', 'needed when project.yaml has several')
    .option('--storage', 'make it the storage version')
    .option('--force', 'say nothing about an unstable storage version')
    .action(action(() => import('../commands/add-version')));

  common(program.command('generate'))
    .description('write everything that svcgen owns')
    .option('--check', 'write nothing, exit 1 and list the files that are stale')
    .option('--dry-run', 'write nothing, say per file: create, update, unchanged, delete')
    .option('--diff', 'with either of the two: unified diffs')
    .addOption(
      new Option('--watch', 'again on every change of project.yaml').conflicts(['check', 'dryRun', 'diff']),
    )
    .option('--force', 'acknowledge changes to a stable version')
    .action(action(() => import('../commands/generate')));

  common(program.command('convert'))
    .description('a resource of one version as another shows it, on stdout')
    .argument('[file]', 'a document, JSON or YAML; stdin without one')
    .requiredOption('--kind <Kind>', 'its kind')
    .requiredOption('--from <version>', 'the version it is in')
    .requiredOption('--to <version>', 'the version it is wanted in')
    .option('--group <group>', 'needed when several groups have the kind')
    .action(action(() => import('../commands/convert')));

  common(program.command('doctor'))
    .description('look for what keeps the project from being built, tested or started')
    .option('--timeout <seconds>', 'for each check that runs code of the project (default: 60)')
    .action(action(() => import('../commands/doctor')));

  common(program.command('completion'))
    .description('print the script that completes the command line in a shell')
    .addArgument(new Argument('<shell>', 'yours').choices(['bash', 'zsh', 'fish']))
    .action(action(() => import('../commands/completion')));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(action(() => import('../commands/complete')));

  common(program.command('version'))
    .description('print the version of svcgen')
    .action(action(() => import('../commands/version')));
}

function common(command: Command): Command {
  return command
    .option('--project <folder>', 'default: the nearest folder, from here upwards, that has a project.yaml')
    .option('--json', 'write one JSON object to stdout');
}
