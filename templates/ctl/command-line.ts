import { parseArgs } from 'node:util';
import { type CtlDefinition, UsageError } from './definition';

/** Every option; those without a value are boolean. */
const OPTIONS = {
  'api-version': { type: 'string' },
  'dry-run': { type: 'boolean' },
  file: { type: 'string', short: 'f' },
  from: { type: 'string' },
  header: { type: 'string', short: 'H', multiple: true },
  help: { type: 'boolean', short: 'h' },
  output: { type: 'string', short: 'o' },
  patch: { type: 'string', short: 'p' },
  selector: { type: 'string', short: 'l' },
  server: { type: 'string', short: 's' },
  sort: { type: 'string' },
  status: { type: 'boolean' },
  timeout: { type: 'string' },
  token: { type: 'string' },
  type: { type: 'string' },
  where: { type: 'string', short: 'w' },
} as const;

type Option = keyof typeof OPTIONS;

/** Description of each option in the help. */
const OPTION_HELP: [option: Option, text: string][] = [
  ['selector', '-l, --selector <labels>   only resources with these labels, such as env=prod,tier!=db'],
  [
    'where',
    '-w, --where <fields>      only resources with these fields, such as "spec.price>=10,spec.tags=red"',
  ],
  ['sort', '    --sort <field>        by a field, such as spec.price, or -spec.price for descending'],
  ['output', '-o, --output <format>     table, wide, json or yaml'],
  ['file', '-f, --file <file>         YAML or JSON; - is the standard input'],
  ['patch', '-p, --patch <patch>       YAML or JSON'],
  ['type', '    --type <type>         of the patch: merge (default), json or shorthand'],
  ['status', '    --status              patch the status, not the spec'],
  ['dry-run', '    --dry-run             check everything, write nothing'],
  ['from', '    --from <position>     begin after this position; 0 is the oldest retained event'],
  ['api-version', '    --api-version <v>     use this version instead of the storage version'],
];

/** The options for services with selectable fields. */
const OF_FIELDS: Option[] = ['where', 'sort'];

const EVERYWHERE: Option[] = ['server', 'header', 'timeout', 'token', 'help'];

/** A command: its arguments, its description, its number of arguments, and its own options. */
export interface CommandSyntax {
  usage: string;
  text: string;
  least: number;
  most: number;
  options: Option[];
}

export type CommandName =
  'get' | 'describe' | 'apply' | 'diff' | 'edit' | 'patch' | 'delete' | 'versions' | 'watch';

const COMMANDS: { [name in CommandName]: CommandSyntax } = {
  get: {
    usage: 'get <kind> [name...]',
    text: 'list resources, or show some',
    least: 1,
    most: Infinity,
    options: ['selector', 'where', 'sort', 'output', 'api-version'],
  },
  describe: {
    usage: 'describe <kind> <name...>',
    text: 'show resources in full, for people',
    least: 2,
    most: Infinity,
    options: ['api-version'],
  },
  apply: {
    usage: 'apply -f <file>',
    text: 'create or update the resources of a file, by uid or name',
    least: 0,
    most: 0,
    options: ['file', 'dry-run', 'api-version'],
  },
  diff: {
    usage: 'diff -f <file>',
    text: 'show the changes of apply; exit code 1 if any',
    least: 0,
    most: 0,
    options: ['file', 'api-version'],
  },
  edit: {
    usage: 'edit <kind> <name>',
    text: 'change a resource in $EDITOR',
    least: 2,
    most: 2,
    options: ['dry-run', 'api-version'],
  },
  patch: {
    usage: 'patch <kind> <name> -p <patch>',
    text: 'change some fields',
    least: 2,
    most: 2,
    options: ['patch', 'type', 'status', 'dry-run', 'output', 'api-version'],
  },
  delete: {
    usage: 'delete <kind> <name...>',
    text: 'delete resources',
    least: 2,
    most: Infinity,
    options: ['dry-run'],
  },
  versions: {
    usage: 'versions <kind> <name> [version]',
    text: 'list the versions of a spec, or show one',
    least: 2,
    most: 3,
    options: ['output', 'api-version'],
  },
  watch: {
    usage: 'watch [kind]',
    text: 'print events as they happen',
    least: 0,
    most: 1,
    options: ['selector', 'where', 'output', 'from', 'api-version'],
  },
};

