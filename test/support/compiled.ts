import { join } from 'node:path';

/** The module that compiles TypeScript in processes and threads which tests start; for `--require`. */
export const REGISTER = join(__dirname, 'register.js');

// The threads of services in this process load it.
if (!process.execArgv.includes(REGISTER)) process.execArgv.push('--require', REGISTER);
