import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject } from '../load/load-project';
import { packageFile } from '../render/project-files';
import { textOf, type Examination } from './examination';
import { ok, problem, warning, type Found } from './finding';
import { some } from './project-checks';

/** What of a package.json is looked at. */
interface Manifest {
  dependencies?: { [name: string]: string };
  devDependencies?: { [name: string]: string };
}

/** Whether what package.json names is installed, and whether it names what generated code of this svcgen uses. */
export async function checkDependencies({ folder, problems, timeoutMs }: Examination): Promise<Found> {
  const given = manifest(textOf(join(folder, 'package.json')));
  if (given === undefined) return problem('package.json is missing or is no JSON', 'run svcgen generate');
  if (!existsSync(join(folder, 'node_modules'))) return problem('not installed', 'run npm install');
  const wrong = await installationProblems(folder, timeoutMs);
  if (wrong === undefined) return warning('npm cannot be asked what is installed');
  if (wrong.length > 0) return problem(some(wrong), 'run npm install');
  const wanted = problems.length === 0 ? lacking(folder, given) : [];
  if (wanted.length === 0) return ok('installed');
  return warning(`package.json lacks ${some(wanted)}`, `npm install ${wanted.join(' ')}`);
}

/** What `npm ls` finds missing or of another version than package.json asks for; undefined where it cannot be run. */
function installationProblems(cwd: string, timeout: number): Promise<string[] | undefined> {
  const words = ['ls', '--depth=0', '--json', '--loglevel=silent'];
  const shell = process.platform === 'win32';
  return new Promise((resolve) => {
    execFile('npm', words, { cwd, timeout, shell }, (_error, stdout) => {
      const { problems = [] } = (parsed(stdout) ?? {}) as { problems?: string[] };
      const serious = problems.filter((each) => /^(missing|invalid):/.test(each));
      resolve(
        stdout === '' ? undefined : serious.map((each) => each.replace(/, required by .*| \/.*$/s, '')),
      );
    });
  });
}

/** The packages, as npm installs them, that a new project of this svcgen would have and this one does not name. */
function lacking(folder: string, given: Manifest): string[] {
  const fresh = manifest(packageFile(loadProject(folder).project)) ?? {};
  const named = { ...given.dependencies, ...given.devDependencies };
  return Object.entries({ ...fresh.dependencies, ...fresh.devDependencies })
    .filter(([name]) => named[name] === undefined)
    .map(([name, range]) => `${name}@${range}`);
}

function manifest(text: string | undefined): Manifest | undefined {
  return text === undefined ? undefined : (parsed(text) as Manifest | undefined);
}

function parsed(text: string): object | undefined {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return undefined;
  }
}