/** Format of the output. */
export type Format = 'table' | 'wide' | 'json' | 'yaml';

/** A parsed command line. */
export interface CommandLine {
  command: CommandName;
  /** The arguments after the command that are no options. */
  args: string[];
  options: {
    [name in Exclude<Option, 'dry-run' | 'header' | 'status' | 'help'>]?: string;
  } & { 'dry-run'?: boolean; header?: string[]; status?: boolean };
}

/** Reads the arguments; undefined when help is requested. Throws UsageError. */
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
      throw new UsageError(`--${option} is not an option of ${command}`);
  return { command, args, options: values };
}

/** Splits arguments such as `devices/dev-1`, as commands print them, into the kind and names. Throws UsageError. */
function resourceArgs([first, ...rest]: string[]): string[] {
  if (first === undefined) return [];
  const [kind, name] = atSlash(first);
  const names = rest.map((place) => {
    const [start, end] = atSlash(place);
    if (end !== undefined && start !== kind)
      throw new UsageError(`${JSON.stringify(place)} is not among ${JSON.stringify(kind)}, which come first`);
    return end ?? place;
  });
  return [kind, ...(name === undefined ? [] : [name]), ...names];
}

/** Returns the text before and after the first slash: names may contain slashes. */
function atSlash(text: string): [start: string, end?: string] {
  const slash = text.indexOf('/');
  return slash < 0 ? [text] : [text.slice(0, slash), text.slice(slash + 1)];
}

/** The result of parseArgs. */
type Parsed = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true; tokens: true }>>;

function parse(argv: string[]): Parsed {
  try {
    const parsed = parseArgs({
      args: joined(argv),
      options: OPTIONS,
      allowPositionals: true,
      tokens: true,
    });
    checkRepeats(parsed);
    return parsed;
  } catch (error) {
    // The rest of Node's message explains how to pass an unknown option as an argument, which is never intended.
    const [message] = (error as Error).message.split('. To specify a positional argument');
    throw new UsageError(message);
  }
}

/** Throws UsageError for an option that is given twice: only the last one would count. */
function checkRepeats({ tokens }: Parsed): void {
  const names = tokens.flatMap((token) =>
    token.kind === 'option' && token.value !== undefined && token.name !== 'header' ? [token.name] : [],
  );
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice`);
}

/** Joins `--sort -spec.price`, which parseArgs takes for two options. */
function joined(argv: string[]): string[] {
  const at = argv.indexOf('--sort');
  if (at < 0 || !/^-[a-z]+\./.test(argv[at + 1] ?? '')) return argv;
  return [...argv.slice(0, at), `--sort=${argv[at + 1]}`, ...argv.slice(at + 2)];
}

/** Returns the commands of a service, with the options that it has. */
function commandsOf({ events, kinds }: CtlDefinition): { [name in CommandName]?: CommandSyntax } {
  const { watch, versions, ...rest } = COMMANDS;
  const commands = {
    ...rest,
    ...(kinds.some(({ history }) => history) && { versions }),
    ...(events && { watch }),
  };
  if (kinds.some(({ selectable }) => selectable)) return commands;
  const entries = Object.entries(commands).map(([name, { options, ...syntax }]) => {
    return [name, { ...syntax, options: options.filter((option) => !OF_FIELDS.includes(option)) }];
  });
  return Object.fromEntries(entries) as { [name in CommandName]?: CommandSyntax };
}

/** Returns the help of the whole program. */
export function help(
  definition: CtlDefinition,
  name: string,
  environment: string,
  keys: [variable: string, header: string][],
): string {
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
    '  -H, --header <name: text> sent with every request',
    `      --token <token>       sent as a bearer token; ps shows it, unlike ${environment}_TOKEN`,
    ...keys.map(([variable, header]) => `${' '.repeat(28)}${variable} is sent as ${header}`),
    '      --timeout <seconds>   for each request, 30 by default',
    '',
    'A resource is named by its uid, or by its name if no other of its kind has it.',
    'Exit codes: 0 success, 1 refused or no response, 2 invalid arguments.',
    'Exit codes of diff: 0 no changes, 1 changes, 2 an error.',
    '',
  ].join('\n');
}
