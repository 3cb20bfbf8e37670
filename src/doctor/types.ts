import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { readManifest } from '../render/features/manifest';
import { isInstalled } from './dependencies';
import { type Examination, type Found, ok, problem, unfinished, warning } from './finding';

/** A line of the compiler, such as `src/app.ts(3,10): error TS2305: Module has no exported member.` */
const MISTAKE = /^.+\(\d+,\d+\): error TS\d+: .*/gm;
/** Projects of thousands of kinds print a lot. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Checks that the sources and tests of the project compile: runs its command `typecheck`, which writes nothing. */
export function checkTypes({ folder, timeoutMs }: Examination): Promise<Found> | Found {
  if (!isInstalled(folder, 'typescript')) return warning('not checked: the dependencies are not installed');
  if (readManifest(join(folder, 'package.json'))?.scripts?.['typecheck'] === undefined)
    return warning('not checked: package.json has no command typecheck');
  const options = {
    cwd: folder,
    timeout: timeoutMs,
    maxBuffer: MAX_OUTPUT_BYTES,
    shell: process.platform === 'win32',
  };
  return new Promise((resolve) => {
    execFile('npm', ['run', '--silent', 'typecheck'], options, (error, stdout, stderr) => {
      if (error === null) return resolve(ok('the sources compile'));
      if (error.killed) return resolve(unfinished(timeoutMs));
      const mistakes = stdout.match(MISTAKE) ?? [];
      const [first = `npm run typecheck failed: ${(stdout + stderr).trim().split('\n')[0]}`, ...others] =
        mistakes;
      const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
      resolve(problem(`${first}${more}`, 'run npm run typecheck'));
    });
  });
}
