import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describeCommands } from '../../src/cli/describe';

// The command line of svcgen has the commands and options that docs/command-line.md and the README list.

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/command-line.md'), 'utf8');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The options that every command takes. */
const COMMON = ['--project', '--json'];

const program = new Command('svcgen');
describeCommands(program, () => async () => {});
const commands = program.commands.flatMap((command) => leaves(command, []));

/** Returns a command, or those below it, with their full names. */
function leaves(command: Command, above: string[]): { name: string; command: Command }[] {
  const names = [...above, command.name()];
  if (command.commands.length > 0) return command.commands.flatMap((below) => leaves(below, names));
  return [{ name: names.join(' '), command }];
}

/** Returns the rows of the first table below a heading. */
function rowsUnder(markdown: string, heading: string): string[] {
  const [, below = ''] = `\n${markdown}`.split(`\n${heading}\n`);
  const [section] = below.split(/\n#{1,3} /);
  return section.match(/^\| .*$/gm)?.slice(2) ?? [];
}

const firstCell = (row: string): string => row.split(/(?<!\\)\|/)[1].trim();
const commandIn = (row: string): string | undefined =>
  /^`svcgen ([a-z]+(?: [a-z]+)?)/.exec(firstCell(row))?.[1];

test.each([
  ['README.md', rowsUnder(readme, '## Commands')],
  ['docs/command-line.md', rowsUnder(page, '# The command line')],
])('%s lists every command', (_name, rows) => {
  expect(rows.map(commandIn).toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
});

test.each(commands.map(({ name, command }) => [name, command] as const))(
  '%s has these options',
  (name, command) => {
    const listed = rowsUnder(page, `### ${name}`).map((row) => /`(--[a-z-]+)/.exec(firstCell(row))?.[1]);
    const own = command.options.map(({ long }) => long!).filter((long) => !COMMON.includes(long));
    expect(listed.filter((long) => long !== undefined).toSorted()).toEqual(own.toSorted());
  },
);
