import { type Argument, Command, type Option } from 'commander';
import { findProject } from '../commands/project-folder';
import type { Outcome, Session } from '../commands/session';
import { tryOr } from '../files/try-or';
import { describeCommands } from './describe';
import { type ProjectNames, projectNames } from './project-names';

/** The sources of the values of options and arguments, by name. Shells complete what begins with a colon. */
const SOURCES: { [name: string]: keyof ProjectNames | ':files' | ':folders' } = {
  kind: 'kinds',
  '<Kind>': 'kinds',
  group: 'groups',
  version: 'versions',
  'storage-version': 'versions',
  from: 'versions',
  to: 'versions',
  project: ':folders',
  out: ':folders',
  '<folder>': ':folders',
  '<file>': ':files',
};

/**
 * Runs `svcgen __complete -- <words>` for the completion scripts: prints a line for each possible word, its description
 * behind a tab.
 */
export async function run({ io }: Session, _options: object, words: string[]): Promise<Outcome> {
  const program = new Command('svcgen');
  describeCommands(program, () => async () => undefined);
  const values: Values = (name, typed) => {
    const source = SOURCES[name];
    if (source === undefined) return [];
    if (source === ':files' || source === ':folders') return [source];
    const folder = tryOr(() => findProject(io.cwd(), typed.get('project')), undefined);
    return folder === undefined ? [] : projectNames(folder, typed.get('group'), typed.get('kind'))[source];
  };
  const lines = candidates(program, words, values).map(({ word, description }) =>
    description === '' ? `${word}\n` : `${word}\t${description}\n`,
  );
  return { exit: 0, text: lines.join('') };
}

/** A possible word at the cursor, and its description. */
interface Candidate {
  word: string;
  description: string;
}

/** Finds the values of an option (`kind`) or an argument (`<kind>`), given the options that were typed before it. */
type Values = (name: string, typed: Map<string, string>) => string[];

/** The position of the cursor: the command, its options and its arguments so far. */
interface Place {
  command: Command;
  /** The options before the cursor and their values. */
  typed: Map<string, string>;
  /** The number of the command's arguments before the cursor. */
  position: number;
  /** The option whose value is at the cursor. */
  expecting: Option | undefined;
}

/**
 * Returns the words that can stand for the last one, which is begun or empty; `words` are those after the program's name.
 */
function candidates(program: Command, words: string[], values: Values): Candidate[] {
  const current = words.at(-1) ?? '';
  const place = placeOf(program, words.slice(0, -1));
  const { command, typed, position, expecting } = place;
  if (expecting !== undefined) return begun(current, valuesOf(expecting, typed, values));
  const [, name, value] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
  if (name !== undefined && value !== undefined) {
    const option = command.options.find(({ long }) => long === name);
    const found = option === undefined ? [] : begun(value, valuesOf(option, typed, values));
    return found.map((each) => (isOfShell(each) ? each : { ...each, word: `${name}=${each.word}` }));
  }
  if (current.startsWith('-')) return begun(current, optionsOf(command, typed));
  const argument = command.registeredArguments[position];
  if (argument !== undefined) return begun(current, valuesOf(argument, typed, values));
  return begun(current, position === 0 ? subcommands(command) : []);
}

function placeOf(program: Command, words: string[]): Place {
  const place: Place = { command: program, typed: new Map(), position: 0, expecting: undefined };
  for (const word of words) {
    const { command, typed, expecting } = place;
    if (expecting !== undefined) {
      typed.set(expecting.name(), word);
      place.expecting = undefined;
    } else if (word.startsWith('-')) {
      const [name, ...value] = word.split('=');
      const option = command.options.find(({ long }) => long === name);
      if (option === undefined) continue;
      typed.set(option.name(), value.join('='));
      if (option.required && value.length === 0) place.expecting = option;
    } else {
      const subcommand =
        place.position === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (subcommand === undefined) place.position += 1;
      else place.command = subcommand;
    }
  }
  return place;
}

function valuesOf(of: Option | Argument, typed: Map<string, string>, values: Values): Candidate[] {
  const name = 'long' in of ? of.name() : `<${of.name()}>`;
  return (of.argChoices ?? values(name, typed)).map((word) => ({ word, description: '' }));
}

function optionsOf(command: Command, typed: Map<string, string>): Candidate[] {
  const options = command.createHelp().visibleOptions(command);
  return options
    .filter((option) => !typed.has(option.name()))
    .map(({ long, description }) => ({ word: long ?? '', description }));
}

function subcommands(command: Command): Candidate[] {
  const commands = command.createHelp().visibleCommands(command);
  return commands.map((each) => ({ word: each.name(), description: each.description() }));
}

function begun(current: string, found: Candidate[]): Candidate[] {
  return found.filter((each) => isOfShell(each) || each.word.startsWith(current));
}

/** Returns true for names that shells complete themselves: those of files or folders. */
function isOfShell({ word }: Candidate): boolean {
  return word.startsWith(':');
}
