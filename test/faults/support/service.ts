import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { send } from './client';
import type { Breakage } from './fault';

/** Below the repository, so that what is generated finds its dependencies there. */
export const SERVICE = resolve(__dirname, '../../../.tmp/faults/service');
export const SHIM = join(SERVICE, 'disk.so');
export const SHUTDOWN = join(SERVICE, 'shutdown');

/** The time-outs of a service for a test in which a response may take long, and is no failure. */
export const PATIENT = {
  HEADERS_TIMEOUT_MS: '300000',
  REQUEST_TIMEOUT_MS: '300000',
  STALL_TIMEOUT_MS: '300000',
  KEEP_ALIVE_TIMEOUT_MS: '300000',
};

/** A generated service, compiled, in a process of its own. */
export interface RunningService {
  port: number;
  child: ChildProcess;
  /** From its start to its first 200 of /readyz, in ms. */
  readyMs: number;
  /** Its log lines so far. */
  log: { msg?: string; [name: string]: unknown }[];
  /** Its stderr so far. */
  errors(): string;
  /** Resolves with the exit code, null after a signal, when all that it wrote has been read. */
  ended: Promise<number | null>;
  /** Ends it at once, as `kill -9` does. */
  kill(): Promise<void>;
}

/** A service that ended before it listened: the exit code, and what it said on stderr. */
export class NotStarted extends Error {
  constructor(
    readonly code: number | null,
    readonly errors: string,
  ) {
    super(`the service ended with ${code} before it listened: ${errors}`);
  }
}

const running = new Set<ChildProcess>();

/** Ends what a check that found something may have left. */
export function killServices(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts the service on a database and a free port, by a launcher where one is given; resolves when it is ready. Throws NotStarted. */
export async function startService(
  url: string,
  { hooks = [], environment = {} }: Breakage = {},
  launcher: readonly string[] = [],
): Promise<RunningService> {
  const begun = performance.now();
  const loaded = hooks.flatMap((hook) => ['-r', join(__dirname, '../breakages', `${hook}.js`)]);
  const [program, ...command] = [...launcher, process.execPath, ...loaded, join(SERVICE, 'dist/main.js')];
  const child = spawn(program, command, {
    cwd: SERVICE,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: url,
      HOST: '127.0.0.1',
      PORT: '0',
      // A client that is busy with something else must not find its connections closed.
      KEEP_ALIVE_TIMEOUT_MS: '60000',
      FAULT_RUNTIME: join(SERVICE, 'dist/generated/runtime'),
      ...environment,
    },
  });
  running.add(child);
  let errors = '';
  const log: RunningService['log'] = [];
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  const port = await new Promise<number>((listening, failed) => {
    createInterface(child.stdout).on('line', (line) => {
      const entry = JSON.parse(line) as { msg?: string; port: number };
      log.push({ ...entry });
      if (entry.msg === 'listening') listening(entry.port);
    });
    void ended.then((code) => failed(new NotStarted(code, errors)));
  });
  while ((await send(port, 'GET', '/readyz')).status !== 200) await setTimeout(10);
  return {
    port,
    child,
    log,
    readyMs: performance.now() - begun,
    errors: () => errors,
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
