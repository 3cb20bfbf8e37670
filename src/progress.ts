import type { Io } from './io';

/** Work that takes longer than this, in milliseconds, is told about. */
const PATIENCE = 500;

/** One line on a terminal that says what svcgen is doing; nothing for quick work, in a file, or with `--json`. */
export class Progress {
  private readonly start = performance.now();
  private shown = false;

  constructor(private readonly session: { io: Io; json: boolean }) {}

  /** What is being done now. */
  step(text: string): void {
    const { io, json } = this.session;
    if (json || !io.stderr.isTTY || performance.now() - this.start < PATIENCE) return;
    this.shown = true;
    io.stderr.write(`\r\u001b[Ksvcgen: ${text} …`);
  }

  /** Clears the line. */
  end(): void {
    if (this.shown) this.session.io.stderr.write('\r\u001b[K');
    this.shown = false;
  }
}
