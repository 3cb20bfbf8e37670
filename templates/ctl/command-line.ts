import { parseArgs } from 'node:util';
import { UsageError, type CtlDefinition } from './definition';

/** Every option; those that take no value are boolean. */
const OPTIONS = {
  'api-version': { type: 'string' },
  file: { type: 'string', short: 'f' },
  from: { type: 'string' },
  header: { type: 'string', short: 'H', multiple: true },
  help: { type: 'boolean', short: 'h' },
  output: { type: 'string', short: 'o' },
  patch: { type: 'string', short: 'p' },
  selector: { type: 'string', short: 'l' },
  server: { type: 'string', short: 's' },
  status: { type: 'boolean' },
  timeout: { type: 'string' },
  type: { type: 'string' },
} as const;

type Option = keyof typeof OPTIONS;

/** What is said of each option in the help. */
const OPTION_HELP: [option: Option, text: string][] = [
  ['selector', '-l, --selector <labels>   only resources with these labels, such as env=prod,tier!=db'],
  ['output', '-o, --output <format>     table, json or yaml'],
  ['file', '-f, --file <file>         YAML or JSON; - is the standard input'],
  ['patch', '-p, --patch <patch>       YAML or JSON'],
  ['type', '    --type <type>         of the patch: merge (default), json or shorthand'],
  ['status', '    --status              patch the status, not the spec'],
  ['from', '    --from <position>     begin after this position; 0 is the oldest event that is kept'],
  ['api-version', '    --api-version <v>     speak this version, not the storage version'],
];

const EVERYWHERE: Option[] = ['server', 'header', 'timeout', 'help'];

/** A command: its arguments, what it does, how many arguments it takes, and its own options. */
export interface CommandSyntax {
  usage: string;
  text: string;
  least: number;
  most: number;
  options: Option[];
}

export type CommandName = 'get' | 'apply' | 'patch' | 'delete' | 'versions' | 'watch';

const COMMANDS: { [name in CommandName]: CommandSyntax } = {
  get: {
    usage: 'get <kind> [uid...]',
    text: 'list resources, or show some',
    least: 1,
    most: Infinity,
    options: ['selector', 'output', 'api-version'],
  },
  apply: {
    usage: 'apply -f <file>',
    text: 'create what is in a file, or update what has its uid or name',
    least: 0,
    most: 0,
    options: ['file', 'api-version'],
  },
  patch: {
    usage: 'patch <kind> <uid> -p <patch>',
    text: 'change some fields',
    least: 2,
    most: 2,
    options: ['patch', 'type', 'status', 'output', 'api-version'],
  },
  delete: {
    usage: 'delete <kind> <uid...>',
    text: 'delete resources',
    least: 2,
    most: Infinity,
    options: [],
  },
  versions: {
    usage: 'versions <kind> <uid> [version]',
    text: 'list the versions of a spec, or show one',
    least: 2,
    most: 3,
    options: ['output', 'api-version'],
  },
  watch: {
    usage: 'watch [kind]',
    text: 'print what happens, as it happens',
    least: 0,
    most: 1,
    options: ['selector', 'output', 'from', 'api-version'],
  },
};

/** How output is written. */
export type Format = 'table' | 'json' | 'yaml';

/** A command line, understood. */
export interface CommandLine {
  command: CommandName;
  /** What stands behind the command and is no option. */
  args: string[];
  options: {
    [name in Exclude<Option, 'header' | 'status' | 'help'>]?: string;
  } & { header?: string[]; status?: boolean };
}

/** Reads the arguments; undefined when help is asked for. Throws UsageError. */
export function readCommandLine(argv: string[], definition: CtlDefinition): CommandLine | undefined {
  const { positionals, values } = parse(argv);
  const [name, ...places] = positionals;
  if (values.help || name === 'help') return undefined;
  const known = commandsOf(definition);
  if (name === undefined) throw new UsageError(`a command is missing: ${Object.keys(known).join(', ')}`);
  const command = name as CommandName;
  const syntax = Object.hasOwn(known, name) ? known[command] : undefined;
  if (syntax === undefined)
    throw new UsageError(
      `there is no command ${JSON.stringify(name)}; there are: ${Object.keys(known).join(', ')}`,
    );
  const { least, most, usage, options } = syntax;
  const args = resourceArgs(places);
  if (args.length < least || args.length > most) throw new UsageError(`usage: ${usage}`);
  const nothing = args.find((arg) => /^\.{0,2}$/.test(arg));
  if (nothing !== undefined) throw new UsageError(`${JSON.stringify(nothing)} names no resource`);
  for (const option of Object.keys(values) as Option[])
    if (![...options, ...EVERYWHERE].includes(option))
      throw new UsageError(`--${option} is no option of ${command}`);
  return { command, args, options: values };
}

/** The arguments with `devices/dev-1`, as commands print it, taken apart: the kind once, then uids. Throws UsageError. */
function resourceArgs([first, ...rest]: string[]): string[] {
  if (first === undefined) return [];
  const [kind = '', ...uid] = first.split('/');
  const uids = rest.map((place) => {
    const parts = place.split('/');
    if (parts.length > 1 && parts[0] !== kind)
      throw new UsageError(`${JSON.stringify(place)} is not among ${JSON.stringify(kind)}, which come first`);
    return parts.slice(-1)[0]!;
  });
  return [kind, ...uid, ...uids];
}

/** What parseArgs makes of them. */
function parse(
  argv: string[],
): ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>> {
  try {
    return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The commands that a service has. */
function commandsOf({ events, kinds }: CtlDefinition): { [name in CommandName]?: CommandSyntax } {
  const { watch, versions, ...rest } = COMMANDS;
  return {
    ...rest,
    ...(kinds.some(({ history }) => history) && { versions }),
    ...(events && { watch }),
  };
}

/** The help, of the whole program. */
export function help(definition: CtlDefinition, name: string, environment: string): string {
  const commands = Object.values(commandsOf(definition));
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const used = new Set(commands.flatMap(({ options }) => options));
  return [
    `Usage: ${name} <command> [options]`,
    '',
    ...commands.map(({ usage, text }) => `  ${usage.padEnd(width)}  ${text}`),
    '',
    `Kinds: ${definition.kinds.map(({ plural }) => plural).join(', ')}`,
    '',
    ...OPTION_HELP.filter(([option]) => used.has(option)).map(([, text]) => `  ${text}`),
    `  -s, --server <url>        the service; ${environment}_SERVER, or http://localhost:8080`,
    `  -H, --header <name: text> sent with every request; ${environment}_TOKEN is sent as a bearer token`,
    '      --timeout <seconds>   for each request, 30 by default',
    '',
    'Exit status: 0 done, 1 the service refused or did not answer, 2 wrong arguments.',
    '',
  ].join('\n');
}
