import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { REGISTER } from '../../support/compiled';

const ROOT = resolve(__dirname, '../../..');

/** A second process that runs a task of store-child.ts. */
export interface Child {
  process: ChildProcessWithoutNullStreams;
  /** The lines it has written so far. */
  lines: string[];
  /** Resolves when it has written this line; rejects when it ends before. */
  said(line: string): Promise<void>;
  /** Resolves when it has ended and all its lines are there. */
  ended(): Promise<void>;
}

const children = new Set<ChildProcessWithoutNullStreams>();

/** Ends what a failed test may have left. */
export function killChildren(): void {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
}

/** Starts a task of store-child.ts. */
export function startChild(task: string, ...parameters: string[]): Child {
  const child = spawn(
    process.execPath,
    ['--require', REGISTER, join(__dirname, '../store/store-child.ts'), task, ...parameters],
    {
      cwd: ROOT,
    },
  );
  children.add(child);
  const lines: string[] = [];
  const output = createInterface(child.stdout).on('line', (line) => lines.push(line));
  const closed = Promise.all([once(output, 'close'), once(child, 'close')]);
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  return {
    process: child,
    lines,
    async said(line) {
      let ended = false;
      void closed.then(() => (ended = true));
      while (!lines.includes(line)) {
        if (ended) throw new Error(`the child ended before it said ${line}: ${errors}`);
        await Promise.race([once(output, 'line'), closed]);
      }
    },
    async ended() {
      await closed;
    },
  };
}
