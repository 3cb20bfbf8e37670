import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '../generate/generate';
import { readProject } from '../load/load-project';
import { LOCK_FILE } from '../lock/lock-text';
import { ProjectError } from '../model/problem';
import { planProject } from '../plan/plan-project';
import { type Examination, type Found, ok, problem, warning } from './finding';

/** The number of names that are listed before the rest is counted. */
const NAMED = 3;

/** The words for git that find out whether a folder is in a repository. */
const INSIDE = ['rev-parse', '--is-inside-work-tree'];

/** Checks that project.yaml can be read. Its problems go to the problems of the examination. */
export function checkProjectFile({ folder, problems }: Examination): Found {
  try {
    const { kinds } = planProject(readProject(folder));
    return ok(`${kinds.length} ${kinds.length === 1 ? 'kind' : 'kinds'}`);
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    problems.push(...error.problems);
    return problem(`${error.problems.length} to fix`, 'run svcgen generate for details');
  }
}

/** Checks that the generated files are up to date, as `svcgen generate --check` does. */
export async function checkGenerated({ folder, problems, progress }: Examination): Promise<Found> {
  if (problems.length > 0) return warning('not checked: fix project.yaml first');
  try {
    const { changes } = await generate(folder, { write: false, isAcknowledged: () => false, progress });
    const stale = changes.filter(({ action }) => action !== 'unchanged').map(({ path }) => path);
    if (stale.length > 0) return problem(`${stale.length} stale: ${firstOf(stale)}`, 'run svcgen generate');
    // A user may well leave out files such as README.md; svcgen.lock has a check of its own.
    const needed = changes
      .filter(({ path, owner }) => path !== LOCK_FILE && (owner === 'svcgen' || path.startsWith('src/')))
      .map(({ path }) => path);
    const ignored = await ignoredOf(folder, needed);
    if (ignored.length === 0) return ok('up to date');
    return problem(
      `git ignores ${ignored.length} ${ignored.length === 1 ? 'file' : 'files'}: ${firstOf(ignored)}`,
      'put a slash before the patterns of .gitignore, such as /data/, and commit the files: a clone lacks them',
    );
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    problems.push(...error.problems);
    return problem('cannot be generated', 'run svcgen generate for details');
  }
}

/** Checks that svcgen.lock is there and committed: it is what keeps stable versions stable. */
export async function checkLock({ folder }: Examination): Promise<Found> {
  if (!existsSync(join(folder, LOCK_FILE))) return problem('missing', 'run svcgen generate and commit it');
  const tracked = await isTracked(folder, LOCK_FILE);
  if (tracked === undefined) {
    const refusal = await refusalOf(folder);
    if (refusal === undefined) return ok('present; no git repository, so not known to be committed');
    return warning('git refuses the repository, which belongs to another user', refusal);
  }
  if (tracked) return ok('present and under version control');
  if ((await ignoredOf(folder, [LOCK_FILE])).length > 0) {
    return problem('git ignores it', 'remove it from .gitignore: it records the fields of stable versions');
  }
  return warning(
    'not under version control',
    `git add ${LOCK_FILE}: it records the fields of stable versions`,
  );
}

/** Returns the first names, and the number of the others. */
export function firstOf(names: string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Returns true for a file that git tracks; undefined where there is no repository, or no git. */
export async function isTracked(folder: string, file: string): Promise<boolean | undefined> {
  const inside = await git(folder, INSIDE);
  if (inside === undefined) return undefined;
  return (await git(folder, ['ls-files', '--error-unmatch', file])) !== undefined;
}

/** Returns the command that makes git accept a repository of another user; undefined where it refuses none. */
async function refusalOf(folder: string): Promise<string | undefined> {
  const { errors } = await runGit(folder, INSIDE);
  return /dubious ownership[^]*?\t(git config .*)/.exec(errors)?.[1];
}

/** Returns those of the files that git ignores. */
async function ignoredOf(folder: string, files: string[]): Promise<string[]> {
  const output = await git(folder, ['check-ignore', '--stdin', '-z'], files.join('\0'));
  return output?.split('\0').slice(0, -1) ?? [];
}

/** Runs git and returns its output; undefined where it fails or is absent. */
async function git(folder: string, words: string[], input?: string): Promise<string | undefined> {
  return (await runGit(folder, words, input)).output;
}

function runGit(
  cwd: string,
  words: string[],
  input = '',
): Promise<{ output: string | undefined; errors: string }> {
  const env = { ...process.env, LC_ALL: 'C' };
  return new Promise((resolve) => {
    const child = execFile('git', words, { cwd, env }, (error, output, errors) =>
      resolve({ output: error === null ? output : undefined, errors }),
    );
    child.stdin?.on('error', () => {}).end(input); // a git that ends early or is absent reads nothing
  });
}
