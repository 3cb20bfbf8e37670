import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

/** Longest wait for a condition, in ms: it ends a test that would hang. */
const PATIENCE = 240_000;

/** A program that runs next to a test until it is stopped, or ends by itself. */
export class BackgroundProgram {
  /** Standard output so far. */
  output = '';
  /** Both outputs so far. */
  text = '';
  /** Resolves with the exit code, when both outputs have been read; null after a signal. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(file: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv }) {
    const { cwd, env = {} } = options;
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.output += chunk;
      this.text += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (this.text += chunk));
    this.#child = child;
    this.ended = once(child, 'close').then(([code]) => code as number | null);
  }

  /** Resolves when a condition holds. Throws an Error with both outputs when the program ends before, or after minutes. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    const end = Date.now() + PATIENCE;
    while (!(await condition())) {
      if (this.#child.exitCode !== null)
        throw new Error(`it ended with ${this.#child.exitCode}:\n${this.text}`);
      if (Date.now() > end) throw new Error(`it still runs, and the condition does not hold:\n${this.text}`);
      await setTimeout(100);
    }
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.ended;
  }
}
