import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '../generate';
import { loadProject } from '../load/load-project';
import { ProjectError } from '../problem';
import { LOCK_FILE } from '../stability';
import type { Examination } from './examination';
import { ok, problem, warning, type Found } from './finding';
import { isIgnored, isTracked } from './git';

/** How many names are told before the rest is counted. */
const NAMED = 3;

/** Whether project.yaml can be read. What is wrong with it goes to the problems of the examination. */
export function checkProjectFile({ folder, problems }: Examination): Found {
  try {
    const { groups } = loadProject(folder).project;
    const kinds = groups.flatMap((group) => group.kinds);
    return ok(`${kinds.length} ${kinds.length === 1 ? 'kind' : 'kinds'}`);
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    problems.push(...error.problems);
    return problem(`${error.problems.length} to mend`, 'svcgen generate tells the same');
  }
}

/** Whether the generated files are what project.yaml makes, as `svcgen generate --check` tells it. */
export async function checkGenerated({ folder, problems, progress }: Examination): Promise<Found> {
  if (problems.length > 0) return warning('not looked at: project.yaml comes first');
  try {
    const { changes } = await generate(folder, { write: false, force: false }, progress);
    const stale = changes.filter(({ action }) => action !== 'unchanged').map(({ path }) => path);
    if (stale.length === 0) return ok('up to date');
    return problem(`${stale.length} stale: ${some(stale)}`, 'run svcgen generate');
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    problems.push(...error.problems);
    return problem('cannot be generated', 'svcgen generate tells the same');
  }
}

/** Whether svcgen.lock is there and, in a git repository, committed: it is what keeps stable versions stable. */
export async function checkLock({ folder }: Examination): Promise<Found> {
  if (!existsSync(join(folder, LOCK_FILE))) return problem('missing', 'run svcgen generate and commit it');
  const tracked = await isTracked(folder, LOCK_FILE);
  if (tracked === undefined) return ok('there; no git repository to see whether it is committed');
  if (tracked) return ok('there, and under version control');
  if (await isIgnored(folder, LOCK_FILE)) {
    return problem('git ignores it', 'take it out of .gitignore: it records what stable versions promise');
  }
  return warning(
    'not under version control',
    `git add ${LOCK_FILE}: it records what stable versions promise`,
  );
}

/** The first names, and how many there are beside. */
export function some(names: string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
