import { fork } from 'node:child_process';
import { join } from 'node:path';
import { isInstalled } from './dependencies';
import { type Examination, type Found, problem, unfinished, warning } from './finding';

/** The number of resources of each kind that the laws are tried on, unless LAW_RUNS is set. */
const LAW_RUNS = '50';

/** The compilers that projects load their sources with, by package. Older projects have ts-node. */
const COMPILERS = [
  { name: 'tsx', options: ['--import', 'tsx'] },
  { name: 'ts-node', options: ['--require', 'ts-node/register/transpile-only'] },
];

/**
 * Runs a part of `in-project.ts` in a process of its own: what it loads is code of the project, with the packages that are
 * installed there.
 */
export function checkInProject(
  examination: Examination,
  part: 'hooks' | 'settings' | 'database' | 'laws',
): Promise<Found> {
  const { folder, environment, timeoutMs } = examination;
  const compiler = COMPILERS.find(({ name }) => isInstalled(folder, name));
  if (compiler === undefined || !isInstalled(folder, 'express')) {
    return Promise.resolve(warning('not checked: the dependencies are not installed'));
  }
  const child = fork(join(__dirname, 'in-project'), [part], {
    cwd: folder,
    env: { LAW_RUNS, ...environment },
    execArgv: compiler.options,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return new Promise((resolve) => {
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve(unfinished(timeoutMs));
    }, timeoutMs);
    child.once('message', (found: Found) => {
      resolve(found);
      // Timers and connections of the project's code would let it go on.
      child.kill('SIGKILL');
    });
    child.once('close', () => {
      clearTimeout(timer);
      const lines = errors.split('\n').map((line) => line.trim());
      const reason = lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.find((line) => line !== '');
      resolve(
        problem(`the project's code does not run: ${reason ?? 'no error message'}`, 'run npm run typecheck'),
      );
    });
  });
}
