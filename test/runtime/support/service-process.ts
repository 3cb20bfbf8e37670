import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { REGISTER } from '../../support/compiled';

const ROOT = resolve(__dirname, '../../..');

/** A service that runs in a process of its own, so that a test can measure it from outside and stop it. */
export interface ServiceProcess {
  port: number;
  child: ChildProcess;
  /** Every line of its log. */
  log: { msg?: string }[];
  /** Resolves with the exit code when it has ended and all that it wrote has been read. */
  ended: Promise<number | null>;
}

const running = new Set<ChildProcess>();
afterAll(() => running.forEach((child) => child.kill('SIGKILL')));

/** Starts service-child.ts, or another script of test/runtime, on a free port. */
export function runProcess(
  environment: { [name: string]: string } = {},
  script = 'support/service-child.ts',
): ChildProcessByStdio<null, Readable, Readable> {
  const child = spawn(process.execPath, ['--require', REGISTER, join(__dirname, '..', script)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: 'sqlite::memory:',
      HOST: '127.0.0.1',
      PORT: '0',
      ...environment,
    },
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** Does the same, and resolves when it listens. */
export async function startProcess(
  environment: { [name: string]: string } = {},
  script?: string,
): Promise<ServiceProcess> {
  const child = runProcess(environment, script);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const log: { msg?: string }[] = [];
  const port = await new Promise<number>((started, failed) => {
    createInterface(child.stdout).on('line', (line) => {
      const entry = JSON.parse(line) as { msg?: string; port: number };
      log.push(entry);
      if (entry.msg === 'listening') started(entry.port);
    });
    void ended.then((code) =>
      failed(new Error(`the service ended with ${code} before it listened: ${errors}`)),
    );
  });
  return { port, child, log, ended };
}
