import { join } from 'node:path';

/** Time between two looks at the parent process, in milliseconds. */
const INTERVAL = 250;

const parent = process.ppid;

/**
 * Calls back when the `npm start` that runs this process has been stopped. npm passes SIGTERM to the shell in between,
 * and a shell such as dash ends without passing it on: the service would go on, and keep its port.
 */
export function onNpmStopped(callback: (reason: object) => void): void {
  const { npm_lifecycle_event: script, npm_package_json: file } = process.env;
  // Processes inherit these variables: the script may be of another project, which starts this service otherwise.
  if (script !== 'start' || file !== join(process.cwd(), 'package.json')) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback({ cause: 'npm start has ended' });
  }, INTERVAL);
  timer.unref();
}
