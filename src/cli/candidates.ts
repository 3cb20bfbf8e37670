import type { Argument, Command, Option } from 'commander';

/** A word that can stand where the cursor is, and what it means. */
export interface Candidate {
  word: string;
  description: string;
}

/** What shells complete themselves: names of files or of folders. */
export type ShellNames = ':files' | ':folders';

/** Finds the values of an option (`kind`) or an argument (`<kind>`), given the options that were typed before it. */
export type Values = (name: string, typed: Map<string, string>) => string[] | ShellNames;

/** Words that mean something other than their first characters: a command, an option, a value. */
interface Place {
  command: Command;
  /** The options before the cursor and their values. */
  typed: Map<string, string>;
  /** How many arguments of the command stand before the cursor. */
  position: number;
  /** The option whose value is at the cursor. */
  expecting: Option | undefined;
}

/** What can stand for the last of the words, which is begun or empty; the words are those after the program's name. */
export function candidates(program: Command, words: string[], values: Values): Candidate[] | ShellNames {
  const current = words.at(-1) ?? '';
  const place = placeOf(program, words.slice(0, -1));
  const { command, typed, position, expecting } = place;
  if (expecting !== undefined) return begun(current, valuesOf(expecting, typed, values));
  const [, name, value] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
  if (name !== undefined && value !== undefined) {
    const option = command.options.find(({ long }) => long === name);
    const found = option === undefined ? [] : begun(value, valuesOf(option, typed, values));
    return typeof found === 'string'
      ? found
      : found.map((each) => ({ ...each, word: `${name}=${each.word}` }));
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

function valuesOf(
  of: Option | Argument,
  typed: Map<string, string>,
  values: Values,
): Candidate[] | ShellNames {
  const name = 'long' in of ? of.name() : `<${of.name()}>`;
  const found = of.argChoices ?? values(name, typed);
  return typeof found === 'string' ? found : found.map((word) => ({ word, description: '' }));
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

function begun(current: string, found: Candidate[] | ShellNames): Candidate[] | ShellNames {
  return typeof found === 'string' ? found : found.filter(({ word }) => word.startsWith(current));
}
