import type { Io } from './io';

/** Work that takes longer than this, in milliseconds, is told about; and how often the line changes. */
const PATIENCE = 500;
const INTERVAL = 100;

/** One line on a terminal that says what svcgen is doing; nothing for quick work, in a file, or with `--json`. */
export class Progress {
  private shown = false;
  private next = performance.now() + PATIENCE;

  constructor(private readonly session: { io: Io; json: boolean }) {}

  /** What is being done now. */
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
