import { Command } from 'commander';
import type { Session } from '../cli';
import { candidates, type Values } from '../cli/candidates';
import { describeCommands } from '../cli/command-line';
import type { Outcome } from '../cli/outcome';
import { findProject } from '../cli/project-folder';
import { projectNames, type ProjectNames } from '../cli/project-names';

/** Where the values of options and arguments come from, by their names. */
const SOURCES: { [name: string]: keyof ProjectNames | ':files' | ':folders' } = {
  kind: 'kinds',
  '<Kind>': 'kinds',
  group: 'groups',
  version: 'versions',
  'storage-version': 'versions',
  from: 'versions',
  to: 'versions',
  project: ':folders',
  '<folder>': ':folders',
  '<file>': ':files',
};

/** `svcgen __complete -- <words>`: what the completion scripts ask; a line for each word, its meaning behind a tab. */
export async function run({ io }: Session, _options: object, words: string[]): Promise<Outcome> {
  const program = new Command('svcgen');
  describeCommands(program, () => async () => undefined);
  const values: Values = (name, typed) => {
    const source = SOURCES[name];
    if (source === undefined) return [];
    if (source === ':files' || source === ':folders') return source;
    const folder = project(io.cwd(), typed.get('project'));
    return folder === undefined ? [] : projectNames(folder, typed.get('group'), typed.get('kind'))[source];
  };
  const found = candidates(program, words, values);
  const lines =
    typeof found === 'string' ? [found] : found.map(({ word, description }) => line(word, description));
  return { exit: 0, text: lines.map((each) => `${each}\n`).join('') };
}

function line(word: string, description: string): string {
  return description === '' ? word : `${word}\t${description}`;
}

function project(cwd: string, named: string | undefined): string | undefined {
  try {
    return findProject(cwd, named);
  } catch {
    return undefined;
  }
}
