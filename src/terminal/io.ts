import type { Readable, Writable } from 'node:stream';

/** The part of `process` that the command line uses; `process` itself is one. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: { [name: string]: string | undefined };
  /** The current folder. */
  cwd(): string;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** A stream that text is written to, a terminal perhaps. */
export interface Output extends Writable {
  isTTY?: boolean;
  columns?: number;
}

/** Returns true for a stream that shows colours: a terminal, unless `NO_COLOR` is set (no-color.org). */
export function hasColors({ isTTY }: Output, { NO_COLOR, TERM }: Io['env']): boolean {
  return !!isTTY && !NO_COLOR && TERM !== 'dumb';
}

/** Returns true if questions may be asked: a person types and reads on a terminal, and no script reads the output. */
export function isConversation({ io, json }: { io: Io; json: boolean }): boolean {
  return !!io.stdin.isTTY && !!io.stderr.isTTY && !json && !io.env.CI;
}

/** The time after which work is reported, and the time between two changes of the line, in milliseconds. */
const PATIENCE = 500;
const INTERVAL = 100;

/** A line on the terminal with the current step of svcgen; nothing for quick work, in a file, or with `--json`. */
export class Progress {
  private shown = false;
  private next = performance.now() + PATIENCE;

  constructor(private readonly session: { io: Io; json: boolean }) {}

  /** Shows the current step. */
  step(text: string): void {
    const { io, json } = this.session;
    if (json || !io.stderr.isTTY || performance.now() < this.next) return;
    this.next = performance.now() + INTERVAL;
    this.shown = true;
    const line = `svcgen: ${text}`.slice(0, (io.stderr.columns || 80) - 1);
    io.stderr.write(`\r\u001b[K${line}`);
  }

  /** Clears the line. */
  end(): void {
    if (this.shown) this.session.io.stderr.write('\r\u001b[K');
    this.shown = false;
  }
}
