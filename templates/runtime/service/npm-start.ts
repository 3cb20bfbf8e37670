import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Time between two looks at the process that is waited for, in milliseconds. */
const INTERVAL = 250;

const parent = process.ppid;

/**
 * Calls back when the `npm start` or `npm run dev` that runs this process has been stopped. npm passes SIGTERM to the shell in
 * between. A shell such as dash ends without passing it on, so the service would go on running, and keep its port.
 */
export function onNpmStopped(callback: (reason: object) => void): void {
  const { npm_lifecycle_event: script, npm_package_json: file } = process.env;
  // Processes inherit these variables: the script may be of another project, which starts this service otherwise.
  if (file !== join(process.cwd(), 'package.json')) return;
  if (script === 'start') onEnd(() => process.ppid !== parent, callback, 'npm start has ended');
  if (script === 'dev') onWatcherLeft(callback);
}

/**
 * Does the same under a watcher, such as `tsx watch` or `node --watch`, which stays between the shell and this process, and
 * goes on alone as well.
 */
function onWatcherLeft(callback: (reason: object) => void): void {
  const cause = 'npm run dev has ended';
  parentOf(parent, (shell) =>
    onEnd(
      () => process.ppid !== parent || isGone(shell),
      (reason) => {
        callback(reason);
        // Otherwise it would start the service again, after the next change of a file.
        if (process.ppid === parent) process.kill(parent, 'SIGTERM');
      },
      cause,
    ),
  );
}

function onEnd(hasEnded: () => boolean, callback: (reason: object) => void, cause: string): void {
  const timer = setInterval(() => {
    if (!hasEnded()) return;
    clearInterval(timer);
    callback({ cause });
  }, INTERVAL);
  timer.unref();
}

/** Calls back with the parent of a process, unless the system does not tell it. */
function parentOf(pid: number, callback: (parent: number) => void): void {
  try {
    // The second field, the name of the program, may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    callback(Number(fields[1]));
  } catch {
    execFile('ps', ['-o', 'ppid=', '-p', String(pid)], (error, text) => {
      if (error === null) callback(Number(text));
    });
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
