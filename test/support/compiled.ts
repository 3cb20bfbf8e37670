import { join } from 'node:path';
import * as threads from 'node:worker_threads';

/** The module that compiles TypeScript in processes and threads which tests start; for `--require`. */
export const REGISTER = join(__dirname, 'register.js');

const { Worker } = threads;

/** A thread that compiles its sources, which run without a build in tests alone. */
class CompilingWorker extends Worker {
  constructor(file: string | URL, options: threads.WorkerOptions = {}) {
    super(file, String(file).endsWith('.ts') ? { execArgv: ['--require', REGISTER], ...options } : options);
  }
}

// All test files of a process share the module.
if (Worker.name !== CompilingWorker.name)
  Object.assign(require('node:worker_threads') as object, { Worker: CompilingWorker });
