import { parseArgs } from 'node:util';
import { type CtlDefinition, UsageError } from './definition';

/** The description of an option in the help; it may depend on the start of the names of variables. */
type Help = string | ((environment: string) => string);

/** An option with a value, as parseArgs reads it, and its line of the help. */
const valued = (value: string, help: Help, short?: string) => ({
  type: 'string' as const,
  value,
  help,
  ...(short && { short }),
});
/** An option without a value. */
const flag = (help: Help) => ({ type: 'boolean' as const, help });

/** Every option, in the order of the help. */
const OPTIONS = {
  selector: valued('labels', 'only resources with these labels, such as env=prod,tier!=db', 'l'),
  where: valued('fields', 'only resources with these fields, such as "spec.price>=10,spec.tags=red"', 'w'),
  sort: valued('field', 'by a field, such as spec.price, or -spec.price for descending'),
  output: valued('format', 'table, wide, json or yaml', 'o'),
  file: valued('file', 'YAML or JSON; - is the standard input', 'f'),
  patch: valued('patch', 'YAML or JSON', 'p'),
  type: valued('type', 'of the patch: merge (default), json or shorthand'),
  status: flag('patch the status, not the spec'),
  'dry-run': flag('check everything, write nothing'),
  from: valued('position', 'begin after this position; 0 is the oldest retained event'),
  'api-version': valued('v', 'use this version instead of the storage version'),
  server: valued('url', (environment) => `the service; ${environment}_SERVER, or http://localhost:8080`, 's'),
  header: { ...valued('name: text', 'sent with every request', 'H'), multiple: true },
  token: valued('token', (environment) => `sent as a bearer token; ps shows it, unlike ${environment}_TOKEN`),
  timeout: valued('seconds', 'for each request, 30 by default'),
  help: { type: 'boolean', short: 'h' },
} as const;

type Option = keyof typeof OPTIONS;

/** The options for services with selectable fields. */
const OF_FIELDS: Option[] = ['where', 'sort'];

const EVERYWHERE: Option[] = ['server', 'header', 'token', 'timeout', 'help'];

/** A command: its arguments, its description, its number of arguments, and its own options. */
export interface CommandSyntax {
  usage: string;
  text: string;
  least: number;
  most: number;
  options: Option[];
  /** True for a command that goes on when nobody reads its output: it writes, or compares. */
  goesOn?: true;
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
    goesOn: true,
  },
  diff: {
    usage: 'diff -f <file>',
    text: 'show the changes of apply; exit code 1 if any',
    least: 0,
    most: 0,
    options: ['file', 'api-version'],
    goesOn: true,
  },
  edit: {
    usage: 'edit <kind> <name>',
    text: 'change a resource in $EDITOR',
    least: 2,
    most: 2,
    options: ['dry-run', 'api-version'],
    goesOn: true,
  },
  patch: {
    usage: 'patch <kind> <name> -p <patch>',
    text: 'change some fields',
    least: 2,
    most: 2,
    options: ['patch', 'type', 'status', 'dry-run', 'output', 'api-version'],
    goesOn: true,
  },
  delete: {
    usage: 'delete <kind> <name...>',
    text: 'delete resources',
    least: 2,
    most: Infinity,
    options: ['dry-run'],
    goesOn: true,
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

/** Returns whether a command goes on when nobody reads its output. */
export function goesOn(command: CommandName): boolean {
  return COMMANDS[command].goesOn === true;
}

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
  const used = new Set(commands.flatMap(({ options }) => [...options, ...EVERYWHERE]));
  const lines = (Object.keys(OPTIONS) as Option[])
    .filter((option) => used.has(option))
    .flatMap((option) => [
      ...optionLine(option, environment),
      ...(option === 'token'
        ? keys.map(([variable, header]) => line('', `${variable} is sent as ${header}`))
        : []),
    ]);
  return [
    `Usage: ${name} <command> [options]`,
    '',
    ...commands.map(({ usage, text }) => `  ${usage.padEnd(width)}  ${text}`),
    '',
    `Kinds: ${definition.kinds.map(({ plural }) => plural).join(', ')}`,
    '',
    ...lines,
    '',
    'A resource is named by its uid, or by its name if no other of its kind has it.',
    'Exit codes: 0 success, 1 refused or no response, 2 invalid arguments.',
    'Exit codes of diff: 0 no changes, 1 changes, 2 an error.',
    '',
  ].join('\n');
}

/** Returns the line of an option in the help, unless it has none. */
function optionLine(option: Option, environment: string): string[] {
  const { short, value, help }: { short?: string; value?: string; help?: Help } = OPTIONS[option];
  if (help === undefined) return [];
  const flags = `${short === undefined ? '   ' : `-${short},`} --${option}${value === undefined ? '' : ` <${value}>`}`;
  return [line(flags, typeof help === 'string' ? help : help(environment))];
}

function line(flags: string, text: string): string {
  return `  ${flags.padEnd(26)}${text}`;
}
