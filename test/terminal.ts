import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { Io, Output } from '../src/cli/io';

/** A terminal, or what takes its place, whose output can be read. */
export class Terminal extends EventEmitter implements Io {
  out = '';
  err = '';
  readonly stdin: Io['stdin'];
  readonly stdout: Output;
  readonly stderr: Output;

  constructor(
    private readonly folder: string,
    isTTY = false,
    readonly env: Io['env'] = {},
    input: string | Buffer[] = '',
  ) {
    super();
    this.stdin = Object.assign(Readable.from(typeof input === 'string' ? [input] : input), { isTTY });
    this.stdout = { isTTY, write: (text) => this.wrote((this.out += text)) };
    this.stderr = { isTTY, write: (text) => this.wrote((this.err += text)) };
  }

  cwd(): string {
    return this.folder;
  }

  /** Waits until what was written to stderr matches. */
  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.err)) await EventEmitter.once(this, 'wrote');
  }

  private wrote(_text: string): void {
    this.emit('wrote');
  }
}
