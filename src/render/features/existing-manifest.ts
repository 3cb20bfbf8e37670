import { join } from 'node:path';
import type { Project } from '../../model/project';
import { commands, lackingOf, programs } from './commands';
import { usedBy } from './features';
import { moduleMistake, readManifest } from './manifest';
import { lackingOfNew, namedPackages } from './packages';

/**
 * Returns notices about the commands and packages of a new project that an older `package.json` lacks, and about a type of
 * modules that the build does not make. None where it is missing or not JSON.
 */
export function lackingInManifest(folder: string, project: Project): string[] {
  const path = join(folder, 'package.json');
  const [manifest, named] = [readManifest(path), namedPackages(path)];
  if (manifest === undefined || named === undefined) return [];
  const settings = [
    ...lackingOf(manifest, 'scripts', commands(project)),
    ...lackingOf(manifest, 'bin', programs(project, usedBy(project))),
  ].map(({ setting }) => setting);
  const lacking = lackingOfNew(project, named);
  const lines: [words: string[], what: string, command: string][] = [
    [settings, 'commands of the service', 'npm pkg set'],
    [lacking['npm install'], 'packages that it needs', 'npm install'],
    [lacking['npm install -D'], 'packages that its build and tests need', 'npm install -D'],
  ];
  const notices = lines.flatMap(([words, what, command]) =>
    words.length === 0 ? [] : [`svcgen: package.json lacks ${what}: run ${command} ${words.join(' ')}`],
  );
  const mistake = moduleMistake(manifest);
  return mistake === undefined
    ? notices
    : [`svcgen: package.json ${mistake.message}: ${mistake.hint}`, ...notices];
}
