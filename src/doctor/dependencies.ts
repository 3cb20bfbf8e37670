import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { tryOr } from '../files/try-or';
import { loadProject } from '../load/load-project';
import { manifestMistake, moduleMistake, readManifest } from '../render/features/manifest';
import { lackingOfNew, namedPackages, replacedPackages } from '../render/features/packages';
import { type Examination, type Found, ok, problem, warning } from './finding';
import { firstOf } from './project-checks';

/** Checks package.json: its type of modules, that its packages are installed, and that it names those that the service needs. */
export async function checkDependencies({ folder, problems, timeoutMs }: Examination): Promise<Found> {
  const path = join(folder, 'package.json');
  const mistake = manifestMistake(path) ?? moduleMistake(readManifest(path) ?? {});
  if (mistake !== undefined) return problem(`package.json ${mistake.message}`, mistake.hint);
  const named = namedPackages(path)!;
  if (![...named].some((name) => isInstalled(folder, name)))
    return problem('not installed', 'run npm install');
  const wrong = await installationProblems(folder, timeoutMs);
  if (wrong === undefined) return warning('npm does not report the installed packages');
  if (wrong.length > 0) return problem(firstOf(wrong), 'run npm install');
  if (problems.length > 0) return ok('installed');
  const present = new Set([...named, ...replacedPackages(named)]);
  const lacking = Object.entries(lackingOfNew(loadProject(folder).project, present));
  const words = lacking.flatMap(([, packages]) => packages);
  if (words.length === 0) return ok('installed');
  const commands = lacking.filter(([, packages]) => packages.length > 0).map((each) => each.flat().join(' '));
  return warning(`package.json lacks ${firstOf(words)}`, commands.join(' && '));
}

/** Returns whether a package is installed where a project finds it: in its folder or, in a workspace, in one above. */
export function isInstalled(folder: string, name: string): boolean {
  const places = createRequire(join(folder, 'package.json')).resolve.paths(name) ?? [];
  return places.some((place) => existsSync(join(place, name)));
}

/** Returns the packages that `npm ls` finds missing or of a wrong version; undefined where it cannot be run. */
function installationProblems(cwd: string, timeout: number): Promise<string[] | undefined> {
  const words = ['ls', '--depth=0', '--json', '--loglevel=silent'];
  const shell = process.platform === 'win32';
  return new Promise((resolve) => {
    execFile('npm', words, { cwd, timeout, shell }, (_error, stdout) => {
      const report = tryOr(() => JSON.parse(stdout) as unknown, undefined);
      const { problems = [] } = Object(report) as { problems?: string[] };
      const serious = problems.filter((each) => /^(missing|invalid):/.test(each));
      resolve(
        stdout === '' ? undefined : serious.map((each) => each.replace(/, required by .*| \/.*$/s, '')),
      );
    });
  });
}
