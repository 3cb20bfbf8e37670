import { Argument, type Command, Option, type OptionValues } from 'commander';
import type { Outcome, Session } from '../commands/session';
import { refuse } from '../model/problem';

/** A file of `commands/`. It is loaded when its command is called, so that `--help` starts quickly. */
interface CommandModule {
  run(session: Session, options: OptionValues, args: string[]): Promise<Outcome>;
}

/** Returns what commander calls for a command, given how its module is loaded. */
export type Action = (load: () => Promise<CommandModule>) => (...parameters: unknown[]) => Promise<void>;

/** Adds every command with its arguments and options; `action` makes what is called of a file of `commands/`. */
export function describeCommands(program: Command, action: Action): void {
  common(program).description('Generates resource-oriented JSON APIs in TypeScript from a project.yaml.');

  common(program.command('init'))
    .description('create a service project')
    .argument('[folder]', 'target folder (default: the current folder)')
    .option('--name <name>', "name of the service (default: the folder's name)")
    .option('--group <group>', 'API group (default: example.svc.dev)')
    .option('--versions <versions>', 'API versions, separated by commas (default: v1)')
    .option('--storage-version <version>', 'version to store data in (default: the most stable, newest one)')
    .addOption(
      new Option(
        '--validation <mode>',
        'treatment of requests that break field rules (default: strict)',
      ).choices(['strict', 'warn', 'disabled']),
    )
    .option('--events', 'publish every change as a CloudEvent')
    .option('--yes', 'never ask')
    .action(action(() => import('../commands/init')));

  const add = common(program.command('add')).description('add a kind or a version to project.yaml');
  common(add.command('kind'))
    .description('add a kind with some initial fields to one version')
    .argument('<Kind>', 'name of the kind, such as Device')
    .option('--version <version>', "API version (default: the group's storage version)")
    .option('--group <group>', 'API group (required if project.yaml has several)')
    .option('--plural <plural>', 'name of the collection in URLs (default: the English plural)')
    .option('--spec-versioning', 'keep a history of the spec')
    .action(action(() => import('../commands/add-kind')));
  common(add.command('version'))
    .description("declare a version and copy every kind's fields into it")
    .argument('<version>', 'name of the version: v2, v2beta1 or v2alpha1')
    .option('--from <version>', 'copy from this version (default: the storage version)')
    .option('--group <group>', 'API group (required if project.yaml has several)')
    .option('--storage', 'make it the storage version; it may be declared already')
    .option('--force', 'do not warn about an alpha or beta storage version')
    .action(action(() => import('../commands/add-version')));
  describeGeneration(program, action);
  describeTools(program, action);
}

function describeGeneration(program: Command, action: Action): void {
  common(program.command('generate'))
    .description('write all generated files')
    .option('--check', 'write nothing; list stale files and exit with 1 if there are any')
    .option('--dry-run', 'write nothing; list each file with create, update, unchanged or delete')
    .option('--diff', 'with --check or --dry-run: print unified diffs')
    .addOption(
      new Option(
        '--watch',
        'generate again on every change to project.yaml, its imports or svcgen.lock',
      ).conflicts(['check', 'dryRun', 'diff']),
    )
    .addOption(forceOption())
    .action(action(() => import('../commands/generate')));

  common(program.command('convert'))
    .description('convert a resource from one version to another and print it')
    .argument('[file]', 'JSON or YAML document (default: stdin)')
    .requiredOption('--kind <Kind>', 'kind of the document (required)')
    .requiredOption('--from <version>', 'version of the document (required)')
    .requiredOption('--to <version>', 'version to convert it to (required)')
    .option('--group <group>', 'API group (required if several have the kind)')
    .action(action(() => import('../commands/convert')));

  common(program.command('client'))
    .description('write the typed client as a separate npm package')
    .requiredOption('--out <folder>', 'new or empty folder, or one with an earlier client (required)')
    .option('--name <name>', "name of the package (default: the service's name followed by -client)")
    .action(action(() => import('../commands/client')));
}

/** `--force`, which may be repeated, but not with another value. */
function forceOption(): Option {
  const option = new Option('--force [changes]', 'acknowledge changes to stable versions');
  const { parseArg } = option.choices(['all', 'compatible']).preset('all');
  return option.argParser((text: string, before: string | undefined) => {
    const value = parseArg?.(text, before);
    if (before !== undefined && before !== value)
      refuse('--force=all and --force=compatible contradict each other', FORCE_HINT);
    return value;
  });
}

const FORCE_HINT = 'choose one of the two; --force without a value acknowledges all changes';

function describeTools(program: Command, action: Action): void {
  common(program.command('doctor'))
    .description('find what prevents the project from being built, tested or started')
    .option('--timeout <seconds>', 'limit for each check that runs code of the project (default: 60)')
    .action(action(() => import('../commands/doctor')));

  common(program.command('completion'))
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .action(action(() => import('../commands/completion')));

  common(program.command('version'))
    .description('print the version of svcgen')
    .action(action(() => import('../commands/version')));
}

function common(command: Command): Command {
  return command
    .option('--project <folder>', 'project folder (default: the nearest folder upwards with a project.yaml)')
    .option('--json', 'write one JSON object to stdout');
}
